import { describe, expect, test } from 'vitest';
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

describe('a host has one spelling', () => {
  test.each([
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'A.EXAMPLE.COM.', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', '.example.com', false],
    ['*.example.com', 'badexample.com', false],
    ['*.example.com', 'a.example.com.example.org', false],
    ['*', 'anything', true],
    ['example.com.', 'example.com', true],
    ['b\u00fccher.example', 'xn--bcher-kva.example', true],
    ['xn--bcher-kva.example', 'B\u00dcCHER.example', true],
    ['*.b\u00fccher.example', 'a.xn--bcher-kva.example', true],
    ['example.com', 'ex\u0430mple.com', false],
    ['example.com', 'example\u3002com', true],
    ['example.com', 'example%2ecom', true],
    ['::1', '[::1]', true],
    ['[::1]', '[0:0:0:0:0:0:0:1]', true],
    ['example.com', 'example.com/x', false],
    ['a b', 'a b', true],
  ])('%s and %s: %s', (pattern, host, expected) => {
    expect(hostMatches(pattern, host)).toBe(expected);
  });
});
