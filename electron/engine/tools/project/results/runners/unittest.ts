import { type Place, placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** Python's unittest, and Django's runner: `Ran 4 tests in 0.001s`, then OK or FAILED with the counts. */
export function parseUnittest(text: string): TestSummary | undefined {
  const ran = [...text.matchAll(/^Ran (\d+) tests? in ([\d.]+)s$/gm)];
  if (ran.length === 0) return undefined;
  const verdicts = [...text.matchAll(/^(?:OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?$/gm)].map(([, line = '']) => line);
  const sum = (word: string) =>
    verdicts.reduce((total, line) => total + sumOf(line, new RegExp(`(?:^|, )${word}=(\\d+)`, 'g')), 0);
  const failed = sum('failures') + sum('errors') + sum('unexpected successes');
  const skipped = sum('skipped') + sum('expected failures');
  const total = ran.reduce((all, [, count]) => all + Number(count), 0);
  const failures = failuresIn(text);
  const incomplete = verdicts.length < ran.length;
  // Subtests and class fixtures fail beyond the number of tests. Without the verdict nothing is known to have passed.
  const counts = incomplete
    ? { passed: 0, failed: failures.length, skipped: 0 }
    : { passed: Math.max(0, total - failed - skipped), failed, skipped };
  return summaryOf('unittest', counts, failures, {
    durationMs: sumOfTimes(text, /^Ran \d+ tests? in ([\d.]+s)$/gm),
    incomplete,
  });
}

/** `FAIL: test_two (module.Class.test_two)` between two lines, then a traceback. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^={70}\n(?=(?:FAIL|ERROR|UNEXPECTED SUCCESS): )/m)
    .slice(1)
    .map((block) => {
      const [title = '', ...rest] = (block.split(/^Ran \d+ tests? in /m, 1)[0] ?? '').split('\n');
      const body = rest.join('\n').replace(/-{70}\s*$/, '');
      const raised = body
        .split('\n')
        .filter((line) => /^\S/.test(line) && !/^(?:-{3}|Traceback|Stdout:|Stderr:)/.test(line));
      return failureOf(title.replace(/^[A-Z ]+: /, ''), placeOf(body), raised.join('\n'));
    });
}

/** The last frame that is the project's own. */
function placeOf(traceback: string): Place | undefined {
  const frames = [...traceback.matchAll(/^ {2}File ".*", line \d+.*$/gm)].map(([line]) => line);
  return placeIn(frames.reverse().join('\n'));
}
