import { expect, test } from 'vitest';
import type { AppliedChangeSet, AppliedFile } from './change.ts';
import { sinceStart } from './sinceStart.ts';

const file = (path: string, before: string | null, after: string | null, more: Partial<AppliedFile> = {}) =>
  ({ path, status: 'modified', before, after, additions: 1, deletions: 1, verdict: 'applied', ...more }) as const;
const set = (files: readonly AppliedFile[], state: AppliedChangeSet['state'] = 'applied'): AppliedChangeSet => ({
  id: 's',
  call: 'c',
  turn: 't',
  at: '',
  files,
  state,
});
const told = (...sets: readonly AppliedChangeSet[]) =>
  sinceStart(sets).map(({ path, oldPath, status, before, after }) => ({ path, oldPath, status, before, after }));

test('several change sets of a file are one change, from its first content to its last', () => {
  expect(
    told(set([file('a', '1', '2'), file('b', null, 'x', { status: 'added' })]), set([file('a', '2', '3')])),
  ).toEqual([
    { path: 'b', oldPath: undefined, status: 'added', before: null, after: 'x' },
    { path: 'a', oldPath: undefined, status: 'modified', before: '1', after: '3' },
  ]);
});

test('what was undone, rejected or came back is left out', () => {
  expect(
    told(
      set([file('a', '1', '2')], 'undone'),
      set([file('b', '1', '2', { verdict: 'rejected' })]),
      set([file('c', null, '2', { status: 'added' })]),
      set([file('c', '2', null, { status: 'deleted' })]),
    ),
  ).toEqual([]);
});

test('a file that was changed and then renamed is shown from its old name', () => {
  expect(told(set([file('a', '1', '2')]), set([file('b', '2', '2', { status: 'renamed', oldPath: 'a' })]))).toEqual([
    { path: 'b', oldPath: 'a', status: 'renamed', before: '1', after: '2' },
  ]);
});
