/** What tells when to draw next, so that tests turn the page themselves. */
export interface Frames {
  /** Calls back once before the next drawing, or soon where nothing is drawn (a hidden page). Returns the way to cancel. */
  next(run: () => void): () => void;
}

/** Hidden pages get no animation frames; four times a second keeps the mirror near without work worth naming. */
const hiddenDelayMs = 250;

export const browserFrames: Frames = {
  next(run) {
    if (document.hidden) {
      const timer = setTimeout(run, hiddenDelayMs);
      return () => clearTimeout(timer);
    }
    const frame = requestAnimationFrame(run);
    // A page hidden in between would never draw this frame.
    const timer = setTimeout(run, hiddenDelayMs);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  },
};

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
