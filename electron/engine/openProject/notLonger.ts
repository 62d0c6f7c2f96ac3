import type { Clock } from '../base/clock.ts';

/** A turn waits at most this long for specs and servers; they join a later turn then. */
const maxTurnWaitMs = 3_000;

/** Resolves when the work is done, or when a turn would wait for it no longer. */
export async function notLonger(clock: Clock, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(maxTurnWaitMs, resolve);
  await Promise.race([work, promise]);
  timer.dispose();
}
