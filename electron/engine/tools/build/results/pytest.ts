import { failureOf, summaryOf, type TestSummary } from './summary.ts';

/** pytest's last line, its short summary, and the places that end each failure's report. */
export function parsePytest(text: string): TestSummary | undefined {
  const last = [...text.matchAll(/^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*|no tests ran) in [\d.]+s.*$/gm)].at(-1)?.[1];
  if (last === undefined) return undefined;
  const counted = (word: string) => Number(new RegExp(`(\\d+) ${word}s?\\b`).exec(last)?.[1] ?? 0);
  const places = [...text.matchAll(/^((?:[A-Za-z]:)?[^\s:]+\.py):(\d+): [\w.]+/gm)].map(([, file, line]) => ({
    file,
    line: Number(line),
  }));
  const failures = [...text.matchAll(/^(?:FAILED|ERROR) (\S+?)(?: - (.*))?$/gm)].map(([, name = '', message], at) => {
    const file = name.split('::', 1)[0];
    const place = places[at]?.file === file ? places[at] : (places.find((one) => one.file === file) ?? { file });
    return failureOf(name, place, message);
  });
  const counts = {
    passed: counted('passed') + counted('xpassed'),
    failed: counted('failed') + counted('error'),
    skipped: counted('skipped') + counted('xfailed'),
  };
  return summaryOf('pytest', counts, failures);
}
