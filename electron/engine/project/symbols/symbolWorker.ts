import { parentPort, workerData } from 'node:worker_threads';
import { type IndexHelperData, serveIndexHelper } from './indexHelper.ts';
import type { IndexThreadData } from './indexJob.ts';
import { serveIndexJobs } from './indexThread.ts';
import { serveSymbolJobs } from './symbolThread.ts';

// Entry of the threads that parse source files: with a place it keeps the index of a project, or helps the thread that does,
// else it answers what is asked.

const place = workerData as IndexThreadData | IndexHelperData | null;
if (place && 'helps' in place) serveIndexHelper(place);
else if (parentPort && place) void serveIndexJobs(parentPort, place, import.meta.url);
else if (parentPort) serveSymbolJobs(parentPort);
