import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** `go test` and `go test -v` as text. Without -v only packages and failures are told. */
export function parseGoText(text: string): TestSummary | undefined {
  if (!/^(?:ok|FAIL|\?)[ \t]+\S+[ \t]+(?:\d+\.\d+s|\[|\(cached\))|^[ \t]*--- (?:PASS|FAIL|SKIP): /m.test(text))
    return undefined;
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const isVerbose = /^=== RUN/m.test(text);
  const failures = text
    .split(/^(?=[ \t]*--- (?:PASS|FAIL|SKIP): |FAIL\b|ok[ \t]|=== (?:RUN|CONT|PAUSE|NAME))/m)
    .filter((block) => /^[ \t]*--- FAIL: /.test(block))
    .map((block) => failureIn(block, text));
  failures.push(...builds(text));
  const counts = {
    passed: isVerbose ? count(/^[ \t]*--- PASS: /gm) : count(/^ok[ \t]+(?!.*\[no tests to run\])\S+/gm),
    failed: failures.length,
    skipped: count(/^[ \t]*--- SKIP: /gm),
  };
  // Panics and calls of os.Exit end a package without naming a test.
  for (const [, pack = ''] of text.matchAll(/^FAIL[ \t]+(\S+)[ \t]+\d/gm)) {
    if (failures.length > 0) break;
    counts.failed += 1;
    failures.push(failureOf(pack, placeIn(text), panicOf(text)));
  }
  return summaryOf('go', counts, failures, {
    durationMs: sumOfTimes(text, /^(?:ok|FAIL)[ \t]+\S+[ \t]+(\d+\.\d+s)/gm),
  });
}

const panicOf = (text: string) => /^panic: .*/m.exec(text)?.[0];

function failureIn(block: string, text: string): TestFailure {
  const [first = '', ...rest] = block.split('\n');
  const name = /--- FAIL: (\S+)/.exec(first)?.[1] ?? '';
  const panic = rest.findIndex((line) => line.startsWith('panic: '));
  if (panic !== -1) {
    const stack = rest.slice(panic).filter((line) => /^\t.*_test\.go:\d+/.test(line));
    return failureOf(name, placeIn(stack.join('\n')), rest[panic]);
  }
  const below = rest.filter((line) => /^\s/.test(line)).join('\n');
  return failureOf(name, placeIn(below || saidOf(name, text)), below || saidOf(name, text));
}

/** With -v what a test says comes before its end, after its `=== RUN` or `=== NAME`. */
function saidOf(name: string, text: string): string {
  return text
    .split(/^(?==== |[ \t]*--- )/m)
    .filter((block) => /^=== (?:RUN|NAME|CONT) +/.test(block) && block.split('\n', 1)[0]?.endsWith(` ${name}`))
    .map((block) => block.slice(block.indexOf('\n') + 1))
    .join('');
}

/** What the compiler says of a package stands under `# package`. */
function builds(text: string): readonly TestFailure[] {
  return [...text.matchAll(/^FAIL[ \t]+(\S+) \[(build|setup) failed\]/gm)].map(([, pack = '', phase]) => {
    const said = text.split(/^# /m).find((part) => part.split(/\s/, 1)[0] === pack);
    const line = said
      ?.split('\n')
      .slice(1)
      .find((one) => placeIn(one) !== undefined);
    return failureOf(
      pack,
      placeIn(line ?? ''),
      line?.replace(/^(?:vet: )?\S+?:\d+(?::\d+)?: /, '') ?? `${phase} failed`,
    );
  });
}
