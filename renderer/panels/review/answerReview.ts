import type { InputOf } from '../../../shared/contract/api.ts';
import type { Client } from '../../../shared/contract/client.ts';
import type { Change, FileVerdict } from '../../../shared/model/change.ts';
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
  const judged = await judgedCalls(client, session, waiting, decisionOf);
  const answers = judged.map(({ call, files, verdicts }): InputOf<'change.answer'>['answers'][number] => {
    if (verdicts.every(({ keep }) => keep === 'none')) {
      const reason = reasonOf(
        verdicts,
        files.flatMap(({ change }) => change),
      );
      return { call, decision: 'deny' as const, reason: reason || undefined };
    }
    return { call, decision: 'once' as const, verdicts };
  });
  const answered = await client.call('change.answer', { session, answers });
  return answered.ok ? undefined : answered.error.message;
}

/** The verdicts on every waiting edit of the list, call by call. */
export function judgedCalls(
  client: Client,
  session: string,
  waiting: readonly WaitingChange[],
  decisionOf: (file: WaitingChange) => Decision,
): Promise<
  readonly {
    readonly call: string;
    readonly files: readonly WaitingChange[];
    readonly verdicts: readonly FileVerdict[];
  }[]
> {
  const calls = Object.entries(Object.groupBy(waiting, ({ call }) => call));
  return Promise.all(
    calls.map(async ([call, files = []]) => ({
      call,
      files,
      verdicts: await Promise.all(
        files.map(async (file) =>
          verdictOf(file.change, decisionOf(file), await textBefore(client, session, file.change, decisionOf(file))),
        ),
      ),
    })),
  );
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
