import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf } from '../../shared/model/reduce.ts';
import { followSession, type TestBench, type TestSession, testBench } from './testing/engineForTest.ts';

/** Adds its word to a file of the project. */
const script = `require('node:fs').appendFileSync('said.txt', process.argv[2] + '\\n')`;
const files = { 'say.js': script };
const run = (words: string) => ({ tool: 'cli_based_tool', input: { command: `node say.js ${words}` } });
const fiveCalls = [1, 2, 3, 4, 5].map((word) => run(String(word)));

async function askedTogether(session: TestSession, count: number): Promise<readonly string[]> {
  while (session.waiting().length < count) await session.next('permission.asked');
  return session.waiting().map(({ id }) => id);
}

const answer = (
  { client }: Pick<TestBench, 'client'>,
  session: string,
  [call = '', ...alike]: readonly string[],
  decision: 'once' | 'deny',
) => client.call('permission.answer', { session, call, alike, decision });

test('alike commands of one reply are asked about at once, answered as one, and run one after the other', async () => {
  const bench = testBench(files);
  const session = await bench.session([{ calls: fiveCalls }, { text: 'Done.' }]);
  await session.send('Run them.');
  const asked = await askedTogether(session, 5);
  expect(existsSync(join(bench.project, 'said.txt'))).toBe(false);
  expect(await answer(bench, session.id, asked, 'once')).toMatchObject({ ok: true });
  await session.next('turn.finished');
  expect(bench.file('said.txt')).toBe('1\n2\n3\n4\n5\n');
  expect(callsOf(session.mirror()).map(({ answer: kept }) => [kept?.decision, kept?.by])).toEqual(
    Array(5).fill(['allow', 'user']),
  );
  expect(session.heard.filter(({ event }) => event.type === 'permission.asked')).toHaveLength(5);
});

test('a denial of alike commands of one reply counts for each, and none runs', async () => {
  const bench = testBench(files);
  const session = await bench.session([{ calls: fiveCalls }, { text: 'Done.' }]);
  await session.send('Run them.');
  await answer(bench, session.id, await askedTogether(session, 5), 'deny');
  await session.next('turn.finished');
  expect(existsSync(join(bench.project, 'said.txt'))).toBe(false);
  expect(callsOf(session.mirror()).map(({ answer: kept }) => kept?.decision)).toEqual(Array(5).fill('deny'));
});

test.each([
  ['ask', 2],
  ['deny', 1],
] as const)(
  'a command that was allowed before its turn is judged again then: a rule that came to %s counts',
  async (effect, times) => {
    const bench = testBench(files);
    const session = await bench.session([{ calls: [run('1'), run('2'), run('3')] }, { text: 'Done.' }]);
    await session.send('Run them.');
    const asked = await askedTogether(session, 3);
    const rule = {
      id: 'mine',
      effect,
      scope: 'user',
      match: { tool: 'cli_based_tool', command: ['node', 'say.js', '2'] },
    };
    mkdirSync(bench.ports.places.config, { recursive: true });
    writeFileSync(join(bench.ports.places.config, 'rules.json'), JSON.stringify({ rules: [rule] }));
    await answer(bench, session.id, asked, 'once');
    if (effect === 'ask') {
      while (session.waiting().length === 0) await session.next('permission.asked');
      expect(session.waiting().map(({ input }) => input)).toEqual([{ command: 'node say.js 2' }]);
      expect(bench.file('said.txt')).toBe('1\n');
      await answer(bench, session.id, [asked[1] ?? ''], 'deny');
    }
    await session.next('turn.finished');
    expect(bench.file('said.txt')).toBe('1\n3\n');
    const questions = session.heard.filter(({ event }) => event.type === 'permission.asked' && event.call === asked[1]);
    expect(questions).toHaveLength(times);
  },
);

test('commands that are not alike are asked about one after the other', async () => {
  const bench = testBench(files);
  const session = await bench.session([{ calls: [run('1'), run('2 > other.txt'), run('3')] }, { text: 'Done.' }]);
  await session.send('Run them.');
  for (const word of ['1', '2', '3']) {
    const [call = ''] = await askedTogether(session, 1);
    expect(session.waiting()).toHaveLength(1);
    expect(JSON.stringify(session.waiting()[0]?.input)).toContain(`say.js ${word}`);
    await answer(bench, session.id, [call], 'once');
    if (word !== '3') await session.next('permission.asked');
  }
  await session.next('turn.finished');
});

test('after a kill, alike commands that waited wait again at once, and those that were answered run without a question', async () => {
  const bench = testBench(files);
  const session = await bench.session([{ calls: fiveCalls }, { text: 'Done.' }]);
  await session.send('Run them.');
  await askedTogether(session, 5);
  const again = await bench.restart(async () => undefined);
  const resumed = await followSession(again.client, session.id);
  expect(
    await answer(
      again,
      session.id,
      resumed.waiting().map(({ id }) => id),
      'once',
    ),
  ).toMatchObject({ ok: true });
  const journal = join(bench.home, 'state', 'sessions', session.id, 'journal.jsonl');
  await resumed.next('turn.finished');
  expect(again.file('said.txt')).toBe('1\n2\n3\n4\n5\n');

  // As a kill right after the answer would have left it.
  const third = await again.restart(async () => {
    const lines = readFileSync(journal, 'utf8').split('\n');
    const last = lines.findLastIndex((line) => line.includes('"type":"permission.answered"'));
    writeFileSync(journal, `${lines.slice(0, last + 1).join('\n')}\n`);
    writeFileSync(join(bench.project, 'said.txt'), '');
  });
  const followed = await followSession(third.client, session.id);
  expect(callsOf(followed.mirror()).map(({ state }) => state)).toEqual(Array(5).fill('proposed'));
  await third.client.call('session.continue', { session: session.id });
  await followed.next('turn.finished');
  expect(third.file('said.txt')).toBe('1\n2\n3\n4\n5\n');
  expect(followed.heard.filter(({ event }) => event.type.startsWith('permission.'))).toEqual([]);
});
