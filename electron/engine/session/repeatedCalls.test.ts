import { expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import type { Effect } from '../../../shared/model/intent.ts';
import type { Item } from '../../../shared/model/sessionState.ts';
import { append, emptyTimeline, type Timeline } from '../../../shared/model/timeline.ts';
import { canonicalJson, createRepeatCounter } from './repeatedCalls.ts';

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
