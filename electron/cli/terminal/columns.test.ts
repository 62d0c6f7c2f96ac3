import { expect, test } from 'vitest';
import { columns } from './columns.ts';
import { widthOf } from './spans.ts';

const heads = ['session', 'title', 'project'];
const rows = [
  ['ses_1', 'Make the failing test of the limiter pass', '~/a/very/long/way/down/to/the/project'],
  ['ses_2', '短い題', '~/p'],
];

test('a table is as wide as its cells where nothing bounds it', () => {
  expect(
    columns(
      ['a', 'b'],
      [
        ['1', 'two'],
        ['three', '4'],
      ],
    ),
  ).toBe('a      b\n1      two\nthree  4\n');
  expect(columns(heads, [])).toBe('');
});

test.each([40, 60, 100])('within %i columns the widest cells are cut, the first never', (width) => {
  const lines = columns(heads, rows, width).trimEnd().split('\n');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
  expect(lines.map((line) => line.slice(0, 5))).toEqual(['sessi', 'ses_1', 'ses_2']);
  expect(lines.join().includes('…')).toBe(width < 100);
});
