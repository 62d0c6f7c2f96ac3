import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { IndexJob, IndexPlace, IndexReply, IndexThreadData } from './indexJob.ts';
import { symbolWorkerFile } from './symbolReader.ts';

/** Who asks the thread of an index; the thread starts with a question when there is none. */
export interface IndexClient {
  /** Undefined when the thread ended or the question was cancelled. With a signal the process waits for the answer. */
  ask(job: AskedJob, signal?: AbortSignal): Promise<IndexReply | undefined>;
  /** Threads that ended by an error. */
  readonly deaths: number;
  /** Ends the thread; the next question starts another one. */
  recycle(): Promise<void>;
}

export type AskedJob = IndexJob extends infer Job ? (Job extends IndexJob ? Omit<Job, 'id'> : never) : never;

/** Many times what usual files take: a file of 1 MB with nothing but short definitions needs more than 96 MB while it is read. */
const maxHeapMb = 512;

/** `holds`: see IndexThreadData. */
export function createIndexClient(place: IndexPlace, holds: IndexThreadData['holds']): IndexClient {
  const waiting = new Map<number, { readonly asked: Worker; settle(reply: IndexReply | undefined): void }>();
  let thread: Worker | undefined;
  let owner: string | undefined;
  let lastId = 0;
  let deaths = 0;

  const start = (): Worker => {
    owner ??= randomUUID();
    const workerData: IndexThreadData = { ...place, owner, holds };
    const made = new Worker(symbolWorkerFile(), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: maxHeapMb },
    });
    made.unref();
    made.on('message', (reply: IndexReply) => waiting.get(reply.id)?.settle(reply));
    made.on('error', () => {
      deaths += 1;
    });
    made.on('exit', () => {
      if (thread === made) thread = undefined;
      for (const { asked, settle } of [...waiting.values()]) if (asked === made) settle(undefined);
    });
    return made;
  };

  return {
    ask: (job, signal) =>
      new Promise((resolve) => {
        thread ??= start();
        const asked = thread;
        lastId += 1;
        const id = lastId;
        const stop = () => waiting.get(id)?.settle(undefined);
        if (signal) asked.ref();
        signal?.addEventListener('abort', stop, { once: true });
        waiting.set(id, {
          asked,
          settle(reply) {
            waiting.delete(id);
            signal?.removeEventListener('abort', stop);
            if (signal && thread === asked) asked.unref(); // not one whose end is awaited
            resolve(reply);
          },
        });
        asked.postMessage({ ...job, id } satisfies IndexJob);
      }),
    get deaths() {
      return deaths;
    },
    async recycle() {
      const old = thread;
      thread = undefined;
      await old?.terminate();
    },
  };
}
