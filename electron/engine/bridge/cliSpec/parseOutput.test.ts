import { describe, expect, test } from 'vitest';
import { matchGuarded } from './guardedRegex.ts';
import { parseOutput } from './parseOutput.ts';

describe('parseOutput', () => {
  test('csv follows RFC 4180 quotes', () => {
    const text = 'name,"a b",note\r\n"x, y","say ""hi""","two\nlines"\r\n\r\nplain, p ,a "b" c\r\n';
    expect(parseOutput(text, { format: 'csv' }).structured?.value).toEqual([
      { name: 'x, y', 'a b': 'say "hi"', note: 'two\nlines' },
      { name: 'plain', 'a b': 'p', note: 'a "b" c' },
    ]);
  });

  test.each([
    ['a quote that never ends', 'a,b\n"x,1\n2', [{ a: 'x,1\n2', b: '' }]],
    [
      'missing and extra cells',
      'a,b\n1\n1,2,3\n1,',
      [
        { a: '1', b: '' },
        { a: '1', b: '2' },
        { a: '1', b: '' },
      ],
    ],
    ['only blank lines', '\n\n', []],
  ])('csv with %s', (_, text, value) => {
    expect(parseOutput(text, { format: 'csv' }).structured?.value).toEqual(value);
  });

  test('tsv keeps quotes as they are', () => {
    expect(parseOutput('a\tb\n"x"\ty\r\n', { format: 'tsv' }).structured?.value).toEqual([{ a: '"x"', b: 'y' }]);
  });

  test('jsonPath walks own keys and indices only', () => {
    const output = (jsonPath: string) => parseOutput('{"a":[{"b":1}]}', { format: 'json', jsonPath }).text;
    expect([output('a.0.b'), output('a.length'), output('constructor'), output('')]).toEqual([
      '1',
      'null',
      'null',
      '{\n  "a": [\n    {\n      "b": 1\n    }\n  ]\n}',
    ]);
  });

  test('J5: JSON that is nested too deeply is given raw', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(parseOutput(deep, { format: 'json' })).toEqual({ text: `[parse error: invalid JSON]\n${deep}` });
  });

  test('long output is cut with its length', () => {
    const { text } = parseOutput('x'.repeat(200_001), { format: 'text' });
    expect(text.slice(200_000)).toBe('\n[output cut here: 200001 characters in all]');
  });

  test('J5: a success pattern that backtracks without end counts as not matching', () => {
    const { text } = parseOutput(`${'a'.repeat(60)}!`, { format: 'text', successPattern: '^(a+)+$' });
    expect(text.split('\n')[0]).toBe('[error: output did not match success pattern]');
  });
});

describe('matchGuarded', () => {
  test('gives the groups of the first match', () => {
    expect(matchGuarded('(\\d+)\\.(\\d+)|(x)', 'v 1.2')).toEqual(['1.2', '1', '2', undefined]);
  });

  test.each(['(', '^(\\d+|\\d+)+$'])('%s gives nothing', (pattern) => {
    expect(matchGuarded(pattern, `${'1'.repeat(60)}!`)).toBeUndefined();
  });
});
