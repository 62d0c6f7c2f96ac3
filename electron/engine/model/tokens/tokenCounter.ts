import { Worker } from 'node:worker_threads';
import type { Encoding } from './encodingOf.ts';
import type { TokenJob, TokenReply } from './tokenWorker.ts';

/** Counts tokens exactly, in a thread of its own that starts with the first question and ends when nobody asks. */
export interface TokenCounter {
  /** Tokens of each text; undefined when they could not be counted (the thread ended, or it took too long). */
  count(encoding: Encoding, texts: readonly string[]): Promise<readonly number[] | undefined>;
  dispose(): Promise<void>;
}

/** Its table takes some 60 MB. */
const idleMs = 60_000;
/** Who waits for a count is better served by an estimate then. */
const usualLimitMs = 20_000;

export function createTokenCounter({ limitMs = usualLimitMs }: { readonly limitMs?: number } = {}): TokenCounter {
  let thread: Worker | undefined;
  let lastId = 0;
  let isDisposed = false;
  let idle: NodeJS.Timeout | undefined;
  const waiting = new Map<number, (counts: readonly number[] | undefined) => void>();

  const start = (): Worker => {
    const made = new Worker(tokenWorkerFile());
    made.unref(); // nobody should have to wait for it at the end
    made.on('message', ({ id, counts }: TokenReply) => waiting.get(id)?.(counts));
    const end = (): void => {
      if (thread === made) thread = undefined;
      for (const settle of [...waiting.values()]) settle(undefined);
    };
    made.on('error', end);
    made.on('exit', end);
    return made;
  };
  const stop = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };

  return {
    count: (encoding, texts) =>
      new Promise((resolve) => {
        if (isDisposed) return resolve(undefined);
        clearTimeout(idle);
        thread ??= start();
        lastId += 1;
        const id = lastId;
        const limit = setTimeout(() => waiting.get(id)?.(undefined), limitMs);
        limit.unref();
        waiting.set(id, (counts) => {
          waiting.delete(id);
          clearTimeout(limit);
          resolve(counts);
          if (waiting.size > 0 || isDisposed) return;
          idle = setTimeout(() => void stop(), idleMs);
          idle.unref();
        });
        thread.postMessage({ id, encoding, texts } satisfies TokenJob);
      }),
    async dispose() {
      isDisposed = true;
      clearTimeout(idle);
      await stop();
    },
  };
}

/** Beside this file in the source; in the bundle beside the folder of the programs. */
function tokenWorkerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./tokenWorker.ts', import.meta.url)
    : new URL('../tokenWorker.js', import.meta.url);
}
