import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Disposer } from '../base/disposer.ts';

/** What comes together is looked at together. */
const quietMs = 50;
/** Where the system tells nothing (no descriptor left, a file system without it), the folder is looked at so often. */
const pollMs = 2_000;

/**
 * Calls what `look` answers soon after something in a folder was added, replaced or removed. `look` gets the name, where the
 * system says it, and answers nothing for what is of no account.
 */
export function followFolder(
  folder: string,
  clock: Clock,
  look: (name: string | undefined) => (() => void) | undefined,
): Disposable {
  const disposer = new Disposer();
  let waiting: Disposable | undefined;
  const soon = (act: () => void, delayMs: number): void => {
    waiting ??= clock.after(delayMs, () => {
      waiting = undefined;
      act();
    });
  };
  const poll = (): void => {
    soon(() => {
      look(undefined)?.();
      if (!disposer.disposed) poll();
    }, pollMs);
  };
  disposer.defer(() => waiting?.dispose());
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false });
  } catch {
    poll();
    return disposer;
  }
  disposer.defer(() => watcher.close());
  watcher.on('error', () => {
    watcher.close();
    poll();
  });
  watcher.on('change', (_kind, name) => {
    const act = look(name === null ? undefined : String(name));
    if (act) soon(act, quietMs);
  });
  return disposer;
}
