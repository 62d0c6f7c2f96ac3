import type { Task, TaskState } from '../../../shared/model/task.ts';
import type { CommandOutcome, CommandOutput } from './executor.ts';
import { truncationMessage } from './truncate.ts';

/** Numbers of the signals that end programs; the answer carries them negated, as the seed's language does. */
const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

export interface SeedResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly returncode: number | null;
  readonly signal?: string;
  readonly truncated?: true;
  readonly truncation_message?: string;
  readonly stdout_chars?: number;
  readonly stderr_chars?: number;
}

/** `{stdout, stderr, returncode, …}` of a command that ran (spec 001, section 4). `limit` in code points. */
export function seedResult(task: Task, output: CommandOutput, limit: number): SeedResult {
  const { stdout, stderr, truncated, stdoutChars, stderrChars } = output;
  return {
    stdout,
    stderr,
    returncode: task.exitCode ?? (task.signal === undefined ? null : -(signalNumbers[task.signal] ?? 1)),
    ...(task.signal === undefined ? {} : { signal: task.signal }),
    ...(truncated
      ? {
          truncated: true,
          truncation_message: truncationMessage(limit),
          stdout_chars: stdoutChars,
          stderr_chars: stderrChars,
        }
      : {}),
  };
}

/** The whole answer of `cli_based_tool` and `start_background_task` in the seed's own keys (spec 001, sections 4 and 6). */
export function seedAnswer(outcome: CommandOutcome, limit: number, hint?: string): Readonly<Record<string, unknown>> {
  const { task, output } = outcome;
  if (outcome.kind === 'finished') {
    const ended =
      task.endedAt === undefined || task.startedAt === undefined
        ? undefined
        : Date.parse(task.endedAt) - Date.parse(task.startedAt);
    return {
      ...seedResult(task, output, limit),
      mode: task.mode,
      ...(ended === undefined ? {} : { duration_ms: ended }),
      ...(task.state === 'completed' ? {} : { status: task.state }),
      ...(task.error === undefined ? {} : { error: task.error }),
      ...(hint === undefined ? {} : { hint }),
    };
  }
  const { reason, thresholdSeconds } = outcome;
  const messages = {
    estimated: 'Command backgrounded due to estimated duration',
    measured: `Command exceeded ${thresholdSeconds}s threshold, continuing in background`,
    explicit: 'Command started in background',
  } as const;
  const written = { stdout: output.stdout, stderr: output.stderr, ...(output.truncated ? { truncated: true } : {}) };
  return {
    background_task_id: task.id,
    task_id: task.id,
    status: task.state,
    message: messages[reason],
    reason,
    auto_backgrounded: reason !== 'explicit',
    ...(task.estimateSeconds === undefined ? {} : { estimated_duration_seconds: task.estimateSeconds }),
    threshold_seconds: thresholdSeconds,
    ...(reason === 'measured' ? written : {}),
  };
}

export interface SeedStatus {
  readonly task_id: string;
  readonly status: TaskState;
  readonly command: string;
  readonly created_at: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly duration_seconds?: number;
  readonly estimated_duration_seconds?: number;
  readonly result?: SeedResult;
  readonly error?: string;
}

/** The answer of `check_background_task`; without `output` the row of `list_background_tasks`. */
export function seedStatus(task: Task, output: CommandOutput | undefined, limit: number): SeedStatus {
  const from = task.startedAt === undefined ? undefined : Date.parse(task.startedAt);
  const to = task.endedAt === undefined ? undefined : Date.parse(task.endedAt);
  return {
    task_id: task.id,
    status: task.state,
    command: task.command,
    created_at: task.createdAt,
    ...(task.startedAt === undefined ? {} : { started_at: task.startedAt }),
    ...(task.endedAt === undefined ? {} : { completed_at: task.endedAt }),
    ...(from === undefined || to === undefined ? {} : { duration_seconds: (to - from) / 1000 }),
    ...(task.estimateSeconds === undefined ? {} : { estimated_duration_seconds: task.estimateSeconds }),
    ...(output === undefined ? {} : { result: seedResult(task, output, limit) }),
    ...(task.error === undefined ? {} : { error: task.error }),
  };
}
