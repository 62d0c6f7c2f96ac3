import { expect, test } from 'vitest';
import { cutLine, painted, span, tornLines, widthOf, wrapped } from './spans.ts';

const texts = (lines: ReturnType<typeof wrapped>) => lines.map((line) => painted(line, false));

test('a line is broken at blanks, and goes on behind its indentation', () => {
  expect(texts(wrapped([span('one two three four')], 10, [span('• ')], [span('  ')]))).toEqual([
    '• one two',
    '  three',
    '  four',
  ]);
});

test('a word that is wider than the line is torn, wide letters never in their middle', () => {
  expect(texts(wrapped([span('aaaaaaaa bb')], 5))).toEqual(['aaaaa', 'aaa', 'bb']);
  expect(texts(wrapped([span('語語語語')], 5))).toEqual(['語語', '語語']);
  expect(texts(wrapped([span('語')], 1))).toEqual(['語']);
});

test('what touches a word stays with it in another colour', () => {
  expect(texts(wrapped([span('see '), span('file.ts', 'cyan'), span('.')], 10))).toEqual(['see', 'file.ts.']);
});

test('an empty line stays one, and blanks at its beginning count', () => {
  expect(texts(wrapped([], 10))).toEqual(['']);
  expect(texts(tornLines([span('    deep code here')], 10))).toEqual(['    deep c', 'ode here']);
});

test('a line is cut to its width', () => {
  expect(painted(cutLine([span('one two'), span(' three', 'red')], 9), false)).toBe('one two …');
  expect(painted(cutLine([span('語語語')], 4), false)).toBe('語…');
  expect(painted(cutLine([span('short')], 9), false)).toBe('short');
});

test('colours are written only where they are seen', () => {
  const line = [span('a', 'bold', 'red'), span('b')];
  expect([painted(line, true), painted(line, false)]).toEqual(['\u001B[1;31ma\u001B[0mb', 'ab']);
});

test('letters take the columns that terminals give them', () => {
  expect(['a', '語', 'é', '👩‍👩‍👧', '\u200b'].map(widthOf)).toEqual([1, 2, 1, 2, 0]);
});
