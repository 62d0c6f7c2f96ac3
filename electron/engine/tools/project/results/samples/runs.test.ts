import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarizeTests } from '../summarizeTests.ts';

const folder = join(import.meta.dirname, 'runs');
const names = readdirSync(folder).map((name) => name.replace(/\.txt$/, ''));
const sample = (name: string) => readFileSync(join(folder, `${name}.txt`), 'utf8');

/** One line a sample: `format total passed failed skipped`, then `name @ file:line`. */
function told(text: string): readonly string[] {
  const summary = summarizeTests(text, '');
  if (!summary) return ['nothing'];
  const { format, total, passed, failed, skipped, failures, durationMs, incomplete } = summary;
  const counts = `${format}: ${total} = ${passed} passed + ${failed} failed + ${skipped} skipped`;
  return [
    `${counts}${durationMs === undefined ? '' : `, ${durationMs} ms`}${incomplete ? ', incomplete' : ''}`,
    ...failures.map(({ name, file, line, message }) => {
      const first = message?.split('\n').find((one) => one.trim() !== '');
      return `${name} @ ${file ?? ''}:${line ?? ''} ${first?.trim() ?? ''}`.trim();
    }),
  ];
}

describe('what runners print', () => {
  const expected = JSON.parse(readFileSync(join(import.meta.dirname, 'runs.json'), 'utf8')) as Readonly<
    Record<string, readonly string[]>
  >;

  test('every sample is expected', () => expect(Object.keys(expected).toSorted()).toEqual(names.toSorted()));

  test.each(names)('%s', (name) => expect(told(sample(name))).toEqual(expected[name]));

  test.each(names)('%s with the line ends of Windows, and on the error stream', (name) => {
    const text = sample(name);
    expect(told(text.replaceAll('\n', '\r\n'))).toEqual(expected[name]);
    expect(summarizeTests('', text)).toEqual(summarizeTests(text, ''));
  });

  test.each(names)('%s without its colours says the same', (name) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
    expect(told(sample(name).replace(/\x1b\[[\d;]*m/g, ''))).toEqual(expected[name]);
  });

  test.each(names)('%s that is cut never claims more than the whole', (name) => {
    const text = sample(name);
    const whole = summarizeTests(text, '')?.passed ?? 0;
    for (let part = 1; part < 20; part += 1) {
      const at = text.indexOf('\n', Math.floor((text.length * part) / 20)) + 1;
      expect(summarizeTests(text.slice(0, at), '')?.passed ?? 0).toBeLessThanOrEqual(whole);
      expect(summarizeTests(text.slice(at), '')?.passed ?? 0).toBeLessThanOrEqual(whole);
    }
  });
});
