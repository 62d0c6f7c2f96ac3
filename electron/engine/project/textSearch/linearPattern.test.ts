import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { linearPattern } from './linearPattern.ts';

const lines = [
  'foo bar',
  'FOO',
  'a1_b',
  'ä ö',
  '١٢٣',
  'tab\there',
  'a.b',
  'a+b',
  '{x}',
  'a{2}',
  '[x]',
  'x-y',
  'ſ K',
  '🙂 smile',
  'nbsp\u00a0end',
  'é',
  '"quoted"',
  'a\\b',
  '/path/to',
  '#hash &amp ~til',
  'aaa',
  '',
  ' ',
  'word-word',
  'x^y$',
  '\ufeffbom',
  'a\u2028b',
  '中文 字',
]; // prettier-ignore

/** Ripgrep's answer for the rewritten pattern must be JavaScript's for the original. */
test.each([
  'foo',
  '^foo',
  'bar$',
  '\\d',
  '\\D+',
  '\\w+',
  '\\W',
  '\\s',
  '\\S+$',
  '\\bb',
  '\\Bo',
  '.',
  '^.$',
  '^..$',
  'a.b',
  'a\\.b',
  '[a-c]+',
  '[^a-z]',
  '[\\d_]',
  '[^\\d\\s]',
  '[\\w-]+',
  '[x\\-y]',
  '[]x]?x',
  'a{2}',
  'a{1,}',
  'a{2,3}?',
  'a|b',
  '(a)(?:b)?',
  '(?<n>a)1',
  '\\t',
  '\\x41|\\x61',
  '\\u00e9',
  '\\u{1F642}',
  '\\ud83d\\ude42',
  '[🙂]',
  '\\/path',
  '\\{x\\}',
  '{x}',
  'a\\+b',
  '[.+*?()|{}^$#&~]',
  '[[]',
  '\\\\',
  '\\p{L}+',
  '\\p{Lu}',
  '[^\\p{L}]',
  '\\P{L}',
  '\\p{Script=Han}',
  '"',
  '[\\b]',
  '[a&&b]',
  '[+--]',
  '#h',
  'ſ',
  'k',
  '[^]',
  '\\#',
  '\\-',
  '^$',
  '^\\s*$',
  'x\\^',
  '[\\^]',
  '[\\]]',
  '\\f|\\v',
  'a*?b',
  '(?:)',
  '^(?:a|aa)+$',
])('%s means the same in both engines', (pattern) => {
  const unicode = accepts(pattern, 'u');
  const rewritten = linearPattern(pattern, unicode);
  if (rewritten === undefined) return;
  const root = testFolder();
  const file = path.join(root, 'lines.txt');
  writeFileSync(file, `${lines.join('\n')}\n`);
  for (const flags of unicode ? ['u', 'iu'] : ['', 'i']) {
    const { stdout, stderr } = spawnSync(
      rgPath,
      ['--no-config', '--crlf', '-n', '-o', flags.includes('i') ? '-i' : '-s', '-e', rewritten, '--', file],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    const expected = lines.flatMap((line, index) =>
      [...line.matchAll(new RegExp(pattern, `g${flags}`))]
        .filter(([text]) => text !== '')
        .map(([text]) => `${index + 1}:${text}`),
    );
    expect(stdout.split(/\r?\n/).filter((line) => !/^\d*:?$/.test(line))).toEqual(expected);
  }
});

function accepts(pattern: string, flags: string): boolean {
  try {
    void new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

test.each([
  '(?=a)',
  '(?!a)',
  '(?<=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '\\n',
  '[\\n]',
  '\\cA',
  '\\0',
  '[]',
  '\\ud83d',
  '(?i:a)',
  '[\\0-\\x20]',
  'a\nb',
])('%s is left to JavaScript', (pattern) => expect(linearPattern(pattern, accepts(pattern, 'u'))).toBe(undefined));
