import { expect, test } from 'vitest';
import { readArguments } from './runStages.ts';

const all = ['types', 'lint', 'format', 'build', 'unit', 'e2e', 'bench'];

test.each([
  [[], { chosen: all, filters: [] }],
  [['--only', 'unit'], { chosen: ['unit'], filters: [] }],
  [['--only', 'e2e,build', 'review'], { chosen: ['build', 'e2e'], filters: ['review'] }],
  [['layers'], { chosen: all, filters: ['layers'] }],
  [['--only', 'units'], undefined],
  [['--only'], undefined],
  [['--olny', 'unit'], undefined],
])('%j chooses its stages in their order', (words, expected) => {
  const read = readArguments(words);
  expect(read && { chosen: read.chosen.map(({ name }) => name), filters: read.filters }).toEqual(expected);
});
