import { expect, test } from 'vitest';
import { isGranted } from './permissions.ts';

const own = 'vise-app://app';

test('S1: our own page may notify and write what the person copies, and nothing else', () => {
  expect(
    ['notifications', 'clipboard-sanitized-write', 'clipboard-read', 'media', 'geolocation', 'openExternal'].map(
      (permission) => isGranted(permission, `${own}/index.html`, own),
    ),
  ).toEqual([true, true, false, false, false, false]);
});

test('S1: another page may nothing, however its address begins', () => {
  expect(
    ['https://example.com/', `${own}.example.com/`, '', 'null'].map((from) => isGranted('notifications', from, own)),
  ).toEqual([false, false, false, false]);
});
