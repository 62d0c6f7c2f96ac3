import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** Perl's prove (also behind `make test`): a line a script, a report of those that failed, and the totals. */
export function parseProve(text: string): TestSummary | undefined {
  if (!/^Files=\d+, Tests=\d+, /m.test(text)) return undefined;
  const scripts = [...text.matchAll(/^(\S.*?) +\(Wstat: .*?Tests: \d+ Failed: (\d+)\)\n((?: .*\n)*)/gm)];
  const failures = scripts.flatMap(([, script = '', failed, below = '']) =>
    Number(failed) === 0 ? unfinished(script, below) : failuresOf(script, below, text),
  );
  const failed = scripts.reduce((sum, [, , count]) => sum + Number(count), 0);
  const ended = scripts.filter(
    ([, , count, below = '']) => Number(count) === 0 && unfinished('', below).length > 0,
  ).length;
  // Without the whole report nothing is known to have passed.
  const unknown = /^Result: FAIL$/m.test(text) && !/^Test Summary Report$/m.test(text);
  const whole = [...text.matchAll(/ \.\. skipped: /g)].length;
  const counts = {
    passed: unknown ? 0 : Math.max(0, sumOf(text, /^Files=\d+, Tests=(\d+), /gm) - failed),
    failed: Math.max(failed + ended, unknown ? 1 : 0),
    skipped: whole,
  };
  return summaryOf('prove', counts, failures, {
    durationMs: sumOf(text, /^Files=\d+, Tests=\d+, +(\d+) wallclock/gm) * 1_000,
    incomplete: unknown,
  });
}

/** A script that did no test wrong and yet failed: it died, or did not keep its plan. */
function unfinished(script: string, below: string): readonly TestFailure[] {
  const why = /(?:Non-zero exit status|Non-zero wait status|Parse errors): .*/.exec(below)?.[0];
  return why === undefined ? [] : [failureOf(script, { file: script }, why)];
}

function failuresOf(script: string, below: string, text: string): readonly TestFailure[] {
  const told = [...text.matchAll(/^# {3}Failed test(?: '(.*)')?\n((?:#.*\n?)*)/gm)].filter(([, , detail = '']) =>
    detail.includes(`at ${script} line`),
  );
  if (told.length === 0) return [failureOf(script, { file: script }, /Failed tests?: .*/.exec(below)?.[0])];
  return told.map(([, name = '', detail = '']) => {
    const lines = detail.split('\n').map((line) => line.replace(/^# */, ''));
    const message = lines.filter((line) => !/^at .* line \d+\.$|^Looks like/.test(line)).join('\n');
    return failureOf(name || script, placeIn(` ${lines[0] ?? ''}`) ?? { file: script }, message);
  });
}
