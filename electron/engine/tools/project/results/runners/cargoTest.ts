import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

const result =
  /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out(?:; finished in (\S+))?/gm;

/** `cargo test`: one result line a test program, what each failed test has printed, and what did not compile or crashed. */
export function parseCargoTest(text: string): TestSummary | undefined {
  // nextest shows what each of its processes printed.
  if (/^[ \t]*Summary \[.*\] .*tests? run: /m.test(text)) return undefined;
  const broken = brokenIn(text);
  const results = [...text.matchAll(result)];
  const started = /^running \d+ tests?$/m.test(text);
  if (results.length === 0 && broken.length === 0 && !started) return undefined;
  const sum = (group: number) => results.reduce((total, one) => total + Number(one[group]), 0);
  const details = detailsOf(text);
  const failures = [...text.matchAll(/^test (.+?)(?: - should panic)? \.\.\. FAILED$/gm)].map(([, name = '']) => {
    const said = details.get(name) ?? '';
    // A test in the documentation is named by its place.
    const own = /^(\S+\.rs) - .*\(line (\d+)\)/.exec(name);
    return failureOf(name, own ? { file: own[1], line: Number(own[2]) } : placeIn(said), panicMessage(said));
  });
  const unfinished = text.slice((results.at(-1)?.index ?? -1) + 1);
  const cut = /^running [1-9]\d* tests?$/m.test(unfinished);
  const rest = (state: string) =>
    cut ? [...unfinished.matchAll(new RegExp(`^test .+ \\.\\.\\. ${state}`, 'gm'))].length : 0;
  return summaryOf(
    'cargo',
    {
      passed: sum(1) + rest('ok$'),
      failed: sum(2) + rest('FAILED$') + broken.length,
      skipped: sum(3) + rest('ignored'),
    },
    [...failures, ...broken],
    { durationMs: sumOfTimes(text, /^test result: .*; finished in (\S+)$/gm), incomplete: cut },
  );
}

function detailsOf(text: string): ReadonlyMap<string, string> {
  const details = new Map<string, string>();
  for (const block of text.split(/^---- /m).slice(1)) {
    const [, name] = /^(.+?) stdout ----/.exec(block) ?? [];
    if (name !== undefined)
      details.set(name, block.slice(block.indexOf('\n') + 1).split(/^(?:---- |failures:$)/m, 1)[0] ?? '');
  }
  return details;
}

/** What comes after the line that names the place, else all of it. */
export function panicMessage(said: string): string {
  const panic = /^thread '.*' (?:\(\d+\) )?panicked at .*:\d+:\d+:$/m.exec(said);
  const message = panic ? said.slice(panic.index + panic[0].length) : said;
  return (message.split(/^stack backtrace:$/m, 1)[0] ?? '')
    .split('\n')
    .filter((line) => !line.startsWith('note: run with `RUST_BACKTRACE'))
    .join('\n');
}

/** Test programs that did not compile, with their first error, and ones that ended by a signal. */
function brokenIn(text: string): readonly TestFailure[] {
  const compiled = [...text.matchAll(/^error: could not compile `([^`]+)`(?: \(([^)]*)\))?/gm)].map(
    ([, name, target]) => {
      const first = /^error(?:\[E\d+\])?: (.+)\n\s*--> (\S+):(\d+):\d+/m.exec(text);
      const place = first ? { file: first[2], line: Number(first[3]) } : undefined;
      return failureOf([name, target].filter(Boolean).join(' '), place, first?.[1] ?? 'could not compile');
    },
  );
  const crashed = [...text.matchAll(/process didn't exit successfully: `([^`]*)` \((signal: [^)]*)\)/g)].map(
    ([, program = '', signal]) => failureOf(program, undefined, signal),
  );
  return [...compiled, ...crashed];
}
