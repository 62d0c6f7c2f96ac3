import type { Client } from '../../../shared/contract/client.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { WaitingChange } from '../../mirror/selectors.ts';
import { fetchContent } from './useContent.ts';
import { type Decision, reasonOf, verdictOf } from './verdict.ts';

/**
 * Answers every waiting edit of the list, call by call, with its verdicts. A call of which nothing is kept is denied, its
 * comments being the reason. Answers the first refusal's words, if one was refused.
 */
export async function answerReview(
  client: Client,
  session: string,
  waiting: readonly WaitingChange[],
  decisionOf: (file: WaitingChange) => Decision,
): Promise<string | undefined> {
  const calls = Object.entries(Object.groupBy(waiting, ({ call }) => call));
  const answers = await Promise.all(
    calls.map(async ([call, files = []]) => {
      const verdicts = await Promise.all(
        files.map(async (file) =>
          verdictOf(file.change, decisionOf(file), await textBefore(client, session, file.change, decisionOf(file))),
        ),
      );
      const reason = reasonOf(verdicts);
      return verdicts.every(({ keep }) => keep === 'none')
        ? client.call('permission.answer', { session, call, decision: 'deny', ...(reason ? { reason } : {}) })
        : client.call('permission.answer', {
            session,
            call,
            decision: 'once',
            verdicts: verdicts.map(({ keep, comments, ...verdict }) => ({
              ...verdict,
              keep: typeof keep === 'string' ? keep : [...keep],
              ...(comments ? { comments: [...comments] } : {}),
            })),
          });
    }),
  );
  return answers.flatMap((answer) => (answer.ok ? [] : [answer.error.message]))[0];
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
