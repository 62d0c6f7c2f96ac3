import { expect, test } from 'vitest';
import { compileGlob, expandBraces } from './glob.ts';

test.each<[string, string, boolean]>([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'x/y/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['src/**', 'src/a/b', true],
  ['src/**', 'src', false],
  ['**/a.ts', 'a.ts', true],
  ['**/a.ts', 'x/y/a.ts', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'a/x/c', false],
  ['a/**/b/**/c', 'a/b/b/x/c', true],
  ['a?c', 'abc', true],
  ['a?c', 'a😀c', true],
  ['a?c', 'ac', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]]x', ']x', true],
  ['[[:digit:]]x', '7x', true],
  ['[ab', '[ab', true],
  ['\\*x', '*x', true],
  ['\\*x', 'ax', false],
  ['{a,b}.ts', 'b.ts', true],
  ['{a,b{c,d}}.ts', 'bd.ts', true],
  ['{a}.ts', '{a}.ts', true],
  ['{a/x,b}/c', 'a/x/c', true],
  ['*', '.hidden', true],
  ['', 'a', false],
])('%j against %j is %j', (pattern, path, expected) => {
  expect(compileGlob(pattern).matches(path)).toBe(expected);
});

test('letters may be folded', () => {
  expect(compileGlob('*.TS', { ignoreCase: true }).matches('a.ts')).toBe(true);
});

test('J5 patterns made to backtrack or to explode stay cheap', () => {
  const name = 'a'.repeat(5000);
  expect(compileGlob(`${'*a'.repeat(500)}b`).matches(name)).toBe(false);
  expect(compileGlob(`${'**/a/'.repeat(200)}b`).matches(Array(1000).fill('a').join('/'))).toBe(false);
  expect(expandBraces('{a,b}'.repeat(30))).toEqual(['{a,b}'.repeat(30)]);
  expect(compileGlob('{'.repeat(3000)).matches('x')).toBe(false);
});
