import { describe, expect, test } from 'vitest';
import { parseCallArguments } from './callArguments.ts';

describe('arguments of a call', () => {
  test.each([
    ['', {}],
    [' ', {}],
    ['null', {}],
    ['{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
  ])('%s is understood', (text, value) => {
    expect(parseCallArguments(text)).toEqual({ ok: true, value });
  });

  test.each(['{"a":', '[1]', '1', '"x"', '{"a":1}, "b":2}', '"{\\"a\\":"'])('%s is refused', (text) => {
    expect(parseCallArguments(text)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  });
});
