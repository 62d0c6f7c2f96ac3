import { useEffect, useRef } from 'react';
import { useClient } from '../../client/client.ts';
import type { WaitingChange } from '../../mirror/selectors.ts';
import { judgedCalls } from './answerReview.ts';
import type { Decision } from './verdict.ts';

/** Typing settles before what is typed is tried. */
const settleMs = 300;

/** Has what waits tried anew as it is judged by now; comments change nothing of it. */
export function useRehearsal(
  session: string,
  waiting: readonly WaitingChange[],
  decisionOf: (each: WaitingChange) => Decision,
): void {
  const client = useClient();
  const isSent = useRef(false);
  const judged = waiting.map((each) => {
    const { rejected, edited } = decisionOf(each);
    return { each, decision: { rejected, edited, comments: {} } };
  });
  const key = JSON.stringify(
    judged.map(({ each, decision }) => [each.call, each.change.path, each.change.after, decision]),
  );
  const newest = useRef(judged);
  newest.current = judged;
  useEffect(() => {
    const isJudged = newest.current.some(({ decision }) => decision.rejected.length > 0 || decision.edited !== null);
    // All is kept unless something was said.
    if (key === '[]' || (!isJudged && !isSent.current)) return;
    isSent.current = true;
    const send = async (): Promise<void> => {
      const of = new Map(newest.current.map(({ each, decision }) => [each, decision]));
      const decided = (each: WaitingChange): Decision => of.get(each) ?? { rejected: [], edited: null, comments: {} };
      const calls = await judgedCalls(client, session, [...of.keys()], decided);
      await client.call('change.rehearse', {
        session,
        judged: calls.map(({ call, verdicts }) => ({ call, verdicts })),
      });
    };
    const timer = setTimeout(() => void send(), settleMs);
    return () => clearTimeout(timer);
  }, [client, session, key]);
}
