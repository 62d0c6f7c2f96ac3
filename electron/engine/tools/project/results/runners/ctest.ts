import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** CTest: `50% tests passed, 1 tests failed out of 2`, with the tests that failed or did not run below. */
export function parseCtest(text: string): TestSummary | undefined {
  const none = /^No tests were found!!!$/m.test(text);
  if (!none && !/^\d+% tests passed, \d+ tests? failed out of \d+$/m.test(text)) return undefined;
  const failed = sumOf(text, /^\d+% tests passed, (\d+) tests? failed/gm);
  const total = sumOf(text, /^\d+% tests passed, .* out of (\d+)$/gm);
  const left = [...text.matchAll(/^\t *\d+ - .+ \((?:Skipped|Disabled|Not Run \(Disabled\))\)/gm)].map(
    ([line]) => line,
  );
  // Disabled tests are not in the total, skipped ones are among those that passed.
  const marked = [...text.matchAll(/^ *\d+\/\d+ Test +#\d+: .*\*\*\*Skipped/gm)].length;
  const skipped = Math.max(marked, left.filter((line) => line.includes('(Skipped)')).length);
  const failures = [...text.matchAll(/^\t *(\d+) - (.+?) \(((?!Skipped|Disabled|Not Run \(Disabled)[^)]+)\)/gm)].map(
    ([, number = '', name = '', how = '']): TestFailure => {
      const said = outputOf(text, number);
      return failureOf(name, placeIn(said), said.trim() || how);
    },
  );
  return summaryOf(
    'ctest',
    { passed: Math.max(0, total - failed - skipped), failed, skipped: Math.max(left.length, skipped) },
    failures,
    {
      durationMs: sumOfTimes(text, /^Total Test time \(real\) = +([\d.]+ sec)/gm),
    },
  );
}

/** What a test printed, with --output-on-failure or -V (there each line begins with its number). */
function outputOf(text: string, number: string): string {
  const numbered = [...text.matchAll(new RegExp(`^${number}: (?!Test (?:command|timeout)|Working Dir)(.*)$`, 'gm'))];
  if (numbered.length > 0) return numbered.map(([, line]) => line).join('\n');
  const start = new RegExp(`^ *\\d+/\\d+ Test +#${number}: .*$`, 'm').exec(text);
  if (!start) return '';
  const below = text.slice(start.index + start[0].length + 1);
  return below.split(/^ *(?:Start +\d+: |\d+\/\d+ Test +#|\d+% tests passed)/m, 1)[0] ?? '';
}
