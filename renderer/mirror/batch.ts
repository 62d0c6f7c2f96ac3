import type { Frames } from './restingFrames.ts';

export interface Batch<T> {
  add(entry: T): void;
  flush(): void;
  dispose(): void;
}

/** Gathers entries and hands them over together once a frame: one render a frame, however fast the model writes. */
export function createBatch<T>(frames: Frames, take: (entries: readonly T[]) => void): Batch<T> {
  let gathered: T[] = [];
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    const entries = gathered;
    gathered = [];
    if (entries.length > 0) take(entries);
  };
  return {
    add(entry) {
      gathered.push(entry);
      cancel ??= frames.next(flush);
    },
    flush,
    dispose() {
      cancel?.();
      cancel = undefined;
      gathered = [];
    },
  };
}
