import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** bun's test runner: a line a count (` 2 pass`), then `Ran 3 tests across 1 file`. */
export function parseBunTest(text: string): TestSummary | undefined {
  const started = /^bun test v\d+\.\d+/m.test(text);
  const ended = /^Ran \d+ tests? across \d+ files?/m.test(text);
  if (!started && !ended) return undefined;
  const counted = (word: string) => sumOf(text, new RegExp(`^ *(\\d+) ${word}$`, 'gm'));
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const failures = failuresIn(text);
  const counts = ended
    ? {
        passed: counted('pass'),
        failed: counted('fail') + counted('errors?'),
        skipped: counted('skip') + counted('todo'),
      }
    : { passed: count(/^(?:✓|\(pass\)) /gm), failed: failures.length, skipped: count(/^(?:»|✎|\((?:skip|todo)\)) /gm) };
  return summaryOf('bun', counts, failures, {
    durationMs: sumOfTimes(text, /^Ran .* \[([\d.]+m?s)\]/gm),
    incomplete: !ended && !/^(?:No tests found|error: .*did not match any test files)/m.test(text),
  });
}

/** What went wrong stands before the name of its test; the names are repeated at the end. */
function failuresIn(text: string): readonly TestFailure[] {
  const named = new Map<string, TestFailure>();
  let said = '';
  let file: string | undefined;
  for (const line of text.split('\n')) {
    const header = /^(\S+\.(?:[cm]?[jt]sx?)):$/.exec(line);
    const failed = /^(?:✗|\(fail\)) (.+?)(?: \[[\d.]+m?s\])?$/.exec(line);
    if (header) file = header[1];
    if (failed?.[1] !== undefined) {
      const key = `${file} ${failed[1]}`;
      const known = [...named.keys()].some((one) => one.endsWith(` ${failed[1]}`) && said.trim() === '');
      if (!named.has(key) && !known) named.set(key, failureOf(failed[1], placeOf(said) ?? { file }, messageOf(said)));
    }
    if (header || failed || /^(?:✓|»|✎|\((?:pass|skip|todo)\)) /.test(line)) said = '';
    else said += `${line}\n`;
  }
  const outside = text.split(/^# Unhandled error between tests$/m).slice(1);
  return [
    ...named.values(),
    ...outside.map((one) => failureOf('Unhandled error between tests', placeOf(one) ?? { file }, messageOf(one))),
  ];
}

const placeOf = (said: string) =>
  placeIn(
    said
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  );

const messageOf = (said: string) => said.slice(Math.max(0, said.search(/^\w*error: /im))).split(/^\s+at /m, 1)[0];
