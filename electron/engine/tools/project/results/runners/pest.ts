import { sumOfTimes } from '../base/duration.ts';
import { placeIn } from '../base/place.ts';
import { countBefore, failureOf, summaryOf, type TestSummary } from '../base/summary.ts';

/** Pest, and Laravel's `artisan test`: `Tests:    1 failed, 2 passed (3 assertions)`. */
export function parsePest(text: string): TestSummary | undefined {
  const lines = [...text.matchAll(/^ *Tests: +((?:\d+ [a-z]+(?:, )?)+) \(\d+ assertions?\)$/gm)].map(
    ([, line = '']) => line,
  );
  if (lines.length === 0) return undefined;
  const sum = (...words: readonly string[]) =>
    lines.reduce((total, line) => total + words.reduce((all, word) => all + countBefore(line, word), 0), 0);
  const failures = text
    .split(/^ *(?=FAILED {2})/m)
    .slice(1)
    .map((block) => {
      const [title = '', ...rest] = block.split('\n');
      const at = rest.filter((line) => /^ *at \S+:\d+/.test(line)).join('\n');
      return failureOf(
        title.replace(/^FAILED +/, '').replace(/ {2,}\S.*$/, ''),
        placeIn(at),
        rest.find((line) => line.trim()),
      );
    });
  return summaryOf(
    'pest',
    {
      passed: sum('passed', 'risky', 'deprecated', 'warnings?'),
      failed: sum('failed'),
      skipped: sum('skipped', 'incomplete', 'todos?'),
    },
    failures,
    { durationMs: sumOfTimes(text, /^ *Duration: +([\d.]+m?s)/gm) },
  );
}
