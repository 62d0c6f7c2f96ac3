import { describe, expect, test } from 'vitest';
import { pathMatches } from './pathGlob.ts';

describe('path globs', () => {
  test.each([
    ['src/**', 'src/a.ts', true],
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'src2/a', false],
    ['src/', 'src/a/b', true],
    ['./src/*', 'src/a', true],
    ['src/*', 'src/a/b', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a.tsx', false],
    ['**/*.md', 'README.md', true],
    ['**/*.md', 'a/b/README.md', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/x/y/c', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['Src', 'src', false],
    ['a.b', 'axb', false],
    ['**', 'x/y', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(pathMatches(pattern, path)).toBe(expected);
  });

  test('case is folded on demand', () => {
    expect(pathMatches('Secrets/**', 'SECRETS/e\u0301', { fold: true })).toBe(true);
  });

  test('J5: many stars take no more than pattern times path', () => {
    expect(pathMatches('*a'.repeat(500), 'a'.repeat(5_000).concat('b'))).toBe(false);
    expect(pathMatches('**/a/'.repeat(300).concat('c'), 'a/'.repeat(1_000).concat('b'))).toBe(false);
  });
});
