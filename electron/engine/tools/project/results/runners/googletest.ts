import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** GoogleTest. A test without an end took the program with it. */
export function parseGoogletest(text: string): TestSummary | undefined {
  if (!/^\[={10}\] (?:Running )?\d+ tests? from \d+ test (?:suite|case)s?/m.test(text) && !/^\[ RUN {6}\] /m.test(text))
    return undefined;
  const programs = text.split(/^(?=\[={10}\] Running )/m);
  let crashed = 0;
  const failures: TestFailure[] = [];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const program of programs) {
    const blocks = program.split(/^(?=\[ RUN {6}\] )/m).filter((block) => block.startsWith('[ RUN'));
    for (const block of blocks) {
      const name = /^\[ RUN {6}\] (.+)$/m.exec(block)?.[1] ?? '';
      if (/^\[ {7}OK \] /m.test(block)) counts.passed += 1;
      else if (/^\[ {2}SKIPPED \] /m.test(block)) counts.skipped += 1;
      else {
        counts.failed += 1;
        const failed = /^\[ {2}FAILED {2}\] /m.test(block);
        if (!failed) crashed += 1;
        failures.push(failureAt(name, block, failed));
      }
    }
    // With --gtest_brief only failures have their own lines.
    const passed = sumOf(program, /^\[ {2}PASSED {2}\] (\d+) tests?/gm);
    const seen = blocks.filter((block) => /^\[ {7}OK \] /m.test(block)).length;
    counts.passed += Math.max(0, passed - seen);
  }
  counts.skipped += sumOf(text, /^ *YOU HAVE (\d+) DISABLED TESTS?/gm);
  return summaryOf('googletest', counts, failures, {
    durationMs: sumOfTimes(text, /^\[={10}\] \d+ tests? .* ran\. \((\d+ ms) total\)/gm),
    incomplete: crashed > 0,
  });
}

function failureAt(name: string, block: string, ended: boolean): TestFailure {
  const said = (block.split(/^\[ {2}FAILED/m, 1)[0] ?? '').split('\n').slice(1).join('\n');
  const [, message = said] = /(?:: Failure|: error:)\s*([\s\S]*)/.exec(said) ?? [];
  return failureOf(name, placeIn(said), message.trim() || (ended ? '' : 'ended without a result'));
}
