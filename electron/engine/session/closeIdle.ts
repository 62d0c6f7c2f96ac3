import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import type { OpenEntry } from './openings.ts';

/** As many stay open, whatever they do: going back and forth between them costs nothing. */
const keptOpen = 8;
/** One that was used since may be used again at once. */
const quietMs = 30_000;
const lookMs = 5_000;

export interface IdleCloser extends Disposable {
  /** A session was opened, or asked for. */
  used(id: string): void;
}

/** Closes open sessions that nobody uses, the longest unused first: each holds its state, its journal and its lock. */
export function createIdleCloser(
  live: ReadonlyMap<string, OpenEntry>,
  {
    clock,
    isWatched,
    close,
  }: { readonly clock: Clock; readonly isWatched: (id: string) => boolean; readonly close: (id: string) => void },
): IdleCloser {
  const uses = new Map<string, { readonly seq: number; readonly at: number }>();
  let looking: Disposable | undefined;
  const lastUse = (id: string): { readonly at: number } => {
    const seq = live.get(id)?.session.seq ?? 0;
    const known = uses.get(id);
    if (known?.seq === seq) return known;
    const now = { seq, at: clock.monotonicMs() };
    uses.set(id, now);
    return now;
  };
  const lookLater = (): void => {
    if (live.size > keptOpen) looking ??= clock.after(lookMs, look);
  };
  const look = (): void => {
    looking = undefined;
    for (const id of uses.keys()) if (!live.has(id)) uses.delete(id);
    const unused = [...live]
      .map(([id, entry]) => ({ id, entry, at: lastUse(id).at }))
      .filter(({ id, entry, at }) => clock.monotonicMs() - at >= quietMs && isAtRest(entry) && !isWatched(id))
      .toSorted((a, b) => a.at - b.at);
    for (const { id } of unused.slice(0, Math.max(0, live.size - keptOpen))) close(id);
    lookLater();
  };
  return {
    used(id) {
      uses.delete(id);
      lastUse(id);
      lookLater();
    },
    dispose: () => looking?.dispose(),
  };
}

/** Nothing runs, waits or is still to be taken up. */
function isAtRest({ session: { state }, agent, isRecovered }: OpenEntry): boolean {
  return (
    isRecovered &&
    !agent.running &&
    state.turn === null &&
    state.queue.length === 0 &&
    Object.keys(state.liveCalls).length === 0 &&
    Object.values(state.tasks).every((task) => task.state !== 'running' && task.state !== 'queued')
  );
}
