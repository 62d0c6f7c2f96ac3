import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../client/client.ts';
import { useSessions } from '../../mirror/sessions.ts';

/** A person notices a lost half sentence, not a lost half second. */
const saveDelayMs = 400;

const keyOf = (project: string | null, session: string | null): string => `vise.draft ${session ?? project ?? ''}`;

/**
 * The half-typed message. It is kept by the engine with the session, and in the page until the engine has it, so that it
 * survives a reload, a crash and a restart.
 */
export function useDraft(project: string | null, session: string | null) {
  const client = useClient();
  const key = keyOf(project, session);
  const kept = useSessions((mirror) => (session === null ? '' : mirror.watched[session]?.draft));
  const [text, setText] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const restored = useRef('');

  useEffect(() => {
    // Before the snapshot is here the page's own copy stands; afterwards the engine's wins, unless the page's is newer.
    if (restored.current === key && kept === undefined) return;
    if (restored.current === `${key} known`) return;
    restored.current = kept === undefined ? key : `${key} known`;
    setText(localStorage.getItem(key) ?? kept ?? '');
  }, [key, kept]);

  const change = useCallback(
    (next: string): void => {
      setText(next);
      if (next === '') localStorage.removeItem(key);
      else localStorage.setItem(key, next);
      clearTimeout(timer.current);
      if (session === null) return;
      timer.current = setTimeout(() => {
        void client.call('session.draft', { session, text: next }).then((answer) => {
          if (answer.ok && localStorage.getItem(key) === next) localStorage.removeItem(key);
        });
      }, saveDelayMs);
    },
    [client, key, session],
  );
  return [text, change] as const;
}
