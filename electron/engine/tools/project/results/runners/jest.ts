import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { countBefore, failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** Headings of jest that are no tests. */
const noTest = /^(?:Console|Cannot log after|Deprecation|Validation|Multiple configs|\d+ obsolete)/;

/** jest's reporters for people (`Tests: 1 failed, 2 passed, 3 total`). */
export function parseJest(text: string): TestSummary | undefined {
  const lines = [...text.matchAll(/^Tests:\s+(.*\d+ total)$/gm)].map(([, line = '']) => line);
  const none = /^No tests found, exiting with code \d/m.test(text);
  const files = [...text.matchAll(/^(?:PASS|FAIL) +(?:\S+ +)?\S+\.\w+(?: \([\d.]+ m?s\))?$/gm)];
  if (lines.length === 0 && !none && files.length === 0) return undefined;
  const failures = failuresIn(text);
  const unloaded = failures.filter(({ name }) => name.startsWith('Test suite failed to run')).length;
  const sum = (word: string) => lines.reduce((total, line) => total + countBefore(line, word), 0);
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const counts =
    lines.length > 0
      ? { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') + sum('todo') }
      : {
          passed: count(/^ +[✓√] /gm),
          failed: Math.max(count(/^ +[✕×] /gm), failures.length - unloaded),
          skipped: count(/^ +(?:○|✎) /gm),
        };
  return summaryOf('jest', { ...counts, failed: counts.failed + unloaded }, failures, {
    durationMs: sumOfTimes(text, /^Time:\s+([\d.]+ m?s)/gm),
    incomplete: lines.length === 0 && !none,
  });
}

/** `  ● suite › test` below the file, the message, and a stack. jest repeats all of them at its end. */
function failuresIn(text: string): readonly TestFailure[] {
  const named = new Map<string, TestFailure>();
  let file: string | undefined;
  for (const block of text.split(/^(?=[ \t]*● |(?:PASS|FAIL) )/m)) {
    const header = /^(?:PASS|FAIL) +(?:\S+ +)?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/m.exec(block);
    if (header && /^(?:PASS|FAIL) /.test(block)) file = header[1];
    if (!/^[ \t]*● /.test(block)) continue;
    const [first = '', ...rest] = block.split('\n');
    const own = rest.join('\n').split(/^(?:Test Suites:|Summary of all failing tests)/m, 1)[0] ?? '';
    const title = first.trim().replace(/^● /, '');
    if (noTest.test(title)) continue;
    const stack = own.split('\n').filter((line) => /^\s+at /.test(line));
    const name = title === 'Test suite failed to run' ? `${title}: ${file ?? ''}` : title;
    const key = `${file} ${name}`;
    const place = placeIn(stack.join('\n')) ?? placeIn(own) ?? { file };
    if (!named.has(key)) named.set(key, failureOf(name, place, messageOf(own)));
  }
  return [...named.values()];
}

/** What stands before the code and the stack. */
function messageOf(own: string): string {
  const lines = own.split('\n');
  const end = lines.findIndex((line) => /^\s+(?:> *)?\d+ \||^\s+at /.test(line));
  const said = lines.slice(0, end === -1 ? undefined : end);
  return said
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
