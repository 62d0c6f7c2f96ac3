import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { SymbolFile, SymbolJob, SymbolReply } from './symbolThread.ts';

/** Reads symbols in threads, which start with the first questions and end when nobody has asked for a while. */
export interface SymbolReader {
  /** One entry a file, in order. Errors: CANCELLED, UNAVAILABLE. */
  read(
    files: readonly string[],
    want: SymbolJob['want'],
    signal: AbortSignal,
    options?: { readonly skipGenerated?: boolean },
  ): Promise<Result<readonly SymbolFile[]>>;
  /** Gives back what the threads have taken, unless somebody waits for one; the next question starts them again. */
  rest(): Promise<void>;
  dispose(): Promise<void>;
}

/** J5: a file that takes longer is given up. */
const fileLimitMs = 2000;
/** Its grammars and what it remembers take some 100 MB. */
const idleMs = 5 * 60_000;

/** Parsing is all processor time; the rest of the engine keeps a core. */
const maxThreads = Math.max(1, Math.min(2, availableParallelism() - 1));

interface Waiting {
  readonly thread: Worker;
  settle(result: Result<readonly SymbolFile[]>): void;
}

export function createSymbolReader(options: { readonly threads?: number } = {}): SymbolReader {
  const threads = new Set<Worker>();
  const waiting = new Map<number, Waiting>();
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Worker => {
    const made = new Worker(symbolWorkerFile(), { resourceLimits: { maxYoungGenerationSizeMb: 16 } });
    threads.add(made);
    // Nobody should have to wait for it at the end.
    made.unref();
    made.on('message', (reply: SymbolReply) => {
      waiting
        .get(reply.id)
        ?.settle('files' in reply ? ok(reply.files) : fail('UNAVAILABLE', `Parsing failed: ${reply.broken}`));
    });
    const end = (why: string) => {
      threads.delete(made);
      for (const asked of [...waiting.values()])
        if (asked.thread === made)
          asked.settle(fail('UNAVAILABLE', `The thread that parses source files ended: ${why}`));
    };
    made.on('error', (error) => end(error instanceof Error ? error.message : String(error)));
    made.on('exit', () => end('it was stopped'));
    return made;
  };

  /** One that has nothing to do, else a new one, else the one with the least to do. */
  const pick = (): Worker => {
    const asked = [...waiting.values()].map(({ thread }) => thread);
    const loads = [...threads].map((thread) => ({ thread, load: asked.filter((one) => one === thread).length }));
    const [least] = loads.sort((a, b) => a.load - b.load);
    const isFull = threads.size >= (options.threads ?? maxThreads);
    return least && (least.load === 0 || isFull) ? least.thread : start();
  };

  const dispose = async () => {
    clearTimeout(idle);
    const ending = [...threads];
    threads.clear(); // an answer that still comes must not let go of a thread whose end is awaited
    await Promise.all(ending.map((thread) => thread.terminate()));
  };

  return {
    read: (files, want, signal, { skipGenerated = false } = {}) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve(cancelled);
          return;
        }
        clearTimeout(idle);
        const thread = pick();
        // While an answer is awaited, the program waits too.
        thread.ref();
        lastId += 1;
        const id = lastId;
        const stop = () => waiting.get(id)?.settle(cancelled);
        signal.addEventListener('abort', stop, { once: true });
        waiting.set(id, {
          thread,
          settle(result) {
            waiting.delete(id);
            signal.removeEventListener('abort', stop);
            if (threads.has(thread) && ![...waiting.values()].some((other) => other.thread === thread)) thread.unref();
            if (waiting.size === 0) {
              clearTimeout(idle);
              idle = setTimeout(() => void dispose(), idleMs);
              idle.unref();
            }
            resolve(result);
          },
        });
        thread.postMessage({ id, files, want, limitMs: fileLimitMs, skipGenerated } satisfies SymbolJob);
      }),
    rest: async () => {
      if (waiting.size === 0) await dispose();
    },
    dispose,
  };
}

const cancelled = fail('CANCELLED', 'The search was stopped');

/** Bundled, all programs lie one folder below the worker; from source, the entry is a TypeScript file that Node runs. */
export function symbolWorkerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./symbolWorker.ts', import.meta.url)
    : new URL('../symbolWorker.js', import.meta.url);
}
