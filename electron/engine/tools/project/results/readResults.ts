import type { Task } from '../../../../../shared/model/task.ts';
import type { CommandOutput, CommandRequest } from '../../../exec/executor.ts';
import type { Look } from '../../frame/tool.ts';
import { withoutForbidden } from '../../frame/withoutForbidden.ts';
import type { TaskPort } from '../../shell/taskPort.ts';
import type { CommandKind } from '../detection/detection.ts';
import type { TestSummary } from './base/testSummary.ts';
import { readJunitReports } from './junitReports.ts';
import { readNamedReport } from './namedReport.ts';
import { createPlacer } from './placeResults.ts';
import { type IssueSummary, maxIssues, summarizeIssues } from './summarizeIssues.ts';
import { summarizeTests } from './summarizeTests.ts';

/** Code points of each stream that are read for the results; what is shown is cut sooner. */
const maxChars = 2_000_000;

export interface RunResults {
  readonly summary?: TestSummary;
  readonly issues?: IssueSummary;
}

interface Run {
  readonly kind: CommandKind;
  readonly request: CommandRequest & { readonly cwd: string };
  readonly task: Task;
  readonly output: CommandOutput;
}

/** What a run came to: its tests where some ran, else (and for linters and builds) what was found in the code. */
export async function readResults(
  run: Run,
  look: Look,
  tasks: TaskPort,
  signal: AbortSignal,
  /** Issues that are told; the rest is counted. */
  limit = maxIssues,
): Promise<RunResults> {
  const { kind, request, task, output } = run;
  const printed = output.truncated
    ? await Promise.all([
        endOf(tasks, task.id, 'stdout', output.stdoutChars),
        endOf(tasks, task.id, 'stderr', output.stderrChars),
      ])
    : [output.stdout, output.stderr];
  const [stdout = '', stderr = ''] = printed.map((text) => withoutForbidden(text, look, request.cwd));
  const place = createPlacer(look, request.cwd, signal);
  const summary = kind === 'test' || kind === 'build' ? await testsOf(run, [stdout, stderr], look, signal) : undefined;
  const tests = summary && { ...summary, failures: await Promise.all(summary.failures.map(place)) };
  // What a failed test prints may look like anything.
  const issues = tests && tests.total > 0 ? undefined : summarizeIssues(stdout, stderr, limit);
  return {
    ...(tests ? { summary: tests } : {}),
    ...(issues ? { issues: { ...issues, issues: await Promise.all(issues.issues.map(place)) } } : {}),
  };
}

async function testsOf(
  { kind, request, task }: Run,
  [stdout, stderr]: readonly [string, string],
  look: Look,
  signal: AbortSignal,
): Promise<TestSummary | undefined> {
  const printed = summarizeTests(stdout, stderr, request.command);
  const counted = printed !== undefined && printed.total > 0;
  // Maven and Gradle print little and leave files; they are read by the path of the folder that was shown.
  if (counted && printed.format !== 'surefire' && printed.format !== 'gradle') return printed;
  const startedMs = Date.parse(task.startedAt ?? '');
  const left =
    (await readNamedReport(look, request.cwd, `${stdout}\n${stderr}`)) ??
    (await readJunitReports(look, request.cwd, startedMs, signal));
  // A build that only says that there is nothing to test has not tested.
  return left ?? (counted || kind === 'test' ? printed : undefined);
}

/** What a run came to stands at its end. */
async function endOf(tasks: TaskPort, id: string, stream: 'stdout' | 'stderr', chars: number): Promise<string> {
  const read = await tasks.output(id, stream, { offset: Math.max(0, chars - maxChars), maxChars });
  return read.ok ? read.value.text : '';
}
