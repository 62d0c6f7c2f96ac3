import { failureOf, placeIn, summaryOf, type TestFailure, type TestSummary } from './summary.ts';

/** The last lines of vitest (`Tests  1 failed | 2 passed (3)`) and jest (`Tests: 1 failed, 2 passed, 3 total`). */
export function parseVitestOrJest(text: string): TestSummary | undefined {
  const jest = /^Tests:\s+(.*\d+ total)$/m.exec(text)?.[1];
  const vitest = /^[ \t]*Tests[ \t]+(.*\(\d+\))\s*$/m.exec(text)?.[1];
  const line = jest ?? vitest;
  if (line === undefined) return undefined;
  const counted = (word: string) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  const counts = {
    passed: counted('passed'),
    failed: counted('failed'),
    skipped: counted('skipped') + counted('todo'),
  };
  return summaryOf(jest === undefined ? 'vitest' : 'jest', counts, jest === undefined ? ofVitest(text) : ofJest(text));
}

/** ` FAIL  file > suite > test`, the message, and ` ❯ file:line:column`. */
function ofVitest(text: string): readonly TestFailure[] {
  const failed = text.split(/^[ \t]*FAIL[ \t]+/m).slice(1);
  return failed
    .map((block) => {
      const [first = '', ...rest] = block.split('\n');
      const own = rest.join('\n').split(/^⎯{4,}|^[ \t]*Test Files\s/m, 1)[0] ?? '';
      const pointed = own.split('\n').find((line) => /^[ \t]*❯ \S+:\d+/.test(line));
      const name = first.trim().replace(/^\|\S+\|\s+/, '');
      return failureOf(
        name,
        placeIn(pointed ?? own),
        own.split('\n').find((line) => line.trim() !== ''),
      );
    })
    .filter(({ name }) => name.includes(' > '));
}

/** `  ● suite › test`, the message, and a stack. */
function ofJest(text: string): readonly TestFailure[] {
  const named = new Map<string, TestFailure>();
  for (const block of text.split(/^[ \t]*● /m).slice(1)) {
    const [first = '', ...rest] = block.split('\n');
    const own = rest.join('\n').split(/^Test Suites:/m, 1)[0] ?? '';
    const stack = own.split('\n').filter((line) => /^\s+at /.test(line));
    const name = first.trim();
    // Jest repeats all failures at the end.
    if (!named.has(name))
      named.set(
        name,
        failureOf(
          name,
          placeIn(stack.join('\n')),
          own.split('\n').find((line) => line.trim()),
        ),
      );
  }
  return [...named.values()];
}

/** The `spec` reporter of node:test. */
export function parseNodeTest(text: string): TestSummary | undefined {
  if (!/^(?:ℹ|#) tests \d+$/m.test(text)) return undefined;
  const counted = (word: string) => Number(new RegExp(`^(?:ℹ|#) ${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  const failed = text.split(/^✖ failing tests:$/m)[1] ?? '';
  const failures = failed
    .split(/^test at /m)
    .slice(1)
    .map((block) => {
      const [, file, line] = /^(.+?):(\d+):\d+/.exec(block) ?? [];
      const name = /^✖ (.+?)(?: \([\d.]+ms\))?$/m.exec(block)?.[1] ?? '';
      const message = block
        .split('\n')
        .slice(2)
        .find((one) => one.trim() !== '');
      return failureOf(name, { file, line: line === undefined ? undefined : Number(line) }, message);
    });
  const counts = {
    passed: counted('pass'),
    failed: counted('fail') + counted('cancelled'),
    skipped: counted('skipped') + counted('todo'),
  };
  return summaryOf('node:test', counts, failures);
}
