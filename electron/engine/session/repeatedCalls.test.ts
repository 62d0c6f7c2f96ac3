import { expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import type { Effect } from '../../../shared/model/intent.ts';
import { canonicalJson, countRepeats, finishedCallsOf } from './repeatedCalls.ts';

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

test('the order of keys makes no other call', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(countRepeats({ tool: 'read_file', input: { offset: 1, filePath: 'a' } }, [read, read])).toBe(2);
});

test('another input or tool is another call', () => {
  expect(countRepeats({ tool: 'read_file', input: { filePath: 'b' } }, [read])).toBe(0);
  expect(countRepeats({ tool: 'list_directory', input: read.input }, [read])).toBe(0);
});

test('something that was written or run in between makes it a new question, a failure does not', () => {
  const again = { tool: 'read_file', input: read.input };
  expect(countRepeats(again, [past('write_file', {}, ['writes']), read])).toBe(0);
  expect(countRepeats(again, [past('run', {}, ['executes']), read])).toBe(0);
  expect(countRepeats(again, [past('write_file', {}, ['writes'], false), read])).toBe(1);
  expect(countRepeats(again, [past('grep_search', {}), read])).toBe(1);
});

test('what looks at something that moves by itself may look again', () => {
  const poll = past('get_background_output', { id: 1 });
  expect(countRepeats({ tool: poll.tool, input: poll.input }, [poll, poll, poll])).toBe(0);
});

test('the calls of a turn are found from the newest to the oldest, those that have not ended left out', () => {
  const item = (call: Partial<Call>) => ({ kind: 'call', call: { ...read, ...call } }) as const;
  const items = [
    [item({ id: 'old', turn: 'before' }), item({ id: 'a' }), item({ id: 'open', state: 'running' }), item({ id: 'b' })],
  ];
  expect([...finishedCallsOf({ items }, 't')].map(({ id }) => id)).toEqual(['b', 'a']);
});
