import { expect, test } from 'vitest';
import { changeOf } from '../../testing/sceneParts.ts';
import { decide, decisionOn, takeBackVerdict, useDecisions } from './decisions.ts';
import { folderRows } from './folderRows.ts';
import { hunkReasons } from './hunkReasons.ts';
import { commented, isReviewed, toggled, undecided } from './verdict.ts';
import { wordDiff } from './wordDiff.ts';

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['a test that is skipped', [], ["test.skip('x', run);"], ['skipsTests']],
  ['a check that is silenced', ['a();'], ['// @ts-ignore', 'a();'], ['silencesChecks']],
  ['a program that is run', [], ["import { spawn } from 'node:child_process';"], ['runsPrograms']],
  ['an expression that is tried', [], ['pattern.exec(text)'], []],
  ['an address on the net', [], ["fetch('https://evil.test/x')"], ['reachesOut']],
  ['an address on this machine', [], ["fetch('http://127.0.0.1:80')"], []],
  ['a secret', [], ['const apiKey = read();'], ['touchesSecrets']],
  ['what stood there before', ["fetch('https://a.test')"], ["await fetch('https://a.test')"], []],
  ['many lines that go', Array.from({ length: 20 }, () => 'x'), [], ['takesMuch']],
  ['plain code', ['a'], ['b'], []],
])('a second look is asked for by %s', (_, goes, comes, expected) => {
  expect(hunkReasons(goes, comes)).toEqual(expected);
});

test('words that differ are told, and nothing of lines that are other ones', () => {
  expect(wordDiff('const a = 1;', 'const bc = 1;')).toEqual({ old: [{ from: 6, to: 7 }], now: [{ from: 6, to: 8 }] });
  expect(wordDiff('return nothing;', 'import x from "y"')).toEqual({ old: [], now: [] });
});

test('folders are rows above their files, one that holds only another is one with it', () => {
  const files = ['src/a/b/one.ts', 'README.md', 'src/a/two.ts'].map((path) => ({
    key: path,
    change: changeOf(path, '', 'x\n'),
  }));
  const rows = folderRows(files).map(
    (row) => `${'  '.repeat(row.depth)}${row.kind === 'file' ? row.file.key : `${row.name}/`}`,
  );
  expect(rows).toEqual(['README.md', 'src/a/', '  src/a/two.ts', '  b/', '    src/a/b/one.ts']);
});

test('the last verdict is taken back, and a comment is none', () => {
  useDecisions.setState({ byFile: {} });
  decide('k', (before) => toggled(before, 0, false));
  decide('k', (before) => toggled(before, 1, false));
  decide('k', (before) => commented(before, 0, 'why'));
  expect(takeBackVerdict()).toBe('k');
  expect(decisionOn(useDecisions.getState().byFile, 'k')).toMatchObject({ rejected: [0], comments: { 0: 'why' } });
});

test('a file counts as reviewed when it was marked so, or each of its hunks was judged', () => {
  const change = changeOf('f', 'a\nb\nc\n', 'A\nb\nC\n');
  const one = toggled(undecided, 0, true);
  expect([
    isReviewed(change, undecided),
    isReviewed(change, one),
    isReviewed(change, toggled(one, 1, false)),
    isReviewed(change, { ...undecided, isRead: true }),
  ]).toEqual([false, false, true, true]);
});
