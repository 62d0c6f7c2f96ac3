import { expect, test } from 'vitest';
import { holdsAll } from './packages.mjs';

const wanted = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0' },
    'node_modules/for-another-platform': { version: '3.0.0', optional: true },
  },
};

test('packages installed by hand count when all that is demanded is there', () => {
  const a = { version: '1.0.0' };
  const b = { version: '2.0.0' };
  expect(holdsAll(wanted, { packages: { 'node_modules/a': a, 'node_modules/b': b } })).toBe(true);
});

test.each([
  ['a missing package', { 'node_modules/a': { version: '1.0.0' } }],
  ['another version', { 'node_modules/a': { version: '1.0.1' }, 'node_modules/b': { version: '2.0.0' } }],
])('%s makes an installation by hand incomplete', (_, packages) => {
  expect(holdsAll(wanted, { packages })).toBe(false);
});
