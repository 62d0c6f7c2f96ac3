import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** Playwright's list, line and dot reporters; what passed only when tried again has passed. */
export function parsePlaywright(text: string): TestSummary | undefined {
  const started = /^Running \d+ tests? using \d+ workers?/m.test(text);
  const counted = (what: string) => sumOf(text, new RegExp(`^ {2}(\\d+) ${what}(?: \\([\\d.]+m?s?[^)]*\\))?$`, 'gm'));
  const ended = /^ {2}\d+ (?:passed|failed|skipped|flaky|did not run|interrupted)(?: \([\d.]+\w+\))?$/m.test(text);
  const none = /^Error: No tests found/m.test(text);
  if (!started && !none && !(ended && / › /.test(text))) return undefined;
  const outside = sumOf(text, /^ {2}(\d+) errors? (?:was|were) not a part of any test/gm);
  const counts = {
    passed: counted('passed') + counted('flaky'),
    failed: counted('failed') + counted('interrupted') + outside,
    skipped: counted('skipped') + counted('did not run'),
  };
  return summaryOf('playwright', counts, failuresIn(text), {
    durationMs: sumOfTimes(text, /^ {2}\d+ (?:passed|failed|skipped|flaky) \(([\d.]+\w+)\)$/gm),
    incomplete: !ended && !none,
  });
}

/** `  1) [chromium] › a.spec.ts:7:5 › fails ───`, the message, and a stack; further tries are below the first. */
function failuresIn(text: string): readonly TestFailure[] {
  const flaky = (/^ {2}\d+ flaky$([\s\S]*?)(?=^ {2}\d)/m.exec(text)?.[1] ?? '').split('\n').map(bare);
  return text
    .split(/^ {2}\d+\) (?=.* › )/m)
    .slice(1)
    .flatMap((block) => {
      const [title = '', ...rest] = block.split('\n');
      const name = bare(title);
      if (flaky.includes(name)) return [];
      const end = rest.findIndex((line) => /^ {2}\d+ (?:passed|failed|flaky|skipped)|^ {4}Retry #\d/.test(line));
      const own = rest.slice(0, end === -1 ? undefined : end);
      const stack = own.filter((line) => /^\s+at /.test(line)).join('\n');
      const message = (own.join('\n').split(/^\s+\d+ \||^\s+> *\d+ \||^\s+at /m, 1)[0] ?? '').trim();
      return [failureOf(name, placeIn(stack) ?? placeIn(title), message)];
    });
}

const bare = (title: string): string => title.replace(/[ ─]+$/, '').trim();
