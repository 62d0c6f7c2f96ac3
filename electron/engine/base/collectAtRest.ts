import type { Clock } from './clock.ts';
import { type Disposable, Disposer } from './disposer.ts';

/** How long a host must have rested, and how often it is looked at. */
const restMs = 60_000;
/** Of one core: a host that only keeps its connections takes less. */
const restShare = 0.02;
/** Processor time of the process since the last collection that makes garbage worth one. */
const workMs = 2_000;

export interface CollectDeps {
  readonly clock: Clock;
  /** Processor time of this process so far, ms. */
  readonly usedMs?: () => number;
  readonly collect?: () => unknown;
}

/**
 * Gives memory back to the system when much was done and nothing is any more: V8 keeps what it took for work to come, and
 * collects no garbage while nothing is asked for. Once after each spell of work; it takes 50 to 300 ms of the rest, and what is used next is compiled anew.
 */
export function collectAtRest({ clock, usedMs = ownTimeMs, collect = collectAll }: CollectDeps): Disposable {
  const disposer = new Disposer();
  let next: Disposable | undefined;
  let collectedAt = usedMs();
  let before = collectedAt;
  const later = (): void => {
    next = clock.after(restMs, () => {
      const now = usedMs();
      if (now - before < restMs * restShare && now - collectedAt >= workMs) {
        collectedAt = now;
        void collect();
      }
      before = now;
      later();
    });
  };
  disposer.defer(() => next?.dispose());
  later();
  return disposer;
}

function ownTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Node has no call for it; the flag counts in a context that is made behind it. */
export async function collectAll(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as ((options: object) => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
