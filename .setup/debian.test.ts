import { afterEach, expect, test, vi } from 'vitest';
import { canInstallDebian, mayInstall } from './debian.mjs';

afterEach(() => vi.unstubAllEnvs());

test('VISE_NO_INSTALL forbids system packages and browsers', () => {
  vi.stubEnv('VISE_NO_INSTALL', '');
  expect(mayInstall()).toBe(true);
  vi.stubEnv('VISE_NO_INSTALL', '1');
  expect({ may: mayInstall(), debian: canInstallDebian() }).toEqual({ may: false, debian: false });
});
