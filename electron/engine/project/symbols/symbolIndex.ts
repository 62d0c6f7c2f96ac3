import { existsSync } from 'node:fs';
import type { IndexAnswer, IndexedSymbols } from './indexAnswer.ts';
import { createIndexClient } from './indexClient.ts';
import type { IndexPlace } from './indexJob.ts';

/**
 * What a whole project defines, kept in a file between runs. Nobody waits for it: it is built in a thread while no question
 * is being answered, and until it knows the project as it is, questions are answered by searching.
 */
export interface SymbolIndex {
  /** The project, a real path. */
  readonly root: string;
  /** Definitions below a folder (`.` for the root); undefined when the index cannot tell now. */
  definitions(name: string, below: string, signal: AbortSignal): Promise<IndexAnswer | undefined>;
  /** What a file (relative to the project) defines; undefined when it is not known as it is now. */
  file(path: string, signal: AbortSignal): Promise<IndexedSymbols | undefined>;
  /** Keeps the index from working while somebody waits for an answer; call what it returns once, then it goes on. */
  hold(): () => void;
  /** Resolves when there is nothing to do. */
  idle(): Promise<void>;
  dispose(): Promise<void>;
}

/** Quiet after the last question before work begins. */
const quietMs = 500;
/** The thread looks after each file whether somebody waits; this is how often it tells how far it is. */
const sliceMs = 1_000;
/** A thread that has parsed more than this is not kept when it is done: what parsing has taken is not given back otherwise. */
const maxParsedWhenIdle = 200;
/** Nobody has asked for so long that the thread can go. */
const forgottenMs = 5 * 60_000;

export function createSymbolIndex(
  place: IndexPlace,
  options: {
    readonly quietMs?: number;
    /** Called before work begins, to make room for it. */
    readonly beforeWork?: () => Promise<void>;
  } = {},
): SymbolIndex {
  /** `unknown`: ask the thread, if there is a file at all. */
  let state: 'unknown' | 'ready' | 'stale' | 'unavailable' = 'unknown';
  let isBuilding = false;
  let isDisposed = false;
  let timer: NodeJS.Timeout | undefined;
  let forgotten: NodeJS.Timeout | undefined;
  let idlers: (() => void)[] = [];

  const holds = new Int32Array(new SharedArrayBuffer(4));
  const client = createIndexClient(place, holds);
  const held = () => Atomics.load(holds, 0) > 0;

  const settle = () => {
    if (isBuilding || timer) return;
    for (const idler of idlers) idler();
    idlers = [];
  };

  const schedule = () => {
    if (isDisposed || isBuilding || timer || state === 'ready' || state === 'unavailable') return;
    timer = setTimeout(() => {
      timer = undefined;
      void build();
    }, options.quietMs ?? quietMs);
    timer.unref();
  };

  const build = async (): Promise<void> => {
    isBuilding = true;
    await options.beforeWork?.();
    // A question stops it; the end of the question starts it again.
    while (!held() && !isDisposed) {
      const reply = await client.ask({ kind: 'work', budgetMs: sliceMs });
      if (isDisposed) break;
      if (reply?.kind === 'worked' && !reply.isElsewhere) {
        if (reply.left > 0) continue;
        state = 'ready';
        if (reply.parsed > maxParsedWhenIdle) await client.recycle();
      } else if (reply?.kind === 'worked') state = 'unknown';
      else if (reply?.kind === 'unavailable' || client.deaths > 1) state = 'unavailable';
      if (state === 'unavailable') await client.recycle();
      break;
    }
    isBuilding = false;
    settle();
  };

  return {
    root: place.root,
    async definitions(name, below, signal) {
      if (isDisposed || isBuilding || state === 'unavailable' || state === 'stale') return undefined;
      if (state === 'unknown' && !existsSync(place.file)) return undefined;
      const reply = await client.ask({ kind: 'find', name, below }, signal);
      if (reply?.kind === 'found') {
        state = 'ready';
        return reply.answer;
      }
      if (reply?.kind === 'stale' && !reply.isOutside) state = 'stale';
      if (reply?.kind === 'unavailable' || client.deaths > 1) state = 'unavailable';
      return undefined;
    },
    async file(name, signal) {
      if (isDisposed || isBuilding || state === 'unavailable' || !existsSync(place.file)) return undefined;
      const reply = await client.ask({ kind: 'file', name }, signal);
      if (reply?.kind === 'unavailable' || client.deaths > 1) state = 'unavailable';
      return reply?.kind === 'file' ? reply.known : undefined;
    },
    hold() {
      Atomics.add(holds, 0, 1);
      clearTimeout(timer);
      timer = undefined;
      clearTimeout(forgotten);
      return () => {
        Atomics.sub(holds, 0, 1);
        if (held()) return;
        forgotten = setTimeout(() => void client.recycle(), forgottenMs);
        forgotten.unref();
        schedule();
        settle();
      };
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        settle();
      }),
    async dispose() {
      isDisposed = true;
      clearTimeout(timer);
      clearTimeout(forgotten);
      timer = undefined;
      await client.recycle();
      settle();
    },
  };
}
