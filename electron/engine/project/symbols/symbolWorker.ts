import { parentPort, workerData } from 'node:worker_threads';
import { type IndexThreadData, serveIndexJobs } from './indexThread.ts';
import { serveSymbolJobs } from './symbolThread.ts';

// Entry of the threads that parse source files: with a place it keeps the index of a project, else it answers what is asked.

const place = workerData as IndexThreadData | null;
if (parentPort && place) void serveIndexJobs(parentPort, place);
else if (parentPort) serveSymbolJobs(parentPort);
