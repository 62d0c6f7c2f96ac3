import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long enough to be worth the change, short enough that nobody waits for it. */
const stepMs = 2;

/**
 * For long work without a wait in it: awaited between its parts, it lets everything else of this process have a turn
 * whenever 2 ms are over, and costs nothing before.
 */
export function inSteps(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async (): Promise<void> => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < stepMs ? undefined : rest());
}
