import { useCallback, useEffect } from 'react';
import { useClient } from '../client/client.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { isMac, isText, keysInShell, matchesKeys } from '../parts/keys.ts';
import { isDialogOpen } from '../view/overlay.ts';
import { useShown } from '../view/shown.ts';
import { currentSession } from '../view/useSession.ts';
import { useWords } from '../words/words.tsx';
import type { CommandContext } from './command.ts';
import { commands } from './commands.ts';
import { keysOf } from './ownKeys.ts';

/** The context at the moment of asking. */
export function useCommandContext(): () => CommandContext {
  const client = useClient();
  const words = useWords();
  return useCallback(
    () => ({
      client,
      words,
      project: useShown.getState().project,
      session: currentSession(),
      workbench: useWorkbenchMirror.getState().state,
    }),
    [client, words],
  );
}

/** Listens for every shortcut, once, for the whole window. */
export function useShortcuts(): void {
  const context = useCommandContext();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isIn = (places: string): boolean =>
        event.target instanceof Element && event.target.closest(places) !== null;
      const inShell = isIn('[data-own-keys]');
      const inField = isIn('input, textarea, [contenteditable]');
      const own = useWorkbenchMirror.getState().state.settings.shortcuts;
      const command = commands.find((one) => {
        const keys = keysOf(one, own);
        if (keys === undefined || isText(keys, isMac, inField)) return false;
        return matchesKeys(inShell ? keysInShell(keys, isMac) : keys, event, isMac);
      });
      if (!command) return;
      const now = context();
      // A dialog is answered or closed first.
      if (isDialogOpen() || (command.when && !command.when(now))) return;
      event.preventDefault();
      command.run(now);
    };
    // Capturing: the terminal and the editor would keep the key to themselves.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [context]);
}
