import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../client/client.ts';
import { desktop, tellDesktop } from '../client/desktop.ts';
import { openSession } from '../commands/actions.ts';
import { type News, newsBetween } from '../mirror/news.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { canNotify } from '../parts/notifications.ts';
import { usePreferences } from '../view/preferences.ts';
import { useWords } from '../words/words.tsx';

/** Tells of questions and ended turns while the person looks elsewhere. Off until it is switched on in the settings. */
export function useNotifications(): void {
  const words = useWords();
  const client = useClient();
  const tell = useEffectEvent(({ session, project, title, kind }: News) => {
    // What was asked for goes no further than the name of the session: a screen may be seen by others.
    const name = title || words.sessions.untitled;
    // The desktop brings its window forward, which a page cannot.
    if (desktop)
      return tellDesktop({ kind: 'notify', title: name.slice(0, 300), body: words.notify[kind], project, session });
    const shown = new Notification(name, { body: words.notify[kind], tag: session });
    shown.onclick = () => {
      window.focus();
      void openSession(client, session, project);
      shown.close();
    };
  });
  useEffect(
    () =>
      useWorkbenchMirror.subscribe((now, was) => {
        if (was.seq < 0 || now.state.sessions === was.state.sessions) return;
        if (!usePreferences.getState().notify || document.hasFocus() || !canNotify()) return;
        if (Notification.permission !== 'granted') return;
        for (const news of newsBetween(was.state.sessions, now.state.sessions)) tell(news);
      }),
    [],
  );
}
