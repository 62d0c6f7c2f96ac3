import { expect, test } from 'vitest';
import { clipResult, wholeResult } from './clipResult.ts';

test('a result says itself whether it went well', () => {
  expect(wholeResult({ success: true, data: { a: 1 } })).toBe('{"a":1}');
  expect(wholeResult({ success: true, data: 'text' })).toBe('text');
  expect(wholeResult({ success: true, data: undefined })).toBe('"ok"');
  expect(wholeResult({ success: true, data: [1], warnings: ['w'] })).toBe('{"data":[1],"warnings":["w"]}');
  expect(wholeResult({ success: false, error: { code: 'STALE', message: 'm' } })).toBe(
    '{"success":false,"error":{"code":"STALE","message":"m"}}',
  );
});

test('a long result keeps head and tail, and names the call and the place to read on', () => {
  const clipped = clipResult(
    { success: true, data: 'a'.repeat(750) + 'b'.repeat(1_000) + 'c'.repeat(250) },
    1_000,
    'c1',
  );
  expect(clipped).toBe(
    `${'a'.repeat(750)}\n… (1000 characters left out here; read them with read_result {"call":"c1","offset":750}, or ask for a narrower part) …\n${'c'.repeat(250)}`,
  );
});

test('no character is cut in two', () => {
  const clipped = clipResult({ success: true, data: '😀'.repeat(600) }, 1_001);
  expect(clipped).toBe(clipped.toWellFormed());
});
