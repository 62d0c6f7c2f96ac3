import { parentPort } from 'node:worker_threads';
import { serveSymbolJobs } from './engine/project/symbols/symbolThread.ts';

/** Entry of the thread that parses source files. */
if (parentPort) serveSymbolJobs(parentPort);
