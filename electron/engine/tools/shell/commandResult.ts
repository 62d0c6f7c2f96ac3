import { constants } from 'node:os';
import type { Task } from '../../../../shared/model/task.ts';
import type { CommandOutcome, CommandOutput } from '../../exec/executor.ts';
import { maxCaptureBytes } from '../../exec/taskOutput.ts';
import { truncationMessage } from '../../exec/truncate.ts';

/** The seed's result of a command that has ended: an exit code by Python's rule (minus the number of a signal). */
export function endedResult(task: Task, output: CommandOutput, maxOutputChars: number): Record<string, unknown> {
  return {
    stdout: output.stdout,
    stderr: output.stderr,
    returncode: returnCode(task),
    ...(task.signal === undefined ? {} : { signal: task.signal }),
    ...truncation(output, maxOutputChars),
    mode: task.mode,
    ...(durationOf(task) === undefined ? {} : { duration_ms: durationOf(task) }),
    ...(task.state === 'completed' ? {} : { status: task.state }),
    ...(task.error === undefined ? {} : { error: task.error }),
    ...(task.survivors?.length ? { survivors: task.survivors, left_running: leftRunning(task) } : {}),
  };
}

/** What the command left running, in words; undefined when it left nothing. */
export function leftRunning({ survivors = [] }: Task): string | undefined {
  if (survivors.length === 0) return undefined;
  const what = survivors.length === 1 ? `Process ${survivors[0]} was` : `Processes ${survivors.join(', ')} were`;
  return `${what} left running by the command. Start such a command in the background instead: then its output and its end are known.`;
}

function truncation(output: CommandOutput, maxOutputChars: number): Record<string, unknown> {
  if (!output.truncated) return {};
  return {
    truncated: true,
    truncation_message: truncationMessage(maxOutputChars, maxCaptureBytes),
    stdout_chars: output.stdoutChars,
    stderr_chars: output.stderrChars,
  };
}

/** The exit code; minus the number of the signal that ended it; null for one that was lost. */
function returnCode({ exitCode, signal }: Task): number | null {
  if (exitCode !== undefined || signal === undefined) return exitCode ?? null;
  return -(Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 1);
}

/** Milliseconds from start to end. */
export function durationOf({ startedAt, endedAt }: Task): number | undefined {
  return startedAt === undefined || endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(startedAt);
}

const messages = {
  estimated: () => 'Command backgrounded due to estimated duration',
  measured: (seconds: number) => `Command exceeded ${seconds}s threshold, continuing in background`,
  explicit: () => 'Command started in the background',
} as const;

/** The seed's answer when a command goes on in the background. */
export function backgroundResult(
  { task, reason, thresholdSeconds, output }: CommandOutcome & { kind: 'background' },
  maxOutputChars: number,
): Record<string, unknown> {
  return {
    background_task_id: task.id,
    task_id: task.id,
    status: task.state === 'queued' ? 'queued' : 'running',
    message: messages[reason](thresholdSeconds),
    reason,
    auto_backgrounded: reason !== 'explicit',
    threshold_seconds: thresholdSeconds,
    ...(task.estimateSeconds === undefined ? {} : { estimated_duration_seconds: task.estimateSeconds }),
    ...(task.place === undefined ? {} : { place_in_queue: task.place }),
    ...(reason === 'measured'
      ? { stdout: output.stdout, stderr: output.stderr, ...truncation(output, maxOutputChars) }
      : {}),
  };
}
