import type { Disposable } from './disposer.ts';

/** Time as a part that can be lent: tests run it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that nobody sets: for how long something took, waits or may go on. */
  monotonicMs(): number;
  /** Runs once after `delayMs`; disposing before that cancels it. */
  after(delayMs: number, run: () => void): Disposable;
}

/** The longest delay of a Node timer; a larger one would fire at once. */
const maxDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance`, with which Node loads node:perf_hooks: 3 ms of every start.
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), maxDelayMs));
    return { dispose: () => clearTimeout(timer) };
  },
};

export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Resolves after `delayMs` with true, or at once with false when the signal aborts. */
export function wait(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve(false);
      return;
    }
    const stop = () => {
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
