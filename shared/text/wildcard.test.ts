import { expect, test } from 'vitest';
import { fitsWildcard } from './wildcard.ts';

test.each([
  ['', '', true],
  ['*', '', true],
  ['a.b', 'a.b', true],
  ['a.b', 'axb', false],
  ['[x]', 'x', false],
  ['[x]', '[x]', true],
  ['a*c', 'abbc', true],
  ['a*c', 'abb', false],
  ['?', '中', true],
  ['?', '😀', true],
  ['?', '', false],
  ['*.ts', 'a/b.ts', true],
  ['a', 'A', false],
])('%j over %j is %s', (pattern, text, expected) => expect(fitsWildcard(pattern, text)).toBe(expected));

test('J5: a pattern of many stars is answered', () =>
  expect(fitsWildcard(`${'*a'.repeat(500)}b`, 'a'.repeat(5_000))).toBe(false));
