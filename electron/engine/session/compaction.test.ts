import { expect, test } from 'vitest';
import { type TestBench, type TestSession, testBench } from '../testing/engineForTest.ts';
import { compact } from './compaction.ts';
import { createContextMeter } from './contextMeter.ts';
import { createHistory } from './history.ts';
import { systemPrompt } from './systemPrompt.ts';

const long = (name: string) => ({ [name]: `${name} ${'lorem ipsum dolor '.repeat(900)}` });
const files = { ...long('a.txt'), 'b.txt': 'old' };
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
const read = call('read_file', { filePath: 'a.txt' });
const findings = call('report_findings', {
  key_findings: ['FINDING: the words are Latin'],
  relevant_files: ['a.txt'],
  constraints: ['CONSTRAINT: keep the ends of lines'],
});
const plan = call('report_plan', {
  steps: [
    { intent: 'STEP ONE: translate', target_files: ['a.txt'] },
    { intent: 'STEP TWO: check', target_files: ['b.txt'] },
  ],
});
const edit = call('edit_file', { filePath: 'b.txt', oldStr: 'old', newStr: 'new' });

/** Makes room as if the model's window were tiny; answers what the model reads from then on. */
async function squeeze(bench: TestBench, session: TestSession) {
  const live = bench.engine.sessions.live(session.id);
  if (!live) throw new Error('the session is not open');
  const history = createHistory({ resultChars: () => 100_000, readImage: () => undefined });
  const sent = { system: '', messages: history(live.session.state), tools: [], model: 'm' };
  const parts = {
    session: live.session,
    meter: createContextMeter(),
    exactly: async () => undefined,
    limit: () => 1_000,
    asksModel: () => false,
    spend: () => undefined,
    nowMs: () => 0,
  };
  const client = { stream: () => ({ async *[Symbol.asyncIterator]() {} }), dispose: () => undefined };
  expect(JSON.stringify(sent.messages)).toContain('lorem ipsum dolor '.repeat(100));
  expect(await compact(parts, client, sent, 't', new AbortController().signal)).toBe(true);
  const { state } = live.session;
  const told = history(state);
  expect(JSON.stringify(told)).not.toContain('lorem ipsum dolor '.repeat(100));
  return { state, told };
}

test('findings, constraints, the plan and rules files stand outside of what is summarised', async () => {
  const bench = testBench(files);
  const session = await bench.session([read, findings, plan], 'phased');
  await session.say('Translate it, gently.');
  const { state, told } = await squeeze(bench, session);
  expect(JSON.stringify(told)).toContain('gently'); // the person's own words stay
  const rules = [{ path: 'AGENTS.md', text: 'Always say please.' }];
  const system = systemPrompt({ state, rules, moreTools: [], programs: '', skills: [] });
  for (const words of [
    'Always say please.',
    'FINDING: the words are Latin',
    'CONSTRAINT: keep the ends of lines',
    'STEP ONE: translate',
    'STEP TWO: check',
  ])
    expect(system).toContain(words);
});

test('a call that waits for the person is never summarised, and its answer finds it', async () => {
  const bench = testBench(files);
  const session = await bench.session([read, edit, { text: 'Edited.' }]);
  await session.send('Edit it.');
  const { call: waiting } = await session.next('permission.asked');
  const { state, told } = await squeeze(bench, session);
  expect(state.liveCalls[waiting]).toBeGreaterThanOrEqual(state.compacted?.upTo ?? 0);
  expect(told.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []))).toMatchObject([
    { id: waiting, name: 'edit_file' },
  ]);
  await bench.client.call('permission.answer', { session: session.id, call: waiting, decision: 'once' });
  expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Edited.' });
  expect(bench.file('b.txt')).toBe('new');
});
