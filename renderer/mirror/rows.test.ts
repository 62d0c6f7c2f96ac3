import { expect, test } from 'vitest';
import type { Call } from '../../shared/model/call.ts';
import type { Effect } from '../../shared/model/intent.ts';
import type { Item } from '../../shared/model/sessionState.ts';
import { append, emptyTimeline, type Timeline } from '../../shared/model/timeline.ts';
import { rowsOf } from './rows.ts';

const call = (id: string, effects: readonly Effect[] = ['reads'], more: Partial<Call> = {}): Item => ({
  kind: 'call',
  call: {
    id,
    turn: 't',
    tool: 'x',
    input: {},
    level: 'none',
    state: 'finished',
    proposedAt: '',
    intent: { risk: 'none', effects, targets: [], summary: '', preview: { kind: 'none' } },
    result: { success: true, data: {} },
    ...more,
  },
});
const said = (text: string): Item => ({ kind: 'assistant', turn: 't', at: '', text, calls: [] });
const timeline = (...items: readonly Item[]): Timeline<Item> =>
  items.reduce<Timeline<Item>>((list, item) => append(list, item), emptyTimeline);
const shape = (...items: readonly Item[]): readonly string[] =>
  rowsOf(timeline(...items)).map((row) =>
    'calls' in row
      ? `${row.kind} ${row.calls.map(({ id }) => id).join(' ')}`
      : row.kind === 'call'
        ? row.call.id
        : row.item.kind,
  );

test('neighbouring calls that only looked are one row', () => {
  expect(shape(call('a'), call('b'), call('c'))).toEqual(['looked a b c']);
});

test('a single look stays a call', () => expect(shape(call('a'))).toEqual(['a']));

test('what writes, runs, failed or was asked is never folded away', () => {
  expect(
    shape(
      call('a'),
      call('w', ['reads', 'writes']),
      call('b'),
      call('f', ['reads'], { result: { success: false, error: { code: 'FILE_NOT_FOUND', message: '' } } }),
      call('q', ['reads'], {
        approval: { askedAt: '', reasons: [], severe: false, rememberable: true, suggestions: [] },
      }),
      call('r', ['reads'], { state: 'running' }),
      call('n', []),
    ),
  ).toEqual(['a', 'w', 'b', 'f', 'q', 'r', 'n']);
});

test('a reply of calls alone has no row, and does not part its calls from those before', () => {
  expect(shape(call('a'), said(' '), call('b'), said('words'), call('c'))).toEqual(['looked a b', 'assistant', 'c']);
});

test('neighbouring edits that wait are one row until they are answered; one that cannot be taken back stays alone', () => {
  const intent = {
    risk: 'dangerous',
    effects: ['writes'],
    targets: [],
    summary: '',
    preview: { kind: 'changes', changes: [] },
  } as const;
  const approval = { askedAt: '', reasons: [], severe: false, rememberable: true, suggestions: [] } as const;
  const edit = (id: string, more: Partial<Call> = {}): Item =>
    call(id, ['writes'], { state: 'waiting', intent, approval, result: undefined, ...more });
  expect(
    shape(edit('a'), said(''), edit('b'), edit('c', { approval: { ...approval, severe: true } }), edit('d'), call('r')),
  ).toEqual(['waiting a b', 'c', 'd', 'r']);
  expect(shape(edit('a', { state: 'running' }), edit('b', { state: 'running' }))).toEqual(['a', 'b']);
});

test('neighbouring edits that were written together are one row; one that failed among them stands alone', () => {
  const edit = (id: string, changeSet: string, more: Partial<Call> = {}): Item =>
    call(id, ['writes'], { changeSet, ...more });
  const error = { success: false, error: { code: 'STALE', message: '' } } as const;
  expect(
    shape(edit('a', 'g1'), edit('b', 'g1'), edit('c', 'g2'), edit('d', 'g3'), edit('e', 'g3', { result: error })),
  ).toEqual(['written a b', 'c', 'd', 'e']);
});

test('a row knows its place in the timeline', () => {
  const rows = rowsOf(timeline(...Array.from({ length: 130 }, (_, n) => said(`${n}`))));
  expect(rows.at(-1)).toMatchObject({ at: 129, item: { text: '129' } });
});

test('chunks that did not change keep their rows', () => {
  const many = timeline(...Array.from({ length: 130 }, (_, n) => said(`${n}`)));
  const before = rowsOf(many);
  const after = rowsOf(append(many, said('more')));
  expect(after.slice(0, 128).every((row, index) => row === before[index])).toBe(true);
});
