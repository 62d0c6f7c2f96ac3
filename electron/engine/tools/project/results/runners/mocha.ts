import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** mocha's spec, dot, min, list … : they end alike (`2 passing (5ms)`). */
export function parseMocha(text: string): TestSummary | undefined {
  if (!/^ *\d+ passing(?: \(\d[\w.]*\))?$/m.test(text)) return undefined;
  const counts = {
    passed: sumOf(text, /^ *(\d+) passing\b/gm),
    failed: sumOf(text, /^ *(\d+) failing$/gm),
    skipped: sumOf(text, /^ *(\d+) pending$/gm),
  };
  return summaryOf('mocha', counts, failuresIn(text), {
    durationMs: sumOfTimes(text, /^ *\d+ passing \((\d[\w.]*)\)$/gm),
  });
}

/** After `1 failing`: `1) suite`, `test:`, the message, and a stack. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^ *\d+ failing$/m)
    .slice(1)
    .flatMap((section) => section.split(/^ *\d+ passing\b/m, 1))
    .flatMap((section) =>
      section
        .split(/^ {1,4}\d+\) /m)
        .slice(1)
        .map((block) => {
          const lines = block.split('\n');
          const ends = lines.findIndex((line) => line.trimEnd().endsWith(':') || line.trim() === '');
          const title = lines.slice(0, Math.max(ends, 0) + 1).map((line) => line.trim());
          const own = lines.slice(ends + 1);
          const message = own.filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
          const stack = own.filter((line) => /^\s+at /.test(line)).join('\n');
          return failureOf(
            title.join(' ').trim().replace(/:$/, ''),
            placeIn(stack) ?? placeIn(own.join('\n')),
            message.map((line) => line.trim()).join('\n'),
          );
        }),
    );
}
