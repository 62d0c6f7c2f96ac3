import * as z from 'zod';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import type { Immutable } from '../../../../shared/immutable.ts';
import type { Level } from '../../../../shared/model/level.ts';
import { finalTaskStates, taskStates } from '../../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { CommandOutcome, CommandRequest } from '../../exec/executor.ts';
import { isReadOnly } from '../../shell/readOnly.ts';
import { commandErrors, folderErrors } from '../frame/errorGroups.ts';
import { commandLines } from '../frame/resultLines.ts';
import { defineTool, type Hands, type Tool } from '../frame/tool.ts';
import { withoutForbidden } from '../frame/withoutForbidden.ts';
import { planCommand } from '../shell/commandIntent.ts';
import { durationOf, wholeOutput } from '../shell/commandResult.ts';
import type { TaskPort } from '../shell/taskPort.ts';
import type { CommandKind } from './detection/detection.ts';
import { detectProjectIn } from './detection/detectProjectIn.ts';
import type { NestedProject } from './detection/nestedProjects.ts';
import { severities } from './results/base/issue.ts';
import { readResults } from './results/readResults.ts';

export const runnerNames = ['run_tests', 'format', 'lint', 'build'] as const;
export type RunnerName = (typeof runnerNames)[number];

interface Runner {
  readonly kind: CommandKind;
  readonly permission: Level;
  readonly missing: ErrorCode;
  readonly verb: string;
  readonly about: string;
}

export const runners: Readonly<Record<RunnerName, Runner>> = {
  run_tests: {
    kind: 'test',
    permission: 'dangerous',
    missing: 'NO_TEST_COMMAND',
    verb: 'test',
    about: 'Run the tests of the project; failures come back with file and line where the format is known.',
  },
  format: {
    kind: 'format',
    permission: 'dangerous',
    missing: 'NO_FORMAT_COMMAND',
    verb: 'format',
    about: 'Format the code of the project with its own formatter.',
  },
  lint: {
    kind: 'lint',
    permission: 'moderate',
    missing: 'NO_LINT_COMMAND',
    verb: 'lint',
    about:
      'Check the code of the project with its own linter; issues come back with file and line where the format is known.',
  },
  build: {
    kind: 'build',
    permission: 'dangerous',
    missing: 'NO_BUILD_COMMAND',
    verb: 'build',
    about: 'Build the project with its own command; errors come back with file and line where the format is known.',
  },
};

/** A run of tests or a build is ended after this. */
const timeoutMs = 10 * 60_000;

/**
 * Who runs tests or a build mostly needs the outcome to go on: one that went to the background is waited for this long
 * before its id is the answer, ms.
 */
const defaultWaitMs = 120_000;

interface Plan {
  readonly request: CommandRequest;
  readonly projectType: string;
}

/** run_tests, format, lint and build: the project's own command, or a given one, run as a task. */
export function createRunnerTools(tasks: TaskPort, waitMs = defaultWaitMs): readonly Tool[] {
  return runnerNames.map((name) => createRunner(name, runners[name], tasks, waitMs));
}

function createRunner(
  name: RunnerName,
  { kind, permission, missing, verb, about }: Runner,
  tasks: TaskPort,
  waitMs: number,
): Tool {
  return defineTool({
    name,
    category: 'build',
    permission,
    about,
    errors: [...folderErrors, ...commandErrors, missing],
    input: () =>
      z.object({
        projectPath: z.string().optional(),
        command: z
          .string()
          .refine((command) => command.trim() !== '', { message: 'must not be blank' })
          .optional(),
        // A request only: it makes the question offer an hour; the person's answer decides.
        grantPermission: z.boolean().optional(),
      }),
    output: runnerOutput,
    text: runnerLines,
    leftOut: ({ taskId }) => taskId && wholeOutput(taskId),
    async plan({ projectPath = '.', command: given, grantPermission = false }, look) {
      const detected = await detectProjectIn(projectPath, look, tasks);
      if (!detected.ok) return detected;
      const { type, commands, projects = [], packageManager } = detected.value;
      const command = given ?? commands[kind];
      if (command === undefined) return fail(missing, withoutCommand(verb, type, projects));
      const planned = await planCommand({ command, cwd: projectPath, timeoutMs }, look, tasks);
      if (!planned.ok) {
        if (given !== undefined || planned.error.code !== 'COMMAND_NOT_FOUND') return planned;
        const program = command.split(' ', 1)[0];
        return fail(
          'UNAVAILABLE',
          `${program} is not installed, or not on the PATH. This project (${packageManager}) needs it to ${verb}: install it, or give another command.`,
          planned.error.details,
        );
      }
      const { intent, plan: request } = planned.value;
      // What a moderate tool was allowed for is the project's own command, not any other.
      const isOwn = command === commands[kind] || isReadOnly(command, { platform: process.platform });
      const folder = await look.resolve(projectPath);
      if (!folder.ok) return folder;
      // Nor does an hour's leave cover any command that is not the project's own.
      const standing = command === commands[kind] ? { place: folder.value.real, asked: grantPermission } : undefined;
      return ok({
        intent: {
          ...intent,
          risk: isOwn ? permission : 'dangerous',
          effects: ['executes'],
          ...(standing ? { standing } : {}),
        },
        // Two streams and no colours: the results are read.
        plan: { request: { ...request, terminal: 'output' as const }, projectType: type },
      });
    },
    async run(plan: Plan, hands) {
      const outcome = await hands.runCommand(plan.request);
      if (!outcome.ok) return outcome;
      const last = await waitFor(outcome.value, tasks, waitMs, hands.signal);
      return last.ok ? describe(kind, plan, last.value, tasks, hands) : last;
    },
  });
}

function runnerOutput() {
  return z.object({
    passed: z.boolean().nullable(),
    output: z.string(),
    errorOutput: z.string(),
    exitCode: z.number().nullable(),
    duration: z.number().nullable(),
    projectType: z.string(),
    command: z.string(),
    truncated: z.boolean(),
    /** The task whose log holds all that was written, where `output` or `errorOutput` is cut. */
    taskId: z.string().optional(),
    backgroundTaskId: z.string().optional(),
    status: z.enum(taskStates).optional(),
    summary: z
      .object({
        format: z.string(),
        total: z.number(),
        passed: z.number(),
        failed: z.number(),
        skipped: z.number(),
        failures: z.array(
          z.object({
            name: z.string(),
            file: z.string().optional(),
            line: z.number().optional(),
            message: z.string().optional(),
          }),
        ),
        durationMs: z.number().optional(),
        incomplete: z.literal(true).optional(),
      })
      .optional(),
    issueCount: z.number().optional(),
    errorCount: z.number().optional(),
    warningCount: z.number().optional(),
    issues: z
      .array(
        z.object({
          severity: z.enum(severities),
          message: z.string(),
          file: z.string().optional(),
          line: z.number().optional(),
          column: z.number().optional(),
          rule: z.string().optional(),
        }),
      )
      .optional(),
  });
}

/** What a model reads: how the command ended, what was read of its results in a line each, and what it printed. */
function runnerLines(data: Immutable<z.output<ReturnType<typeof runnerOutput>>>): string {
  const { passed, command, exitCode, output, errorOutput, backgroundTaskId, status, summary, issueCount } = data;
  const counts =
    summary && `${summary.passed} of ${summary.total} passed, ${summary.failed} failed, ${summary.skipped} skipped`;
  const failures = (summary?.failures ?? []).slice(0, maxFailures).map(({ name, file, line, message = '' }) => {
    const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
    const said = message.split('\n', 1)[0]?.slice(0, maxMessage);
    return `failed: ${name}${place}${said ? `: ${said}` : ''}`;
  });
  const found = issueCount === undefined ? undefined : `${issueCount} issues, ${data.errorCount ?? 0} of them errors`;
  const wrong = passed === false && exitCode === 0 ? 'not passed, whatever its exit code' : undefined;
  const going = backgroundTaskId && `goes on as background task ${backgroundTaskId}, ${status ?? 'running'}`;
  return commandLines({
    ...{ exitCode, stdout: output, stderr: errorOutput },
    notes: [command, going, wrong, counts, found, ...failures],
  });
}

/** More are only in what the command printed. */
const maxFailures = 20;
const maxMessage = 160;

function withoutCommand(verb: string, type: string, projects: readonly NestedProject[]): string {
  const below = projects.map(({ path }) => path).join(', ');
  const known = `No command to ${verb} this project (${type}) is known. Give one in command`;
  return below === '' ? `${known}.` : `${known}, or one of the projects below it in projectPath: ${below}.`;
}

/** Stopping the call while it waits stops the command, as it would have in the foreground. */
async function waitFor(
  outcome: CommandOutcome,
  tasks: TaskPort,
  waitMs: number,
  signal: AbortSignal,
): Promise<Result<CommandOutcome>> {
  if (outcome.kind !== 'background') return ok(outcome);
  const { id } = outcome.task;
  const waited = await tasks.wait(id, waitMs, signal);
  if (signal.aborted) {
    await tasks.cancel(id);
    return fail('CANCELLED', 'The command was stopped.');
  }
  if (!waited.ok || !finalTaskStates.includes(waited.value.state)) return ok(outcome);
  const output = await tasks.result(id);
  return output.ok ? ok({ kind: 'finished', task: waited.value, output: output.value }) : output;
}

async function describe(
  kind: CommandKind,
  { request, projectType }: Plan,
  outcome: CommandOutcome,
  tasks: TaskPort,
  { look, signal }: Hands,
) {
  const { task, output } = outcome;
  const isBackground = outcome.kind === 'background';
  const exitCode = isBackground ? null : (task.exitCode ?? null);
  const data = {
    passed: isBackground ? null : exitCode === 0,
    output: withoutForbidden(output.stdout, look, request.cwd),
    errorOutput: withoutForbidden(output.stderr, look, request.cwd),
    exitCode,
    duration: durationOf(task) ?? null,
    projectType,
    command: request.command,
    truncated: output.truncated,
    ...(output.truncated ? { taskId: task.id } : {}),
    ...(isBackground ? { backgroundTaskId: task.id, status: task.state } : {}),
  };
  if (task.state === 'timeout')
    return fail(
      'TIMEOUT',
      `The command was ended after ${timeoutMs / 60_000} minutes with everything it had started.`,
      data,
    );
  if (task.state === 'cancelled') return fail('CANCELLED', 'The command was stopped.', data);
  if (task.state === 'lost')
    return fail('TOOL_EXECUTION_FAILED', task.error ?? 'The command was lost with the process that watched it.', data);
  if (isBackground) return ok(data);
  const { summary, issues } = await readResults({ kind, request, task, output }, look, tasks, signal);
  // A pipe hides the exit code of its first command, and a run without tests has tested nothing.
  const isRefuted = kind === 'test' && summary !== undefined && (summary.failed > 0 || summary.total === 0);
  return ok({
    ...data,
    passed: data.passed && !isRefuted,
    summary,
    issueCount: issues?.total,
    errorCount: issues?.errors,
    warningCount: issues?.warnings,
    issues: issues?.issues,
  });
}
