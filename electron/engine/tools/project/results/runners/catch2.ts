import { placeIn } from '../base/place.ts';
import { countBefore, failureOf, summaryOf, sumOf, type TestSummary } from '../base/testSummary.ts';

/** Catch2 (`test cases: 3 | 2 passed | 1 failed`) and doctest, which puts its name in front. */
export function parseCatch2(text: string): TestSummary | undefined {
  const lines = [...text.matchAll(/^(?:\[doctest\] )?test cases: +(\d+ +\|.*)$/gm)].map(([, line = '']) => line);
  const fine = sumOf(text, /^All tests passed \(.* in (\d+) test cases?\)$/gm);
  const none = /^No tests ran$/m.test(text);
  if (lines.length === 0 && fine === 0 && !none) return undefined;
  const sum = (word: string) =>
    lines.reduce((total, line) => total + countBefore(line.replace(/ {2,}/g, ' '), word), 0);
  const counts = { passed: fine + sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const failures = [...text.matchAll(/^(\S+?[:(]\d+\)?): (?:FAILED|ERROR):?(.*)\n([\s\S]*?)(?=\n\n|(?![\s\S]))/gm)].map(
    ([, place = '', rest = '', below = '']) => {
      const before = text.slice(0, text.indexOf(place));
      const name =
        /^TEST CASE: +(.*)$/m.exec(below)?.[1] ??
        [...before.matchAll(/^TEST CASE: +(.*)$/gm)].at(-1)?.[1] ??
        [...before.matchAll(/^-{79}\n(.+)\n(?:.*\n)*?-{79}\n/gm)].at(-1)?.[1] ??
        place;
      return failureOf(name, placeIn(place), `${rest}\n${below}`);
    },
  );
  return summaryOf('catch2', counts, failures);
}
