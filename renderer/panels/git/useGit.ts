import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import type { InputOf, OutputOf } from '../../../shared/contract/api.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

export type Action = InputOf<'git.act'>['action'];
export type Question = NonNullable<OutputOf<'git.act'>['asks']>;

/** A question that waits for the person's yes, and what the yes does. */
export interface Asked {
  readonly question: Question;
  readonly yes: () => void;
}

/** What somebody else did in the repository shows this soon. */
const looksEveryMs = 5_000;

/** The repository of the project on show, looked at anew as things happen, and what the person does in it. */
export function useGit() {
  const client = useClient();
  const { git: w } = useWords();
  const project = useShown((shown) => shown.project);
  const [looks, setLooks] = useState(0);
  const [busy, setBusy] = useState<Action['do'] | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  // What the agent and its commands have done shows at once.
  const done = useSession(
    ({ changeSets, tasks }) =>
      `${changeSets.map(({ state }) => state).join()} ${Object.values(tasks).filter(({ endedAt }) => endedAt).length}`,
  );
  useEffect(() => {
    const look = (): void => (document.hidden ? undefined : setLooks((before) => before + 1));
    const timer = setInterval(look, looksEveryMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, []);
  const answer = useAnswer('git.state', project === null ? null : { project }, { again: `${looks} ${done}` });

  /** True once it is done; a question about it is shown first, and its yes comes back here. */
  const act = async (action: Action, confirmed?: string): Promise<boolean> => {
    if (project === null) return false;
    setBusy(action.do);
    setAsked(null);
    const acted = await valueOrToast(client.call('git.act', { project, action, confirmed }));
    setBusy(null);
    setLooks((before) => before + 1);
    if (acted?.asks) {
      const question = acted.asks;
      setAsked({ question, yes: () => void act(action, question.id) });
      return false;
    }
    if (acted?.done) toast.success(acted.done.split('\n').slice(-3).join('\n'));
    return acted !== undefined;
  };

  /** Brings what people said of the pull request into the message that is being written. */
  const comments = async (bring: (text: string) => void, confirmed?: string): Promise<void> => {
    if (project === null) return;
    setAsked(null);
    const read = await valueOrToast(client.call('git.comments', { project, confirmed }));
    if (read?.asks) {
      const question = read.asks;
      setAsked({ question, yes: () => void comments(bring, question.id) });
    } else if (read?.text !== undefined) bring(`${w.commentsSay}\n\n${read.text}`);
  };

  return { answer, busy, asked, act, comments, drop: () => setAsked(null) };
}
