import { constants } from 'node:os';
import * as z from 'zod';
import type { Immutable } from '../../../../shared/immutable.ts';
import { type Task, taskStates } from '../../../../shared/model/task.ts';
import type { CommandOutcome, CommandOutput } from '../../exec/executor.ts';
import { maxCaptureBytes } from '../../exec/taskOutput.ts';
import { truncationMessage } from '../../exec/truncate.ts';

const truncationShape = () => ({
  truncated: z.literal(true).optional(),
  truncation_message: z.string().optional(),
  stdout_chars: z.number().optional(),
  stderr_chars: z.number().optional(),
});

/** The result of a command that has ended: an exit code by Python's rule (minus the number of a signal). */
export const endedSchema = z.lazy(() =>
  z.object({
    stdout: z.string(),
    stderr: z.string(),
    returncode: z.number().nullable(),
    signal: z.string().optional(),
    ...truncationShape(),
    task_id: z.string().optional(),
    mode: z.enum(['shell', 'direct']),
    duration_ms: z.number().optional(),
    status: z.enum(taskStates).optional(),
    error: z.string().optional(),
    survivors: z.array(z.number()).optional(),
    left_running: z.string().optional(),
    hint: z.string().optional(),
  }),
);
type Ended = Immutable<z.infer<typeof endedSchema>>;

/** The answer when a command goes on in the background. */
export const backgroundSchema = z.lazy(() =>
  z.object({
    background_task_id: z.string(),
    task_id: z.string(),
    status: z.enum(['queued', 'running']),
    message: z.string(),
    reason: z.enum(['estimated', 'measured', 'explicit']),
    auto_backgrounded: z.boolean(),
    threshold_seconds: z.number(),
    estimated_duration_seconds: z.number().optional(),
    place_in_queue: z.number().optional(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    ...truncationShape(),
  }),
);
type Background = Immutable<z.infer<typeof backgroundSchema>>;

/** What cannot be done is told in the data, with words that say what to do. */
export const cannotSchema = z.lazy(() => z.object({ error: z.string(), hint: z.unknown().optional() }));

export function endedResult(task: Task, output: CommandOutput, maxOutputChars: number): Ended {
  return {
    stdout: output.stdout,
    stderr: output.stderr,
    returncode: returnCode(task),
    signal: task.signal,
    ...truncation(output, maxOutputChars),
    task_id: output.truncated ? task.id : undefined,
    mode: task.mode,
    duration_ms: durationOf(task),
    status: task.state === 'completed' ? undefined : task.state,
    error: task.error,
    survivors: task.survivors?.length ? task.survivors : undefined,
    left_running: leftRunning(task),
  };
}

/** What the command left running, in words; undefined when it left nothing. */
export function leftRunning({ survivors = [] }: Task): string | undefined {
  if (survivors.length === 0) return undefined;
  const what = survivors.length === 1 ? `Process ${survivors[0]} was` : `Processes ${survivors.join(', ')} were`;
  return `${what} left running by the command. Start such a command in the background instead: then its output and its end are known.`;
}

/** Where all that a command wrote can be read, when its result is cut. */
export function wholeOutput(task: string): string {
  return `The output is cut; all of it is in task ${task}: read it with get_background_output {"task_id":"${task}","offset":0}`;
}

function truncation(
  output: CommandOutput,
  maxOutputChars: number,
): Pick<Ended, 'truncated' | 'truncation_message' | 'stdout_chars' | 'stderr_chars'> {
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

export function backgroundResult(
  { task, reason, thresholdSeconds, output }: CommandOutcome & { kind: 'background' },
  maxOutputChars: number,
): Background {
  const isWatched = reason === 'measured';
  return {
    background_task_id: task.id,
    task_id: task.id,
    status: task.state === 'queued' ? 'queued' : 'running',
    message: messages[reason](thresholdSeconds),
    reason,
    auto_backgrounded: reason !== 'explicit',
    threshold_seconds: thresholdSeconds,
    estimated_duration_seconds: task.estimateSeconds,
    place_in_queue: task.place,
    stdout: isWatched ? output.stdout : undefined,
    stderr: isWatched ? output.stderr : undefined,
    ...(isWatched ? truncation(output, maxOutputChars) : {}),
  };
}
