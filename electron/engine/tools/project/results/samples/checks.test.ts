import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarizeIssues } from '../summarizeIssues.ts';

const folder = join(import.meta.dirname, 'checks');
const names = readdirSync(folder).map((name) => name.replace(/\.txt$/, ''));
const sample = (name: string) => readFileSync(join(folder, `${name}.txt`), 'utf8');

/** The counts, then a line an issue. */
function told(stdout: string, stderr = ''): readonly string[] {
  const summary = summarizeIssues(stdout, stderr);
  if (!summary) return ['nothing'];
  const { total, errors, warnings, issues } = summary;
  return [
    `${total} = ${errors} errors, ${warnings} warnings`,
    ...issues.map(({ severity, file, line, column, rule, message }) =>
      `${file ?? ''}:${line ?? ''}:${column ?? ''} ${severity} ${rule ?? '-'} ${message.split('\n', 1)[0]}`.trim(),
    ),
  ];
}

describe('what linters and compilers print', () => {
  const expected = JSON.parse(readFileSync(join(import.meta.dirname, 'checks.json'), 'utf8')) as Readonly<
    Record<string, readonly string[]>
  >;

  test('every sample is expected', () => expect(Object.keys(expected).toSorted()).toEqual(names.toSorted()));

  test.each(names)('%s', (name) => expect(told(sample(name))).toEqual(expected[name]));

  test.each(names)('%s with the line ends of Windows, on the error stream, without colours', (name) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
    const bare = sample(name).replace(/\x1b\[[\d;]*m/g, '');
    expect(told('', bare.replaceAll('\n', '\r\n'))).toEqual(expected[name]);
  });
});
