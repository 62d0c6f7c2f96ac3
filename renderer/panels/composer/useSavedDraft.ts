import { useEffect, useRef } from 'react';
import { useClient } from '../../client/client.ts';
import { useSessions } from '../../mirror/sessions.ts';
import { draftIsSaved } from '../../view/drafts.ts';
import { useShown } from '../../view/shown.ts';

/** A person notices a lost half sentence, not a lost half second. */
const saveDelayMs = 400;

/** Hands the half-typed message to the engine, which keeps it with the session. */
export function useSavedDraft(text: string): void {
  const client = useClient();
  const session = useShown((shown) => shown.session);
  const opened = useSessions(({ watched }) => (session === null ? undefined : watched[session]?.draft));
  const saved = useRef(new Map<string, string>());
  useEffect(() => {
    if (session === null || opened === undefined || text === (saved.current.get(session) ?? opened)) return;
    const timer = setTimeout(() => {
      saved.current.set(session, text);
      void client.call('session.draft', { session, text }).then((answer) => {
        if (answer.ok) draftIsSaved(session, text);
        else saved.current.delete(session);
      });
    }, saveDelayMs);
    return () => clearTimeout(timer);
  }, [client, session, opened, text]);
}
