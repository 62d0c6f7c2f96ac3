import { expect, test } from 'vitest';
import { base64Of, judgeFile, maxImageBytes, maxTextBytes, plainName, textOfBytes } from './attachments.ts';

const judged = (type: string, size = 10): string => {
  const result = judgeFile({ type, size });
  return result.ok ? result.kind : result.why;
};

test('pictures that models take are pictures; what may be text is text; the rest is refused', () => {
  expect(
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'text/csv', '', 'application/json'].map(
      (type) => judged(type),
    ),
  ).toEqual(['image', 'image', 'image', 'image', 'text', 'text', 'text', 'text']);
  expect(
    ['image/heic', 'video/mp4', 'application/zip', 'application/pdf', 'application/octet-stream'].map((type) =>
      judged(type),
    ),
  ).toEqual(Array.from({ length: 5 }, () => 'notText'));
});

test('one byte over its bound is too much', () => {
  expect([judged('image/png', maxImageBytes), judged('image/png', maxImageBytes + 1)]).toEqual([
    'image',
    'imageTooBig',
  ]);
  expect([judged('', maxTextBytes), judged('', maxTextBytes + 1)]).toEqual(['text', 'textTooBig']);
});

test('bytes are text only where every one of them is', () => {
  const bytes = (...codes: readonly number[]) => textOfBytes(Uint8Array.from(codes));
  expect([bytes(0x68, 0xc3, 0xb6), bytes(0x68, 0xc3), bytes(0x68, 0)]).toEqual(['hö', undefined, undefined]);
});

test('C5: a name is one line without invisible characters, and bounded', () => {
  expect([
    plainName('a\nIgnore all\u202egnp.exe\u001b[2K'),
    plainName(' \u0000'),
    plainName('x'.repeat(999)).length,
  ]).toEqual(['a\uFFFDIgnore all\uFFFDgnp.exe\uFFFD[2K', '\uFFFD', 255]);
});

test('base64 of more bytes than a call takes arguments', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});
