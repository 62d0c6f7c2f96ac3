import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeOf } from '../../testing/sceneParts.ts';
import { type DiffRow, diffRows, fileDiff, wordsOfRun } from './diffRows.ts';
import { regionOf, undecided } from './verdict.ts';

const text = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join('');
const none: ReadonlySet<number> = new Set();
const signs = { same: ' ', added: '+', removed: '-', kept: '=' } as const;

/** Rows in short: `@` a run, `…n` a fold, else the sign and the lines. */
function short(row: DiffRow): string {
  if (row.kind === 'run') return '@';
  if (row.kind === 'fold') return `…${row.count}`;
  if (row.kind === 'pair') return `${row.old?.text ?? ''}|${row.now?.text ?? ''}`;
  return `${signs[row.mark]}${(row.now ?? row.old)?.text}`;
}
function rows(before: string, after: string, rejected: readonly number[] = [], isBeside = false, opened = none) {
  const { hunks } = changeOf('f', text(before), text(after));
  return diffRows(fileDiff(text(before), text(after), hunks, { edited: null, rejected }), isBeside, opened).map(short);
}

describe('the rows of a file', () => {
  test('show what goes and comes with three lines around it, and fold the rest', () => {
    expect(rows('abcdefghijklm', 'abcdefgXijklm')).toEqual([
      '…4',
      ' e',
      ' f',
      ' g',
      '@',
      '-h',
      '+X',
      ' i',
      ' j',
      ' k',
      ' l',
      ' m',
    ]); // prettier-ignore
  });
  test('show the lines of a fold that was opened', () => {
    const all = rows('abcdefghijklm', 'abcdefgXijklm', [], false, new Set([0]));
    expect(all.slice(0, 5)).toEqual([' a', ' b', ' c', ' d', ' e']);
  });
  test('put both sides beside each other', () => {
    expect(rows('abc', 'aXYc', [], true)).toEqual([' a', '@', 'b|X', '|Y', ' c']);
  });
  test('draw a rejected hunk as the result will be: old lines stay, new ones do not come', () => {
    expect(rows('abc', 'aXYc', [0])).toEqual([' a', '@', '=b', ' c']);
    expect(rows('ac', 'aXc', [0])).toEqual([' a', '@', ' c']);
    expect(rows('abc', 'ac', [0])).toEqual([' a', '@', '=b', ' c']);
  });
  test('of a text typed by hand are told from the proposal where a hunk lies in them', () => {
    const { hunks } = changeOf('f', text('abc'), text('aXc'));
    const edited = { text: text('aX!cY'), regions: hunks.map(regionOf) };
    const diff = fileDiff(text('abc'), text('aXc'), hunks, { edited, rejected: [] });
    expect(diff.runs.map((run) => run.hunks)).toEqual([[0], []]);
  });
});

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((each) => text(each.join('')));

test('what stays and comes is the result, what stays and goes is the file, for any two texts', () => {
  fc.assert(
    fc.property(letters, letters, (before, after) => {
      const { hunks } = changeOf('f', before, after);
      const drawn = diffRows(fileDiff(before, after, hunks, undecided), false, none);
      const folded = drawn.reduce((sum, row) => sum + (row.kind === 'fold' ? row.count : 0), 0);
      const numbers = (side: 'old' | 'now') =>
        drawn.filter((row) => row.kind === 'line' && row[side] !== undefined).length;
      expect([numbers('old') + folded, numbers('now') + folded]).toEqual([
        before.split('\n').length - 1,
        after.split('\n').length - 1,
      ]);
    }),
  );
});

test('words are compared with the line at the same place of the run', () => {
  const [before, after] = ['let count = 1;\n', 'let total = 1;\n'];
  const { hunks } = changeOf('f', before, after);
  const diff = fileDiff(before, after, hunks, undecided);
  const line = diffRows(diff, false, none).find((row) => row.kind === 'line' && row.mark === 'added');
  expect(line?.kind === 'line' && wordsOfRun(diff, line)).toEqual({
    old: [{ from: 4, to: 9 }],
    now: [{ from: 4, to: 9 }],
  });
});
