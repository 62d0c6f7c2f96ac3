import { useEffect, useEffectEvent } from 'react';
import type { DesktopMessage } from '../../shared/contract/desktopMessage.ts';
import { useClient } from '../client/client.ts';
import { desktop, onDesktop, tellDesktop } from '../client/desktop.ts';
import { openProject, openSession } from '../commands/actions.ts';
import { commands } from '../commands/commands.ts';
import { menusNow } from '../commands/menus.ts';
import { useCommandContext } from '../commands/useCommands.ts';
import { useSessions } from '../mirror/sessions.ts';
import { useShown } from '../view/shown.ts';
import { useWords } from '../words/words.tsx';

/** A reply streams facts by the hundred; a menu that is some frames late is never seen so. */
const menuPauseMs = 250;

/** Does what the desktop around the page asks for, and tells it the menus. Does nothing in a browser. */
export function useDesktop(isKnown: boolean): void {
  const client = useClient();
  const words = useWords();
  const context = useCommandContext();
  const take = useEffectEvent((message: DesktopMessage) => {
    if (message.kind === 'open') void openProject(client, message.path);
    else if (message.kind === 'show') void openSession(client, message.session, message.project);
    else if (message.kind === 'command') {
      const now = context();
      const command = commands.find(({ id }) => id === message.id);
      if (command && (command.when === undefined || command.when(now))) command.run(now);
    }
  });
  useEffect(() => {
    if (!isKnown || desktop === undefined) return undefined;
    document.documentElement.dataset['host'] = 'desktop';
    const stop = onDesktop((message) => take(message));
    tellDesktop({ kind: 'ready' });
    return stop;
  }, [isKnown]);
  // The words are those of the menus too.
  useEffect(() => (isKnown && desktop !== undefined ? followMenus(context) : undefined), [isKnown, context, words]);
}

/** Tells the menus whenever they have changed. */
function followMenus(context: ReturnType<typeof useCommandContext>): () => void {
  let last = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    const menus = menusNow(context());
    const text = JSON.stringify(menus);
    if (text !== last) tellDesktop({ kind: 'menu', menus });
    last = text;
  };
  const soon = (): void => {
    timer ??= setTimeout(tell, menuPauseMs);
  };
  const stops = [useShown.subscribe(soon), useSessions.subscribe(soon)];
  tell();
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
