import * as z from 'zod';
import { failureOf, placeIn, summaryOf, type TestFailure, type TestSummary } from './summary.ts';

const goEvent = z.object({
  Action: z.string(),
  Package: z.string().default(''),
  Test: z.string().optional(),
  Output: z.string().default(''),
});

/** The events of `go test -json` (go doc test2json). A package that does not build is a failure of its own. */
export function parseGoJson(text: string): TestSummary | undefined {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  const outputs = new Map<string, string>();
  const failedPackages = new Set<string>();
  let seen = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"')) continue;
    const event = readEvent(line);
    if (!event) continue;
    seen += 1;
    const { Action: action, Package: pack, Test: name, Output: output } = event;
    const id = `${pack} ${name ?? ''}`;
    if (action === 'output') outputs.set(id, ((outputs.get(id) ?? '') + output).slice(0, 4_000));
    else if (name !== undefined && action === 'pass') counts.passed += 1;
    else if (name !== undefined && action === 'skip') counts.skipped += 1;
    else if (action === 'fail' && (name !== undefined || !failedPackages.has(pack))) {
      counts.failed += 1;
      failedPackages.add(pack);
      const said = outputs.get(id) ?? '';
      failures.push(failureOf(name === undefined ? pack : `${pack} ${name}`, placeIn(said), said));
    }
  }
  return seen === 0 ? undefined : summaryOf('go', counts, failures);
}

function readEvent(line: string): z.output<typeof goEvent> | undefined {
  try {
    return goEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** `go test` and `go test -v` as text. Without -v only packages and failures are told. */
export function parseGoText(text: string): TestSummary | undefined {
  if (!/^(?:ok|FAIL|---|\?)[ \t]+\S+.*(?:\d\.\d+s|\[|\(cached\))/m.test(text)) return undefined;
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const isVerbose = /^=== RUN/m.test(text);
  const blocks = text.split(/^(?=[ \t]*--- (?:PASS|FAIL|SKIP): )/m);
  const failed = blocks.filter((block) => /^[ \t]*--- FAIL: /.test(block));
  const failures = failed.map((block) => {
    const [first = '', ...rest] = block.split('\n');
    const own = rest.filter((line) => /^\s/.test(line)).join('\n');
    return failureOf(/--- FAIL: (\S+)/.exec(first)?.[1] ?? '', placeIn(own), own);
  });
  const builds = [...text.matchAll(/^FAIL[ \t]+(\S+) \[(?:build|setup) failed\]/gm)];
  for (const [, pack = ''] of builds) failures.push(failureOf(pack, placeIn(text), 'build failed'));
  const passed = isVerbose ? count(/^[ \t]*--- PASS: /gm) : count(/^ok[ \t]+\S+/gm);
  return summaryOf('go', { passed, failed: failures.length, skipped: count(/^[ \t]*--- SKIP: /gm) }, failures);
}
