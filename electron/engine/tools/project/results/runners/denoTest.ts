import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** `deno test`: `FAILED | 2 passed (1 step) | 1 failed | 1 ignored (12ms)`. */
export function parseDenoTest(text: string): TestSummary | undefined {
  const none = /^error: No test modules found$/m.test(text);
  const unchecked = /^error: Type checking failed\.$/m.exec(text) ?? /^(?:error: )?TS\d+ \[ERROR\]: /m.exec(text);
  if (!none && !unchecked && !/^(?:ok|FAILED) \| \d+ passed\b/m.test(text)) return undefined;
  const counted = (word: string) => sumOf(text, new RegExp(`^(?:ok|FAILED) \\|.*?(?<!\\w)(\\d+) ${word}\\b`, 'gm'));
  const failures = [...failuresIn(text), ...(unchecked ? [uncheckedIn(text)] : [])];
  return summaryOf(
    'deno',
    { passed: counted('passed'), failed: counted('failed') + (unchecked ? 1 : 0), skipped: counted('ignored') },
    failures,
    { durationMs: sumOfTimes(text, /^(?:ok|FAILED) \|.*\(([^()]+)\)$/gm) },
  );
}

/** Below ` ERRORS `: `name => ./a_test.ts:3:6`, the message, and a stack. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^ *ERRORS *$/m)
    .slice(1)
    .flatMap((section) =>
      (section.split(/^ *FAILURES *$/m, 1)[0] ?? '')
        .split(/^(?=\S.* => \S+:\d+:\d+$|\S+ \(uncaught error\)$)/m)
        .slice(1),
    )
    .map((block) => {
      const [title = '', ...rest] = block.split('\n');
      const [, name = title, at = ''] = /^(.*) => (\S+)$/.exec(title) ?? [];
      const frames = rest.filter((line) => /^\s+at .*file:/.test(line)).join('\n');
      const message = (rest.join('\n').split(/^\s+at /m, 1)[0] ?? '').replace(/^error: /, '');
      return failureOf(name, placeIn(frames) ?? placeIn(at), message);
    });
}

function uncheckedIn(text: string): TestFailure {
  const at = text
    .split('\n')
    .filter((line) => /^ *at file:/.test(line))
    .join('\n');
  return failureOf('Type checking', placeIn(at), /^(?:error: )?(TS\d+ \[ERROR\]: .*)$/m.exec(text)?.[1]);
}
