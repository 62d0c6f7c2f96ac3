import { expect, test } from 'vitest';
import { testsBeside } from './changedTests.ts';

const room = Array.from({ length: 20 }, (_, at) => `file${at}.test.ts`);

test.each([
  ['a/b.test.ts', [], ['a/b.test.ts']],
  ['a/b.ts', ['b.test.ts', 'c.test.ts'], ['a/b.test.ts', 'a/c.test.ts']],
  ['a/file7.ts', room, ['a/file7.test.ts']],
  ['a/file.ts', room, []],
  ['a/View.tsx', [], []],
])('what belongs to a change of %s', (file, inFolder, expected) => {
  expect(testsBeside(file, () => inFolder)).toEqual(expected);
});
