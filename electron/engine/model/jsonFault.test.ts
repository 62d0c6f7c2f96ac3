import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonFault } from './jsonFault.ts';

describe('findJsonFault', () => {
  test.each([
    ['{"a": }', 1, 7, 'unexpected }'],
    ['{\n  "a": 1,\n}', 3, 1, 'unexpected }'],
    ['[1 2]', 1, 4, 'unexpected 2'],
    ['{"a" 1}', 1, 6, 'unexpected 1'],
    ['{a: 1}', 1, 2, 'unexpected "a"'],
    ['["x', 1, 2, 'this text does not end or holds a raw control character'],
    ['[1, 2', 1, 6, 'the text ends too early'],
    ['', 1, 1, 'the text ends too early'],
    ['{} {}', 1, 4, 'unexpected {'],
    ['[01]', 1, 2, 'unexpected "0"'],
    ['[True]', 1, 2, 'unexpected "T"'],
    ['{"a": 1]', 1, 8, 'unexpected ]'],
  ])('%s', (text, line, column, why) => {
    expect(findJsonFault(text)).toEqual({ line, column, why });
  });

  test('finds nothing in JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => findJsonFault(text) === undefined));
  });

  test('finds something in everything that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '{', '}', ',', '"', ':', 'x', '\n'), (json, at, put) => {
        const text = json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1);
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        return (findJsonFault(text) === undefined) === valid;
      }),
      { numRuns: 2_000 },
    );
  });
});
