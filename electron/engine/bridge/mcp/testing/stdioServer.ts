import { serveMcp } from '../server.ts';
import { samplePort } from './samplePort.ts';

// A program of its own: tests start it and speak to it over real pipes.
await serveMcp(samplePort(), { onError: (error) => process.stderr.write(`${error.message}\n`) });
