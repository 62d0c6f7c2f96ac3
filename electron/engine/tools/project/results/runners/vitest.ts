import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import {
  countBefore,
  failureOf,
  firstLine,
  summaryOf,
  sumOf,
  type TestFailure,
  type TestSummary,
} from '../base/testSummary.ts';

const countLine = /^[ \t]*Tests {2}(.*(?:\(\d+\)|no tests))[ \t]*$/gm;

/** vitest's reporters for people: they end alike (`Tests  1 failed | 2 passed (3)`). */
export function parseVitest(text: string): TestSummary | undefined {
  const lines = [...text.matchAll(countLine)].map(([, line = '']) => line);
  const none = /^No test files found, exiting with code \d/m.test(text);
  if (lines.length === 0 && !none && !/^[ \t]*(?:RUN|DEV) {2}v\d+\.\d+/m.test(text)) return undefined;
  const failures = failuresIn(text);
  const outside = sumOf(text, /^[ \t]*Errors {2}(\d+) errors?$/gm);
  const files = failures.filter(({ name }) => !name.includes(' > ')).length;
  const sum = (word: string) => lines.reduce((total, line) => total + countBefore(line, word), 0);
  const counts =
    lines.length > 0
      ? { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') + sum('todo') }
      : countedByLine(text, failures.length - files);
  for (let at = 0; at < outside; at += 1) failures.push(unhandled(text));
  return summaryOf('vitest', { ...counts, failed: counts.failed + files + outside }, failures, {
    durationMs: sumOfTimes(text, /^[ \t]*Duration {2}(\S+)/gm),
    incomplete: lines.length === 0 && !none,
  });
}

/** ` FAIL  file > suite > test`, the message, and ` ❯ file:line:column`. Tests that failed alike share one message. */
function failuresIn(text: string): TestFailure[] {
  const failures = new Map<string, TestFailure>();
  const waiting: string[] = [];
  for (const block of text.split(/^[ \t]*FAIL {2}/m).slice(1)) {
    const [first = '', ...rest] = block.split('\n');
    const own = rest.join('\n').split(/^⎯{4,}|^[ \t]*Test Files\s/m, 1)[0] ?? '';
    waiting.push(
      first
        .trim()
        .replace(/^\|[^|]+\|\s+/, '')
        .replace(/ \[ .* \]$/, ''),
    );
    if (own.trim() === '') continue;
    const pointed = own.split('\n').filter((line) => /^[ \t]*❯ .*\S:\d+/.test(line));
    const place = placeIn(pointed.join('\n')) ?? placeIn(own);
    for (const name of waiting.splice(0)) {
      const file = name.split(' > ', 1)[0];
      failures.set(name, failureOf(name, place ?? { file }, firstLine(own)));
    }
  }
  for (const name of waiting) failures.set(name, failureOf(name, { file: name.split(' > ', 1)[0] }));
  return [...failures.values()];
}

function unhandled(text: string): TestFailure {
  const said = text.split(/^⎯+ (?:Unhandled|Uncaught).* ⎯+$/m).at(-1) ?? '';
  return failureOf('Unhandled error', placeIn(said), firstLine(said.split(/^⎯{4,}/m, 1)[0] ?? ''));
}

/** Where the end is missing: what was told of each test, else of each file. */
function countedByLine(text: string, failed: number) {
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const tests = count(/^ +✓ \S+ > /gm) > 0;
  return {
    passed: tests ? count(/^ +✓ \S+ > /gm) : sumOf(text, /^ +✓ \S.*\((\d+) tests?(?: \||\))/gm),
    failed: Math.max(failed, count(/^ +[×✗] \S+ > /gm), sumOf(text, /\| (\d+) failed\b.*\)/gm)),
    skipped: tests ? count(/^ +↓ \S+ > /gm) : 0,
  };
}
