import { expect, test } from 'vitest';
import { createClient } from '../../../shared/contract/client.ts';
import { waitingChanges } from '../../mirror/selectors.ts';
import { createFakeHost, type FakeHandlers } from '../../testing/fakeHost.ts';
import { workbench } from '../../testing/sceneParts.ts';
import { playReview } from '../../testing/scenes.ts';
import { answerReview } from './answerReview.ts';
import { allRejected, commented, toggled, undecided } from './verdict.ts';

function review(handlers: FakeHandlers) {
  const host = createFakeHost(workbench, handlers);
  playReview(host, 'r');
  return { host, client: createClient(host.connect()), waiting: waitingChanges(host.state('r')) };
}

test('all that waits is one answer: kept hunks by call, a call without any as a denial with its comments', async () => {
  const { host, client, waiting } = review({ 'change.answer': () => ({}) });
  const problem = await answerReview(client, 'r', waiting, ({ call, change }) =>
    call === 'c6' ? toggled(undecided, 0, false) : commented(allRejected(change, undecided), 0, 'not so'),
  );
  expect(problem).toBeUndefined();
  const answers = host.calls.filter(({ method }) => method === 'change.answer');
  expect(answers).toHaveLength(1);
  expect(answers[0]?.input).toMatchObject({
    session: 'r',
    answers: [
      { call: 'c6', decision: 'once', verdicts: [{ path: 'src/slug.ts' }] },
      {
        call: 'c7',
        decision: 'deny',
        reason: expect.stringMatching(/^src\/slug\.test\.ts, line \d+: not so$/) as string,
      },
    ],
  });
});

test('a refusal is told in its own words, and nothing else is sent', async () => {
  const { host, client, waiting } = review({});
  expect(await answerReview(client, 'r', waiting, () => undecided)).toContain('no answer to change.answer');
  expect(host.calls.map(({ method }) => method)).toEqual(['change.answer']);
});
