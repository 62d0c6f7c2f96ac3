import type { InputOf } from '../../../shared/contract/api.ts';
import type { Client } from '../../../shared/contract/client.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { WaitingChange } from '../../mirror/selectors.ts';
import { fetchContent } from '../../parts/useContent.ts';
import { type Decision, reasonOf, verdictOf } from './verdict.ts';

/**
 * Answers every waiting edit of the list at once: what is kept is written as one change set. A call of which nothing is
 * kept is denied, its comments being the reason. Answers the words of the refusal, if it was refused.
 */
export async function answerReview(
  client: Client,
  session: string,
  waiting: readonly WaitingChange[],
  decisionOf: (file: WaitingChange) => Decision,
): Promise<string | undefined> {
  const calls = Object.entries(Object.groupBy(waiting, ({ call }) => call));
  const answers: InputOf<'change.answer'>['answers'] = await Promise.all(
    calls.map(async ([call, files = []]) => {
      const verdicts = await Promise.all(
        files.map(async (file) =>
          verdictOf(file.change, decisionOf(file), await textBefore(client, session, file.change, decisionOf(file))),
        ),
      );
      if (verdicts.every(({ keep }) => keep === 'none')) {
        const reason = reasonOf(
          verdicts,
          files.flatMap(({ change }) => change),
        );
        return { call, decision: 'deny' as const, reason: reason || undefined };
      }
      return { call, decision: 'once' as const, verdicts };
    }),
  );
  const answered = await client.call('change.answer', { session, answers });
  return answered.ok ? undefined : answered.error.message;
}

async function textBefore(
  client: Client,
  session: string,
  change: Change,
  { edited, rejected }: Decision,
): Promise<string | null> {
  if (edited === null || rejected.length === 0) return null;
  const content = await fetchContent(client, session, change.before);
  return content.state === 'text' ? content.text : null;
}
