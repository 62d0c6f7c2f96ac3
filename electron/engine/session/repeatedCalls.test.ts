import { expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import type { Effect } from '../../../shared/model/intent.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { Item } from '../../../shared/model/sessionState.ts';
import { append, emptyTimeline, type Timeline } from '../../../shared/model/timeline.ts';
import { testBench } from '../testing/engineForTest.ts';
import { canonicalJson, countInReply, createRepeatCounter } from './repeatedCalls.ts';

function past(tool: string, input: unknown, effects: readonly Effect[] = ['reads'], success = true): Call {
  return {
    id: 'c',
    turn: 't',
    tool,
    input,
    level: 'none',
    state: 'finished',
    proposedAt: '',
    intent: { risk: 'none', effects, targets: [], summary: '', preview: { kind: 'none' } },
    result: success ? { success, data: 1 } : { success, error: { code: 'STALE', message: '' } },
  };
}

const read = past('read_file', { filePath: 'a', offset: 1 });
const again = { tool: 'read_file', input: read.input };

const timeline = (...calls: readonly Call[]): { readonly items: Timeline<Item> } => ({
  items: calls.reduce<Timeline<Item>>((items, call) => append(items, { kind: 'call', call }), emptyTimeline),
});
const repeats = (call: Pick<Call, 'tool' | 'input'>, ...earlier: readonly Call[]): number =>
  createRepeatCounter('t')(timeline(...earlier), call);

test('the order of keys makes no other call', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(repeats({ tool: 'read_file', input: { offset: 1, filePath: 'a' } }, read, read)).toBe(2);
});

test('another input or tool is another call, also where the input is long', () => {
  expect(repeats({ tool: 'read_file', input: { filePath: 'b' } }, read)).toBe(0);
  expect(repeats({ tool: 'list_directory', input: read.input }, read)).toBe(0);
  const long = (end: string) => past('write_file', { content: `${'x'.repeat(1_000)}${end}` }, ['writes'], false);
  expect(repeats(long('a'), long('a'))).toBe(1);
  expect(repeats(long('b'), long('a'))).toBe(0);
});

test('something that was written or run in between makes it a new question, a failure does not', () => {
  expect(repeats(again, read, past('write_file', {}, ['writes']))).toBe(0);
  expect(repeats(again, read, past('run', {}, ['executes']))).toBe(0);
  expect(repeats(again, read, past('write_file', {}, ['writes'], false))).toBe(1);
  expect(repeats(again, read, past('grep_search', {}))).toBe(1);
  const run = past('run', { command: 'x' }, ['executes']);
  expect(repeats(run, run, run)).toBe(2);
  expect(repeats(run, run, past('write_file', {}, ['writes']), run)).toBe(1);
});

test('what looks at something that moves by itself may look again', () => {
  const poll = past('get_background_output', { id: 1 });
  expect(repeats(poll, poll, poll, poll)).toBe(0);
});

test('only what is new is looked at, and a call that has not ended is looked at when it has', () => {
  const count = createRepeatCounter('t');
  const open = { ...read, state: 'running' } as const;
  const before = { ...read, turn: 'before' };
  expect(count(timeline(before), again)).toBe(0);
  expect(count(timeline(before, read), again)).toBe(1);
  expect(count(timeline(before, read, open), again)).toBe(1);
  expect(count(timeline(before, read, read, read), again)).toBe(3);
  expect(createRepeatCounter('t')(timeline(before, read, read), again)).toBe(2);
});

test('calls of one reply count with those before them, unless something may have changed in between', () => {
  const write = { tool: 'write_file', input: { filePath: 'a' } };
  const inReply = (calls: readonly Pick<Call, 'tool' | 'input'>[], ...earlier: readonly Call[]): readonly number[] => {
    const count = countInReply(createRepeatCounter('t'), timeline(...earlier), (tool) => tool === 'write_file');
    return calls.map((call) => count(call));
  };
  expect(inReply([again, again, again])).toEqual([0, 1, 2]);
  expect(inReply([again, again], read)).toEqual([1, 2]);
  expect(inReply([again, write, again, again], read)).toEqual([1, 0, 0, 1]);
  expect(inReply([write, again, write, again])).toEqual([0, 0, 1, 1]);
  expect(inReply([write, write], past('write_file', write.input, ['writes']))).toEqual([1, 2]);
  const poll = past('get_background_output', { id: 1 });
  expect(inReply([poll, poll])).toEqual([0, 0]);
});

const look = { tool: 'read_file', input: { filePath: 'a.txt' } };
const edit = { tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } };

async function turnOf(
  ...replies: readonly { readonly text?: string; readonly calls?: (typeof look | typeof edit)[] }[]
) {
  const session = await testBench({ 'a.txt': 'old' }, { allow: 'dangerous' }).session(replies);
  const { outcome, text } = await session.say('Go on.');
  const results = callsOf(session.mirror()).map(({ result }) => (result?.success ? 'ok' : result?.error.message));
  return { outcome, text, results };
}

const blocked =
  'Repeated call blocked: nothing has changed since it was made before. Use the result of that one, or do something else.';

test('the same call twice in one reply runs once; the second is pointed out', async () => {
  expect(await turnOf({ calls: [look, look] }, { text: 'Read.' })).toEqual({
    outcome: 'done',
    text: 'Read.',
    results: expect.arrayContaining(['ok', blocked]),
  });
  const { results } = await turnOf({ calls: [look, edit, look] }, { text: 'Read.' });
  expect(results).toEqual(['ok', 'ok', 'ok']);
});

test('the third repetition ends the turn with a question', async () => {
  const stopped =
    'Stopped: read_file was called 4 times with the same input and nothing had changed in between. Tell the agent how to go on.';
  const one = { calls: [look] };
  expect(await turnOf(one, one, one, one, { text: 'Never said.' })).toEqual({
    outcome: 'blocked',
    text: stopped,
    results: ['ok', blocked, blocked, stopped],
  });
  expect(await turnOf({ calls: [look, look, look, look] }, { text: 'Never said.' })).toMatchObject({
    outcome: 'blocked',
    text: stopped,
  });
});
