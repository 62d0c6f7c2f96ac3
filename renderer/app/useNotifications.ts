import { useEffect, useEffectEvent } from 'react';
import { type News, newsBetween } from '../mirror/news.ts';
import { useWorkbench } from '../mirror/workbench.ts';
import { useWords } from '../words/words.tsx';
import { showProject, showSession, useView } from './view.ts';

/** Whether this browser can notify at all. */
export const canNotify = (): boolean => 'Notification' in window;

/** Asks for the permission; only ever from a click. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** Tells of questions and ended turns while the person looks elsewhere. Off until it is switched on in the settings. */
export function useNotifications(): void {
  const words = useWords();
  const tell = useEffectEvent(({ session, project, title, kind }: News) => {
    // What was asked for goes no further than the name of the session: a screen may be seen by others.
    const shown = new Notification(title || words.sessions.untitled, { body: words.notify[kind], tag: session });
    shown.onclick = () => {
      window.focus();
      if (useView.getState().project !== project) showProject(project);
      showSession(session);
      shown.close();
    };
  });
  useEffect(
    () =>
      useWorkbench.subscribe((now, was) => {
        if (was.seq < 0 || now.state.sessions === was.state.sessions) return;
        if (!useView.getState().notify || document.hasFocus() || !canNotify()) return;
        if (Notification.permission !== 'granted') return;
        for (const news of newsBetween(was.state.sessions, now.state.sessions)) tell(news);
      }),
    [],
  );
}
