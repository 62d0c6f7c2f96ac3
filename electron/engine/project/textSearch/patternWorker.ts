import { parentPort } from 'node:worker_threads';
import { servePatternJobs } from './patternThread.ts';

/** Entry of the thread that searches by patterns which only JavaScript understands. */
if (parentPort) servePatternJobs(parentPort);
