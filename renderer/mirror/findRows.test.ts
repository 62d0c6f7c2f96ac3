import { expect, test } from 'vitest';
import type { Call } from '../../shared/model/call.ts';
import { findRows } from './findRows.ts';
import type { Row } from './rows.ts';

const call = (more: Partial<Call>): Call => ({
  id: 'c',
  turn: 't',
  tool: 'run',
  input: {},
  level: 'none',
  state: 'finished',
  proposedAt: '',
  ...more,
});
const rows: readonly Row[] = [
  { kind: 'item', key: '0', at: 0, item: { kind: 'user', turn: 't', at: '', text: 'Find the Needle' } },
  {
    kind: 'item',
    key: '1',
    at: 1,
    item: { kind: 'assistant', turn: 't', at: '', text: 'no', reasoning: 'a needle?', calls: [] },
  },
  { kind: 'item', key: '2', at: 2, item: { kind: 'phase', at: '', from: 'IDLE', to: 'DONE', cause: 'needle' } },
  { kind: 'call', key: '3', call: call({ input: { command: 'grep "needle" a' } }) },
  {
    kind: 'looked',
    key: '4',
    calls: [call({}), call({ result: { success: true, data: { lines: ['x', 'the needle\nis here'] } } })],
  },
  {
    kind: 'call',
    key: '5',
    call: call({ result: { success: false, error: { code: 'FILE_NOT_FOUND', message: 'no hay' } } }),
  },
];

test('finds what a person reads in messages, reasoning, commands and results', () => {
  expect(findRows(rows, 'needle', false)).toEqual([0, 1, 3, 4]);
  expect(findRows(rows, 'Needle', true)).toEqual([0]);
});

test('finds words as they are read: quotes, lines and errors', () => {
  expect([
    findRows(rows, 'grep "needle"', false),
    findRows(rows, 'needle\nis', false),
    findRows(rows, 'no hay', true),
  ]).toEqual([[3], [4], [5]]);
});

test('nothing sought, nothing found', () => expect(findRows(rows, '', false)).toEqual([]));
