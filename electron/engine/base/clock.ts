import { type Disposable, disposable } from './disposer.ts';

/** Time as a port, so that no test waits for it. Milliseconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(delayMs: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return disposable(() => clearTimeout(timer));
  },
};

export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Resolves after the delay, or at once when the signal aborts; `false` then. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (): void => {
      timer.dispose();
      resolve(false);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}
