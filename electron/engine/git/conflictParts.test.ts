import { expect, test } from 'vitest';
import { conflictParts, resolveParts } from './conflictParts.ts';

const marked = (end: string): string =>
  [
    'a',
    '<<<<<<< HEAD',
    'mine',
    '=======',
    'yours',
    'more',
    '>>>>>>> other',
    'b',
    '<<<<<<< HEAD',
    '||||||| base',
    'was',
    '=======',
    'new',
    '>>>>>>> other',
    '',
  ].join(end);

test.each(['\n', '\r\n'])('each conflict is resolved by its own choice, line ends %j kept', (end) => {
  const text = marked(end);
  expect(conflictParts(text)).toEqual([
    { ours: `mine${end}`, theirs: `yours${end}more${end}`, oursName: 'HEAD', theirsName: 'other' },
    { ours: '', theirs: `new${end}`, oursName: 'HEAD', theirsName: 'other' },
  ]);
  expect(resolveParts(text, ['both', 'ours'])).toBe(['a', 'mine', 'yours', 'more', 'b', ''].join(end));
  expect(resolveParts(text, ['theirs', 'theirs'])).toBe(['a', 'yours', 'more', 'b', 'new', ''].join(end));
  expect(conflictParts(resolveParts(text, ['ours']))).toHaveLength(1);
});

test('a heading that is underlined is no conflict', () => {
  expect(conflictParts('Title\n=======\n\ntext\n')).toEqual([]);
});
