import { sumOfTimes } from '../base/duration.ts';
import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/summary.ts';

/** PHPUnit: `OK (3 tests, 5 assertions)`, else `Tests: 3, Assertions: 3, Failures: 1.` */
export function parsePhpunit(text: string): TestSummary | undefined {
  const fine = sumOf(text, /^OK \((\d+) tests?, \d+ assertions?\)$/gm);
  const lines = [...text.matchAll(/^Tests: \d+, Assertions: \d+.*\.$/gm)].map(([line]) => line);
  const none = /^No tests executed!$/m.test(text);
  if (lines.length === 0 && fine === 0 && !none) return undefined;
  const sum = (word: string) =>
    lines.reduce((total, line) => total + sumOf(line, new RegExp(`(?:^|, )${word}: (\\d+)`, 'g')), 0);
  const failed = sum('Failures') + sum('Errors');
  const skipped = sum('Skipped') + sum('Incomplete');
  return summaryOf(
    'phpunit',
    { passed: fine + Math.max(0, sum('Tests') - failed - skipped), failed, skipped },
    failuresIn(text),
    { durationMs: sumOfTimes(text, /^Time: ([\d:.]+(?: \w+)?)/gm) },
  );
}

/** Below `There was 1 failure:` or `There were 2 errors:`; risky and skipped tests are listed alike. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^(?=There (?:was|were) \d+ )/m)
    .filter((section) => /^There (?:was|were) \d+ (?:failure|error)s?:/.test(section))
    .flatMap((section) => (section.split(/^(?:--|FAILURES!|ERRORS!)$/m, 1)[0] ?? '').split(/^\d+\) /m).slice(1))
    .map((block) => {
      const [name = '', ...rest] = block.split('\n');
      const places = rest.filter((line) => /^\S+\.\w+:\d+$/.test(line));
      const said = rest.filter((line) => line.trim() !== '' && !/^\S+\.\w+:\d+$/.test(line));
      return failureOf(name, placeIn(places.join('\n')), said.join('\n'));
    });
}
