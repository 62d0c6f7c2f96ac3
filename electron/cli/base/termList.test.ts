import { expect, test } from 'vitest';
import { termList, wrapWords } from './termList.ts';

test('what a term means stands beside it, and goes on below its beginning', () => {
  expect(
    termList(
      [
        ['a', 'one two three'],
        ['long', 'four'],
      ],
      22,
    ),
  ).toBe('  a     one two three\n  long  four\n');
  expect(termList([['a', 'one two three four five']], 25)).toBe('  a  one two three four\n     five\n');
});

test('a term that is too long for its column has a line of its own', () => {
  const long = 'list|show ID|export ID|delete ID';
  expect(
    termList(
      [
        ['a', 'one'],
        [long, 'two'],
      ],
      80,
    ),
  ).toBe(`  a  one\n  ${long}\n     two\n`);
});

test('a word that is wider than the line is left whole', () => {
  expect(wrapWords('a word-of-many-letters b', 6)).toEqual(['a', 'word-of-many-letters', 'b']);
});
