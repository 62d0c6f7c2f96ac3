import { expect, test } from 'vitest';
import { hostMatches } from './hostMatches.ts';

test.each([
  ['example.org', 'example.org', true],
  ['example.org', 'EXAMPLE.org.', true],
  ['example.org', 'a.example.org', false],
  ['*.example.org', 'a.b.example.org', true],
  ['*.example.org', 'example.org', false],
  ['*.example.org', 'evilexample.org', false],
  ['*', 'x.y', true],
])('host %s and %s: %s', (pattern, host, expected) => {
  expect(hostMatches(pattern, host)).toBe(expected);
});
