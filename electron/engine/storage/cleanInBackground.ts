import type { Clock } from '../base/clock.ts';
import { collectAtRest } from '../base/collectAtRest.ts';
import { type Disposable, Disposer } from '../base/disposer.ts';
import type { Log } from '../base/log.ts';

/** The host has the machine to itself until then. */
const firstAfterMs = 5_000;
/** Of a host that runs for days. */
const againAfterMs = 6 * 3_600_000;

/**
 * Cleans a while after a host has started, and now and then while it runs; what fails is tried the next time. Its memory is
 * cleaned when it rests.
 */
export function cleanInBackground(
  clean: () => Promise<unknown>,
  { clock, log }: { clock: Clock; log: Log },
): Disposable {
  const disposer = new Disposer();
  let next: Disposable | undefined;
  const after = (delayMs: number): void => {
    next = clock.after(delayMs, () => {
      clean()
        .catch((error: unknown) => log.warn('what nothing uses any more could not be removed', error))
        .finally(() => {
          if (!disposer.disposed) after(againAfterMs);
        });
    });
  };
  disposer.defer(() => next?.dispose());
  disposer.add(collectAtRest({ clock }));
  after(firstAfterMs);
  return disposer;
}
