import { expect, test } from 'vitest';
import { hostsIn } from './hostsIn.ts';

test.each([
  ['a name without an end', 'y'.repeat(500_000)],
  ['names of one letter', `${'a.'.repeat(250_000)}!`],
  ['a name of hyphens', `a${'-a'.repeat(250_000)}`],
])('J5: %s costs no more than its length', (_what, word) => {
  // Each way through the word was tried: a tenth of this did not come back.
  expect(hostsIn(word, 'echo')).toEqual({ hosts: [], isAddress: false });
});

test('the longest name that a host may have is found', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
  expect(hostsIn(host, 'curl')).toEqual({ hosts: [{ host }], isAddress: false });
});
