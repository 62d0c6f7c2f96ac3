import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { SymbolFile, SymbolJob, SymbolReply } from './symbolThread.ts';

/** Reads symbols in a thread, which starts with the first question and ends when nobody has asked for a while. */
export interface SymbolReader {
  /** One entry a file, in order. Errors: CANCELLED, UNAVAILABLE. */
  read(
    files: readonly string[],
    want: SymbolJob['want'],
    signal: AbortSignal,
    options?: { readonly skipGenerated?: boolean },
  ): Promise<Result<readonly SymbolFile[]>>;
  dispose(): Promise<void>;
}

/** J5: a file that takes longer is given up. */
const fileLimitMs = 2000;
/** Its grammars and what it remembers take some 100 MB. */
const idleMs = 5 * 60_000;

interface Waiting {
  readonly thread: Worker;
  settle(result: Result<readonly SymbolFile[]>): void;
}

export function createSymbolReader(): SymbolReader {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  const start = (): Worker => {
    const made = new Worker(symbolWorkerFile());
    // Nobody should have to wait for it at the end.
    made.unref();
    made.on('message', (reply: SymbolReply) => {
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      asked?.settle('files' in reply ? ok(reply.files) : fail('UNAVAILABLE', `Parsing failed: ${reply.broken}`));
    });
    const end = (why: string) => {
      if (thread === made) thread = undefined;
      for (const [id, asked] of waiting) {
        if (asked.thread !== made) continue;
        waiting.delete(id);
        asked.settle(fail('UNAVAILABLE', `The thread that parses source files ended: ${why}`));
      }
    };
    made.on('error', (error) => end(error instanceof Error ? error.message : String(error)));
    made.on('exit', () => end('it was stopped'));
    return made;
  };

  const dispose = async () => {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  };

  return {
    read: (files, want, signal, { skipGenerated = false } = {}) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve(cancelled);
          return;
        }
        clearTimeout(idle);
        thread ??= start();
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
            if (waiting.size === 0) {
              thread?.unref();
              clearTimeout(idle);
              idle = setTimeout(() => void dispose(), idleMs);
              idle.unref();
            }
            resolve(result);
          },
        });
        thread.postMessage({ id, files, want, limitMs: fileLimitMs, skipGenerated } satisfies SymbolJob);
      }),
    dispose,
  };
}

const cancelled = fail('CANCELLED', 'The search was stopped');

/** Bundled, all programs lie one folder below the worker; from source, the entry is a TypeScript file that Node runs. */
function symbolWorkerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./symbolWorker.ts', import.meta.url)
    : new URL('../symbolWorker.js', import.meta.url);
}
