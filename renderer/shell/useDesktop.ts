import { useEffect, useEffectEvent } from 'react';
import type { DesktopMessage } from '../../shared/contract/desktopMessage.ts';
import { useClient } from '../client/client.ts';
import { onDesktop, tellDesktop } from '../client/desktop.ts';
import { openProject } from '../commands/actions.ts';
import { showSession } from '../view/show.ts';

/** Does what the desktop around the page asks for. Does nothing in a browser. */
export function useDesktop(isKnown: boolean): void {
  const client = useClient();
  const take = useEffectEvent((message: DesktopMessage) => {
    if (message.kind === 'open') void openProject(client, message.path);
    else if (message.kind === 'show') showSession(message.session, message.project);
  });
  useEffect(() => {
    if (!isKnown) return undefined;
    const stop = onDesktop((message) => take(message));
    tellDesktop({ kind: 'ready' });
    return stop;
  }, [isKnown]);
}
