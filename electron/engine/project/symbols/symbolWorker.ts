import { parentPort } from 'node:worker_threads';
import { serveSymbolJobs } from './symbolThread.ts';

/** Entry of the thread that parses source files. */
if (parentPort) serveSymbolJobs(parentPort);
