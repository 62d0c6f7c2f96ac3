import { expect, test } from 'vitest';
import { appOrigin, isGranted } from './permissions.ts';

test('S1: our own page may notify and write what the person copies, and nothing else', () => {
  expect(
    ['notifications', 'clipboard-sanitized-write', 'clipboard-read', 'media', 'geolocation', 'openExternal'].map(
      (permission) => isGranted(permission, `${appOrigin}/index.html`),
    ),
  ).toEqual([true, true, false, false, false, false]);
});

test('S1: another page may nothing, however its address begins', () => {
  expect(
    ['https://example.com/', `${appOrigin}.example.com/`, '', 'null'].map((from) => isGranted('notifications', from)),
  ).toEqual([false, false, false, false]);
});
