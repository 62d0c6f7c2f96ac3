import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines } from '../../../shared/text/lines.ts';
import { composeHunks, mergeEdited } from './diff.ts';
import { hunksBetween } from './testing/hunksBetween.ts';

const texts = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\n', '\n', 'e'), { maxLength: 30 })
  .map((lines) => lines.join(''));

test('hunks name the lines that differ', () => {
  expect(hunksBetween('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([
    { index: 0, oldStart: 2, oldLines: 1, newStart: 2, newLines: 1 },
    { index: 1, oldStart: 3, oldLines: 0, newStart: 4, newLines: 1 },
  ]);
  expect(hunksBetween('', 'a\n')).toEqual([{ index: 0, oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }]);
  expect(hunksBetween('a\n', '')).toEqual([{ index: 0, oldStart: 1, oldLines: 1, newStart: 0, newLines: 0 }]);
  expect(hunksBetween('a\n', 'a\r\n')).toHaveLength(1);
  expect(hunksBetween('same', 'same')).toEqual([]);
});

test('keeping all hunks gives the proposal, keeping none the original', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const hunks = hunksBetween(before, after);
      expect(
        composeHunks(
          before,
          after,
          hunks.map(({ index }) => index),
        ),
      ).toBe(after);
      expect(composeHunks(before, after, [])).toBe(before);
    }),
    { numRuns: 1000 },
  );
});

test('keeping some hunks gives whole lines of either side', () => {
  fc.assert(
    fc.property(texts, texts, fc.array(fc.nat(8), { maxLength: 4 }), (before, after, keep) => {
      const allowed = new Set([...splitLines(before), ...splitLines(after)]);
      expect(splitLines(composeHunks(before, after, keep)).filter((line) => !allowed.has(line))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('a difference is shortest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }),
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }),
      (a, b) => {
        const size = diffRuns(a, b).reduce((sum, run) => sum + run.aEnd - run.aStart + run.bEnd - run.bStart, 0);
        const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
        const cell = (i: number, j: number) => table[i]?.[j] ?? 0;
        for (let i = 1; i <= a.length; i += 1)
          for (let j = 1; j <= b.length; j += 1)
            (table[i] as number[])[j] =
              a[i - 1] === b[j - 1] ? cell(i - 1, j - 1) + 1 : Math.max(cell(i - 1, j), cell(i, j - 1));
        expect(size).toBe(a.length + b.length - 2 * cell(a.length, b.length));
      },
    ),
    { numRuns: 1000 },
  );
});

test('one hunk of several can be kept', () => {
  expect(composeHunks('a\nb\nc\nd\n', 'A\nb\nc\nD\n', [1])).toBe('a\nb\nc\nD\n');
  expect(composeHunks('a\nm\nb', 'a\nX\nm\nb\nc\n', [0])).toBe('a\nX\nm\nb');
});

test('huge and unrelated inputs are compared in near linear time and memory', { timeout: 240_000 }, () => {
  const a = Array.from({ length: 120_000 }, (_, index) => `line ${index}\n`);
  const b = a.map((line, index) => (index % 3 === 0 ? `other ${index}\n` : line));
  expect(diffRuns(a, b)).toHaveLength(40_000);
  expect(composeHunks('', a.join(''), [0])).toBe(a.join(''));
  const c = Array.from({ length: 120_000 }, (_, index) => `${index % 7}`);
  const d = Array.from({ length: 120_000 }, (_, index) => `${index % 5}x`);
  expect(diffRuns(c, d)).toEqual([{ aStart: 0, aEnd: 120_000, bStart: 0, bEnd: 120_000 }]);
  const e = Array.from({ length: 50_000 }, (_, index) => `${(index * 7919) % 3}`);
  expect(diffRuns(e, e.toReversed()).length).toBeGreaterThan(0);
});

test('what an editor made of the line ends changes only the edited lines', () => {
  const before = { text: 'a\r\nb\nc\rd\r\n', eol: '\r\n' as const };
  expect(mergeEdited(before, 'a\nb\nc\nd\n')).toBe(before.text);
  expect(mergeEdited(before, 'a\r\nb\r\nc\r\nd\r\n')).toBe(before.text);
  expect(mergeEdited(before, 'a\nB\nc\nd\n')).toBe('a\r\nB\r\nc\rd\r\n');
  expect(mergeEdited(before, 'a\nb\nc\nd')).toBe('a\r\nb\nc\rd');
  expect(mergeEdited({ text: 'a\nb', eol: '\n' }, 'a\r\nb\r\nc')).toBe('a\nb\nc');
  expect(mergeEdited({ text: 'a\nb', eol: '\n' }, 'a\nb\n')).toBe('a\nb\n');
  expect(mergeEdited({ text: '', eol: '\n' }, 'x')).toBe('x');
  expect(mergeEdited({ text: 'x', eol: '\n' }, '')).toBe('');
});

test('an editor that normalises line ends and changes nothing is invisible', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom('\n', '\r\n'), (text, eol) => {
      expect(mergeEdited({ text, eol: '\n' }, text.replace(/\r\n|\r|\n/g, eol))).toBe(text);
    }),
  );
});
