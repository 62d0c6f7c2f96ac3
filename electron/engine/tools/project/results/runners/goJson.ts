import * as z from 'zod';
import { jsonLines } from '../base/jsonDocuments.ts';
import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

const goEvent = z.lazy(() =>
  z.object({
    Action: z.string(),
    Package: z.string().optional(),
    ImportPath: z.string().optional(),
    Test: z.string().optional(),
    Output: z.string().default(''),
    Elapsed: z.number().default(0),
    FailedBuild: z.string().optional(),
  }),
);

/** Kept of what one test prints. */
const maxOutput = 4_000;

/** The events of `go test -json` (go doc test2json). A package that does not build is a failure of its own. */
export function parseGoJson(text: string): TestSummary | undefined {
  if (!/^\{.*"Action":"/m.test(text)) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  const outputs = new Map<string, string>();
  const failedPackages = new Set<string>();
  const open = new Set<string>();
  let durationMs = 0;
  let seen = 0;
  for (const value of jsonLines(text)) {
    const event = goEvent.safeParse(value).data;
    if (!event) continue;
    seen += 1;
    const { Action: action, Package: pack = event.ImportPath ?? '', Test: name, Output: output } = event;
    const id = `${pack} ${name ?? ''}`;
    if (action === 'start') open.add(pack);
    if (name === undefined && ['pass', 'fail', 'skip'].includes(action)) {
      open.delete(pack);
      durationMs += event.Elapsed * 1_000;
    }
    if (action === 'output' || action === 'build-output')
      outputs.set(id, ((outputs.get(id) ?? '') + output).slice(0, maxOutput));
    else if (name !== undefined && action === 'pass') counts.passed += 1;
    else if (name !== undefined && action === 'skip') counts.skipped += 1;
    else if (action === 'fail' && (name !== undefined || !failedPackages.has(pack))) {
      counts.failed += 1;
      failedPackages.add(pack);
      const said = (event.FailedBuild && outputs.get(`${event.FailedBuild} `)) || (outputs.get(id) ?? '');
      failures.push(failureOf(name === undefined ? pack : `${pack} ${name}`, placeIn(said), plain(said)));
    }
  }
  return seen === 0 ? undefined : summaryOf('go', counts, failures, { durationMs, incomplete: open.size > 0 });
}

/** Without the lines that only frame a test. */
function plain(said: string): string {
  return said
    .split('\n')
    .filter((line) => !/^(?:=== |\s*--- |FAIL\b)/.test(line))
    .join('\n');
}
