import type { Check, Finding } from '../../../shared/model/rehearsal.ts';
import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import type { Result } from '../../../shared/result.ts';
import type { CommandOutcome, CommandRequest } from '../exec/executor.ts';
import type { Shadow } from '../exec/sandbox/shadow.ts';
import { type RunResults, readResults } from '../tools/project/results/readResults.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import type { Look } from '../workspace/look.ts';
import type { ReadFinding } from './newFindings.ts';
import { exitCodes } from './servers/probeOrder.ts';
import { probeFolders, probeRequest } from './servers/probeRequest.ts';
import { readLines } from './servers/serverLines.ts';

/** What one run of a check came to. `why`: it came to no end. */
export interface CheckRun {
  readonly passed: boolean;
  readonly findings: readonly ReadFinding[];
  readonly why?: string;
}

export interface CheckPlace {
  /** Of the project: findings are named as its files. */
  readonly look: Look;
  readonly tasks: TaskPort;
  readonly run: (request: CommandRequest) => Promise<Result<CommandOutcome>>;
  readonly maxSeconds: number;
  /** Paths of files that the proposal changes. */
  readonly changed: readonly string[];
  readonly signal: AbortSignal;
}

/** Findings of one run that are read; more of them cannot be judged. */
const maxRead = 5_000;
/** Of what a language server said. */
const maxServerChars = 1_000_000;

/** One check on a copy of the project, as a task of the console. */
export async function runCheck(
  check: Check,
  shadow: Shadow,
  place: CheckPlace,
  /** What the console says before the command. */
  title = 'Rehearsal',
): Promise<CheckRun> {
  const { look, tasks, run, maxSeconds, signal } = place;
  const request = {
    command: check.command,
    ...(check.isServer && probeRequest(check.command, place.changed, maxSeconds)),
    cwd: look.root,
    title: `${title}: ${check.command}`,
    timeoutMs: maxSeconds * 1000,
    terminal: 'output',
    shadow: check.isServer ? { ...shadow, programs: probeFolders() } : shadow,
  } as const;
  const started = await run(request);
  const outcome = started.ok ? await ended(started.value, tasks, signal) : started;
  if (signal.aborted) return failed('It was stopped.');
  if (!outcome.ok) return failed(outcome.error.message);
  const { task, output } = outcome.value;
  if (task.state === 'timeout') return failed(`It was ended after ${maxSeconds} seconds.`);
  if (task.state !== 'completed') return failed(task.error ?? 'It was stopped.');
  if (check.isServer) return serverRun(check.name, task, tasks);
  // What works where the copy lies names its files there.
  const inProject = (text: string): string =>
    shadow.way === 'mounted' ? text : text.replaceAll(shadow.tree, look.root);
  const kind = check.name === 'tests' ? 'test' : check.name === 'types' || check.name === 'lint' ? 'lint' : 'build';
  const shown = { ...output, stdout: inProject(output.stdout), stderr: inProject(output.stderr) };
  const port: TaskPort = {
    ...tasks,
    async output(id, stream, query) {
      const slice = await tasks.output(id, stream, query);
      return slice.ok ? { ok: true, value: { ...slice.value, text: inProject(slice.value.text) } } : slice;
    },
  };
  const { summary, issues } = await readResults({ kind, request, task, output: shown }, look, port, signal, maxRead);
  const findings = findingsOf({ summary, issues }, check.name);
  const passed = task.exitCode === 0 && (summary?.failed ?? 0) === 0;
  if (passed || findings.some(({ finding }) => finding.severity === 'error')) return { passed, findings };
  const last = lastWords(shown.stderr) ?? lastWords(shown.stdout) ?? 'it says nothing';
  const message = `It ends with code ${task.exitCode ?? 'none'}: ${last}`;
  return { passed, findings: [...findings, read({ check: check.name, severity: 'error', message }, 'end')] };
}

/** What a language server said of the changed files; one that crashed, hung or flooded came to no end. */
async function serverRun(check: string, { id, exitCode }: Task, tasks: TaskPort): Promise<CheckRun> {
  const output = await tasks.output(id, exitCode === exitCodes.failed ? 'stderr' : 'stdout', {
    maxChars: maxServerChars,
  });
  if (!output.ok) return failed(output.error.message);
  if (exitCode !== exitCodes.clean && exitCode !== exitCodes.red)
    return failed(lastWords(output.value.text) ?? 'The language server could not be asked.');
  const findings = readLines(output.value.text).map(({ column: _, ...line }) => read({ check, ...line }, line.message));
  return { passed: exitCode === exitCodes.clean, findings };
}

/** What a run found, each with what makes it the same in another run. */
export function findingsOf({ summary, issues }: RunResults, check: string): readonly ReadFinding[] {
  return [
    ...(issues?.issues ?? []).map(({ severity, message, file, line, rule }) =>
      read({ check, severity, message, file, line, rule }, message),
    ),
    // What a failed test says may differ from run to run.
    ...(summary?.failures ?? []).map(({ name, file, line, message }) =>
      read({ check, severity: 'error', message: message ? `${name}: ${message}` : name, file, line }, name),
    ),
  ];
}

const read = (finding: Finding, words: string): ReadFinding => ({
  finding,
  key: JSON.stringify([finding.severity, finding.file, finding.rule, words]),
});

const failed = (why: string): CheckRun => ({ passed: false, findings: [], why });

async function ended(
  outcome: CommandOutcome,
  tasks: TaskPort,
  signal: AbortSignal,
): Promise<Result<Pick<CommandOutcome, 'task' | 'output'>>> {
  if (outcome.kind === 'finished') return { ok: true, value: outcome };
  const { id } = outcome.task;
  const waited = await tasks.wait(id, undefined, signal);
  if (!waited.ok) return waited;
  if (!finalTaskStates.includes(waited.value.state)) await tasks.cancel(id);
  const output = await tasks.result(id);
  return output.ok ? { ok: true, value: { task: waited.value, output: output.value } } : output;
}

function lastWords(text: string): string | undefined {
  const line = text.trimEnd().split('\n').at(-1)?.trim();
  return line ? line.slice(0, 300) : undefined;
}
