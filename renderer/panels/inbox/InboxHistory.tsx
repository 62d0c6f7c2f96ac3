import { Check, History, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useSessions } from '../../mirror/sessions.ts';
import { Age } from '../../parts/Age.tsx';
import { Button } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { type Answered, answersOf, newestSessions } from './answers.ts';

/** How many sessions are read for their answers; older ones keep theirs in their own conversation. */
const sessionsRead = 20;

/** What was asked and how it was answered, over the newest sessions; a rule that an answer made can be taken back. */
export function InboxHistory({ onShow }: { readonly onShow: (answer: Answered) => void }) {
  const words = useWords();
  const client = useClient();
  const ids = useWorkbench((workbench) => newestSessions(workbench, sessionsRead));
  const key = ids.join(' ');
  const [answers, setAnswers] = useState<readonly Answered[] | null>(null);
  useEffect(() => {
    let current = true;
    const read = async (): Promise<void> => {
      const states = [];
      for (const id of key.split(' ').filter(Boolean)) {
        const known = useSessions.getState().watched[id]?.state;
        const answer = known ? undefined : await client.call('session.watch', { session: id });
        if (!current) return;
        // It stays watched: to let it go could cross the window's own wish to follow it, and that would then hear nothing.
        const state = known ?? (answer?.ok ? answer.value.state : undefined);
        if (state) states.push(state);
      }
      if (current) setAnswers(answersOf(states));
    };
    void read();
    return () => {
      current = false;
    };
  }, [client, key]);

  const revoke = async ({ rule = '', project, session }: Answered): Promise<void> => {
    if (await valueOrToast(client.call('permission.revoke', { id: rule, project, session })))
      toast(words.settings.revoked);
  };
  if (answers === null) return <div className="skeleton m-3 h-16" />;
  if (answers.length === 0)
    return (
      <div className="h-36">
        <Empty icon={History} title={words.inbox.historyNone} />
      </div>
    );
  return (
    <div className="flex min-h-0 flex-col">
      <p className="px-3.5 pt-2 text-xs text-soft">{words.inbox.historyMore}</p>
      <ol aria-label={words.inbox.history} className="min-h-0 divide-y divide-line overflow-y-auto px-3.5 pb-2">
        {answers.map((answer) => (
          <li key={`${answer.session} ${answer.call}`} className="flex items-start gap-2 py-2">
            {answer.decision === 'allow' ? (
              <Check aria-hidden className="mt-0.5 size-3.5 shrink-0 text-good" />
            ) : (
              <X aria-hidden className="mt-0.5 size-3.5 shrink-0 text-bad" />
            )}
            <div className="min-w-0 flex-1">
              <p className="truncate" title={words.said(answer.summary)}>
                <VisibleText text={words.said(answer.summary)} />
              </p>
              <p className="truncate text-xs text-soft">
                {answer.decision === 'allow' ? words.inbox.allowed : words.inbox.denied}{' '}
                {whoText(answer.by, words.inbox)}
                {' · '}
                <Age at={answer.at} />
                {' · '}
                {answer.title || words.sessions.untitled}
              </p>
              {answer.reason && <p className="text-xs break-words text-soft">“{answer.reason}”</p>}
            </div>
            {answer.rule !== undefined && answer.decision === 'allow' && (
              <Button onClick={() => void revoke(answer)}>{words.inbox.revoke}</Button>
            )}
            <Button look="quiet" onClick={() => onShow(answer)}>
              {words.inbox.show}
            </Button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function whoText(
  by: Answered['by'],
  inbox: { readonly byUser: string; readonly byRule: string; readonly byLevel: string; readonly byHost: string },
): string {
  return { user: inbox.byUser, rule: inbox.byRule, level: inbox.byLevel, host: inbox.byHost }[by];
}
