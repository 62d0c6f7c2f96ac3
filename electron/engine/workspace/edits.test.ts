import { expect, test } from 'vitest';
import { deleteRange, insertAt, replaceExact, replaceRange } from './edits.ts';

const value = (result: { ok: boolean; value?: unknown; error?: { code: string; details?: unknown } }) =>
  result.ok ? result.value : { code: result.error?.code, details: result.error?.details };

test('one exact passage is replaced, and dollar signs stay dollar signs', () => {
  expect(value(replaceExact('a\nb\nc\n', 'b', '$& $1 $$', false))).toEqual({
    text: 'a\n$& $1 $$\nc\n',
    replacements: 1,
    firstLine: 2,
  });
  expect(value(replaceExact('aaa', 'aa', 'b', true))).toEqual({ text: 'ba', replacements: 1, firstLine: 1 });
  expect(value(replaceExact('x\ny\nx\n', 'x', '', true))).toEqual({ text: '\ny\n\n', replacements: 2, firstLine: 1 });
});

test('what cannot be replaced says why and where it might have been', () => {
  expect(value(replaceExact('a', '', 'b', false))).toEqual({ code: 'VALIDATION_ERROR', details: undefined });
  expect(value(replaceExact('a', 'a', 'a', false))).toEqual({ code: 'VALIDATION_ERROR', details: undefined });
  expect(value(replaceExact('x\nx\ny\nx', 'x', 'z', false))).toEqual({
    code: 'MULTIPLE_MATCHES',
    details: { count: 3, lines: [1, 2, 4] },
  });
  expect(value(replaceExact('one\n  const total = sum(a);\nend\n', 'const total = sum(b);', 'x', false))).toEqual({
    code: 'STRING_NOT_FOUND',
    details: { nearest: [{ line: 2, text: '  const total = sum(a);\n', similarity: expect.closeTo(0.9, 1) }] },
  });
  expect(value(replaceExact('abc', 'zzz', 'x', false))).toEqual({ code: 'STRING_NOT_FOUND', details: { nearest: [] } });
});

test('line ends of the file win over those of the call', () => {
  expect(value(replaceExact('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', false))).toEqual({
    text: 'x\r\ny\r\nz\r\nc\r\n',
    replacements: 1,
    firstLine: 1,
  });
  expect(value(replaceExact('a\r\nb\r\n', 'b', 'x\ny', false))).toMatchObject({ text: 'a\r\nx\r\ny\r\n' });
  expect(value(replaceExact('a\nb\n', 'a\r\nb', 'x\r\ny', false))).toMatchObject({ text: 'x\ny\n' });
  expect(value(replaceExact('a\rb\r', 'a\nb', 'x\ny', false))).toMatchObject({ text: 'x\ry\r' });
  expect(value(replaceExact('a\r\nb\nc', 'b\nc', 'x\ny', false))).toMatchObject({ text: 'a\r\nx\ny' });
  // In a mixed file too, a passage is found whatever its line ends are, and what replaces it has them.
  expect(value(replaceExact('a\nb\r\nc\r\nd\n', 'b\nc\n', 'x\ny\n', false))).toMatchObject({
    text: 'a\nx\r\ny\r\nd\n',
  });
  expect(value(replaceExact('a\r\nb\r\nc\nd\n', 'c\r\nd', 'x\r\ny', false))).toMatchObject({
    text: 'a\r\nb\r\nx\ny\n',
  });
  expect(value(replaceExact('a\r\nb', 'a\r\nb', 'a\nb', false))).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(value(replaceExact('ab', 'b', 'x\r\ny', false))).toMatchObject({ text: 'ax\r\ny' });
});

test('ranges are 1-based and keep line ends and the last newline', () => {
  expect(value(replaceRange('a\nb\nc\n', 2, 2, 'x\ny\n'))).toEqual({
    text: 'a\nx\ny\nc\n',
    lineCount: 4,
    removed: 1,
    inserted: 2,
  });
  expect(value(replaceRange('a\r\nb', 2, 2, 'x'))).toEqual({ text: 'a\r\nx', lineCount: 2, removed: 1, inserted: 1 });
  expect(value(replaceRange('a\nb\n', 1, 2, ''))).toEqual({ text: '\n', lineCount: 1, removed: 2, inserted: 1 });
  expect(value(insertAt('a\nb', 3, 'c'))).toEqual({ text: 'a\nb\nc', lineCount: 3, removed: 0, inserted: 1 });
  expect(value(insertAt('a\nb\n', 1, 'x'))).toEqual({ text: 'x\na\nb\n', lineCount: 3, removed: 0, inserted: 1 });
  expect(value(insertAt('', 1, 'x'))).toEqual({ text: 'x\n', lineCount: 1, removed: 0, inserted: 1 });
  expect(value(deleteRange('a\nb\nc\n', 2, 3))).toEqual({ text: 'a\n', lineCount: 1, removed: 2, inserted: 0 });
  expect(value(deleteRange('a\nb', 2, 2))).toEqual({ text: 'a', lineCount: 1, removed: 1, inserted: 0 });
  expect(value(deleteRange('a\n', 1, 1))).toEqual({ text: '', lineCount: 0, removed: 1, inserted: 0 });
});

test('lines that are not there are refused with the number of lines', () => {
  for (const [start, end] of [
    [0, 1],
    [2, 1],
    [1, 3],
    [1.5, 2],
  ] as const)
    expect(value(replaceRange('a\nb\n', start, end, 'x'))).toEqual({
      code: 'INVALID_LINE_RANGE',
      details: { lineCount: 2 },
    });
  expect(value(deleteRange('', 1, 1))).toEqual({ code: 'INVALID_LINE_RANGE', details: { lineCount: 0 } });
  for (const line of [0, 4, Number.NaN])
    expect(value(insertAt('a\nb\n', line, 'x'))).toEqual({ code: 'INVALID_LINE_NUMBER', details: { lineCount: 2 } });
});
