import type { Disposable } from '../base/disposer.ts';

/** So many at once of one kind; the others wait in their order. */
export interface Slots {
  /** Resolves with the place that was taken, which is given back by disposing; undefined when the signal aborts first. */
  take(kind: string, atOnce: number, signal: AbortSignal): Promise<Disposable | undefined>;
}

export function createSlots(): Slots {
  const kinds = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  const giveBack = (kind: string): void => {
    const known = kinds.get(kind);
    if (!known) return;
    const next = known.waiting.shift();
    if (next) return next(); // the place goes on to the next one
    known.taken -= 1;
    if (known.taken === 0) kinds.delete(kind);
  };
  return {
    async take(kind, atOnce, signal) {
      if (signal.aborted) return undefined;
      const known = kinds.get(kind) ?? { taken: 0, waiting: [] };
      kinds.set(kind, known);
      if (known.taken < atOnce) known.taken += 1;
      else {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const enter = (): void => resolve(true);
        const leave = (): void => {
          const at = known.waiting.indexOf(enter);
          if (at === -1) return; // it has just been let in
          known.waiting.splice(at, 1);
          resolve(false);
        };
        known.waiting.push(enter);
        signal.addEventListener('abort', leave, { once: true });
        const entered = await promise;
        signal.removeEventListener('abort', leave);
        if (!entered) return undefined;
      }
      let isBack = false;
      return {
        dispose() {
          if (!isBack) giveBack(kind);
          isBack = true;
        },
      };
    },
  };
}
