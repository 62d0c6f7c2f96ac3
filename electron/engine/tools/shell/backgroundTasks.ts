import * as z from 'zod';
import type { Immutable } from '../../../../shared/immutable.ts';
import { finalTaskStates, type Task, taskStates } from '../../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { commandLines } from '../frame/resultLines.ts';
import { defineTool, type PlannedIntent, readIntent, type Tool } from '../frame/tool.ts';
import { cannotSchema, durationOf, endedResult, endedSchema, wholeOutput } from './commandResult.ts';
import type { TaskPort } from './taskPort.ts';

const maxWaitSeconds = 3600;

/** What is no text counts as missing, which is answered in snake_case keys. */
const taskId = (): z.ZodCatch<z.ZodString> => z.string().catch('');

const rowSchema = z.lazy(() =>
  z.object({
    task_id: z.string(),
    status: z.enum(taskStates),
    command: z.string(),
    created_at: z.string(),
    started_at: z.string().optional(),
    estimated_duration_seconds: z.number().optional(),
    place_in_queue: z.number().optional(),
    ports: z.array(z.number()).optional(),
  }),
);

export function listedTasks() {
  const row = rowSchema.unwrap().extend({
    started_at: z.string().nullable(),
    estimated_duration_seconds: z.number().nullable(),
  });
  return z.object({ tasks: z.array(row), count: z.number() });
}

export function taskOutput() {
  return z.object({
    task_id: z.string(),
    status: z.enum(taskStates),
    stdout: z.string(),
    stderr: z.string(),
    next_offset: z.number(),
    next_offset_stderr: z.number().optional(),
    eof: z.boolean(),
  });
}

/** The tools that look after what runs in the background. */
export function createBackgroundTools(tasks: TaskPort): readonly Tool[] {
  return [
    checkBackgroundTask(tasks),
    listBackgroundTasks(tasks),
    getBackgroundOutput(tasks),
    cancelBackgroundTask(tasks),
  ];
}

function checkBackgroundTask(tasks: TaskPort): Tool {
  return defineTool({
    name: 'check_background_task',
    aliases: ['getBackgroundTaskStatus', 'getBackgroundTaskResult'],
    category: 'shell',
    permission: 'none',
    // A task that is not there is told in the data.
    errors: [],
    about: 'The state of a background task, with its result once it has ended. wait stays until then.',
    input: () =>
      z.object({
        task_id: taskId(),
        wait: z.boolean().optional(),
        timeout_seconds: z.number().min(0).max(maxWaitSeconds).optional(),
      }),
    output: () =>
      z.union([
        rowSchema.unwrap().extend({
          completed_at: z.string().optional(),
          duration_seconds: z.number().optional(),
          waits_for_input_at: z.string().optional(),
          error: z.string().optional(),
          result: endedSchema.optional(),
        }),
        cannotSchema.unwrap(),
      ]),
    text(data) {
      if (!('task_id' in data)) return data.error ?? '';
      const { duration_seconds: seconds, waits_for_input_at: prompt, error, result } = data;
      const notes = [error, prompt && `waits for input at: ${prompt}`, result?.left_running];
      const head = `${taskLine(data)}${seconds === undefined ? '' : ` (${seconds} s)`}`;
      if (result === undefined) return [head, ...notes.filter((note) => note !== undefined)].join('\n');
      const { stdout, stderr, returncode: exitCode, signal, task_id: cut } = result;
      return `${head}\n${commandLines({ stdout, stderr, exitCode, signal, notes: [...notes, cut && wholeOutput(cut)] })}`;
    },
    plan: async (input) => ok({ intent: taskIntent(`Look at task ${input.task_id}`), plan: input }),
    async run({ task_id, wait, timeout_seconds }, { signal }) {
      if (task_id === '') return missingId();
      const timeoutMs = timeout_seconds === undefined ? undefined : timeout_seconds * 1000;
      const task = wait === true ? await tasks.wait(task_id, timeoutMs, signal) : await find(tasks, task_id);
      return task.ok ? describeTask(tasks, task.value) : notFound(task_id, task.error.code);
    },
  });
}

function listBackgroundTasks(tasks: TaskPort): Tool {
  return defineTool({
    name: 'list_background_tasks',
    category: 'shell',
    permission: 'none',
    errors: [],
    about: 'The queued and running background tasks, or those of a given status, or all.',
    input: () => z.object({ status: z.enum([...taskStates, 'all']).optional() }),
    output: listedTasks,
    text: ({ tasks: listed }) => (listed.length === 0 ? 'no tasks' : listed.map(taskLine).join('\n')),
    plan: async (input) => ok({ intent: taskIntent('List the background tasks'), plan: input }),
    async run({ status }) {
      const wanted = (task: Task): boolean =>
        status === 'all' || (status === undefined ? !finalTaskStates.includes(task.state) : task.state === status);
      // What was waited for from its start to its end was never in the background.
      const found = (await tasks.list()).filter((task) => task.background !== undefined && wanted(task));
      // A list has the same columns in each row.
      const rows = found.map((task) => ({
        ...rowOf(task),
        started_at: task.startedAt ?? null,
        estimated_duration_seconds: task.estimateSeconds ?? null,
      }));
      return ok({ tasks: rows, count: rows.length });
    },
  });
}

function getBackgroundOutput(tasks: TaskPort): Tool {
  return defineTool({
    name: 'get_background_output',
    category: 'shell',
    permission: 'none',
    // Only where the task is forgotten while it is read.
    errors: ['TASK_NOT_FOUND'],
    about: 'A part of what a background task has written, also while it runs. offset and next_offset count characters.',
    input: () =>
      z.object({
        task_id: taskId(),
        stream: z.enum(['stdout', 'stderr', 'both']).optional(),
        offset: z.int().min(0).optional(),
        max_chars: z.int().min(1).optional(),
        tail_lines: z.int().min(1).optional(),
      }),
    output: () => z.union([taskOutput(), cannotSchema.unwrap()]),
    text(data) {
      if (!('status' in data)) return data.error;
      const { status, stdout, stderr, eof, next_offset: next } = data;
      return [
        `[${status}${eof ? '' : `; more from offset ${next}`}]`,
        stdout,
        ...(stderr === '' ? [] : ['[stderr]', stderr]),
      ].join('\n');
    },
    plan: async (input) => ok({ intent: taskIntent(`Read the output of task ${input.task_id}`), plan: input }),
    async run({ task_id, stream = 'both', offset, max_chars, tail_lines }) {
      if (task_id === '') return missingId();
      const query = { offset, maxChars: max_chars, tailLines: tail_lines };
      const task = await find(tasks, task_id);
      if (!task.ok) return notFound(task_id, task.error.code);
      const none = { ok: true as const, value: { text: '', nextOffset: 0, eof: true } };
      const stdout = stream === 'stderr' ? none : await tasks.output(task_id, 'stdout', query);
      const stderr = stream === 'stdout' ? none : await tasks.output(task_id, 'stderr', query);
      if (!stdout.ok) return stdout;
      if (!stderr.ok) return stderr;
      return ok({
        task_id,
        status: task.value.state,
        stdout: stdout.value.text,
        stderr: stderr.value.text,
        next_offset: stream === 'stderr' ? stderr.value.nextOffset : stdout.value.nextOffset,
        next_offset_stderr: stream === 'both' ? stderr.value.nextOffset : undefined,
        eof: stdout.value.eof && stderr.value.eof,
      });
    },
  });
}

function cancelBackgroundTask(tasks: TaskPort): Tool {
  return defineTool({
    name: 'cancel_background_task',
    category: 'shell',
    permission: 'moderate',
    errors: [],
    about: 'Stop a background task and everything it started.',
    input: () => z.object({ task_id: taskId() }),
    output: () =>
      z.union([
        z.object({ task_id: z.string(), cancelled: z.boolean(), status: z.enum(taskStates) }),
        cannotSchema.unwrap(),
      ]),
    text: (data) => {
      if (!('status' in data)) return data.error;
      return data.cancelled ? `${data.task_id} was stopped` : `${data.task_id} had ended: ${data.status}`;
    },
    plan: async (input) =>
      ok({
        intent: { ...taskIntent(`Stop task ${input.task_id}`), risk: 'moderate', effects: ['executes'] },
        plan: input,
      }),
    async run({ task_id }) {
      if (task_id === '') return missingId();
      const done = await tasks.cancel(task_id);
      if (!done.ok) return notFound(task_id, done.error.code);
      return ok({ task_id, cancelled: done.value.cancelled, status: done.value.task.state });
    },
  });
}

function taskIntent(summary: string): PlannedIntent {
  return readIntent(summary);
}

async function find(tasks: TaskPort, id: string): Promise<Result<Task>> {
  const task = await tasks.get(id);
  return task ? ok(task) : fail('TASK_NOT_FOUND', `Task '${id}' not found`);
}

/** In the data, as callers of these tools expect it. */
function notFound(id: string, code: string): Result<{ readonly error: string }> {
  return code === 'TASK_NOT_FOUND'
    ? ok({ error: `Task '${id}' not found` })
    : fail('CANCELLED', 'Stopped while it waited for the task.');
}

function missingId(): Result<{ readonly error: string }> {
  return ok({ error: 'task_id is required' });
}

function rowOf(task: Task): Immutable<z.infer<typeof rowSchema>> {
  return {
    task_id: task.id,
    status: task.state,
    command: task.command,
    created_at: task.createdAt,
    started_at: task.startedAt,
    estimated_duration_seconds: task.estimateSeconds,
    place_in_queue: task.place,
    ports: task.ports?.length ? task.ports : undefined,
  };
}

/** `t1 running: npm run dev, ports 3000`. */
function taskLine({ task_id: id, status, command, place_in_queue: place, ports = [] }: ShownTask): string {
  const queued = place === undefined ? '' : `, place ${place}`;
  return `${id} ${status}${queued}: ${command}${ports.length === 0 ? '' : `, ports ${ports.join(', ')}`}`;
}

type ShownTask = Pick<
  Immutable<z.infer<typeof rowSchema>>,
  'task_id' | 'status' | 'command' | 'place_in_queue' | 'ports'
>;

async function describeTask(tasks: TaskPort, task: Task) {
  const durationMs = durationOf(task);
  const hasResult = finalTaskStates.includes(task.state) && task.state !== 'failed';
  const output = hasResult ? await tasks.result(task.id) : undefined;
  return ok({
    ...rowOf(task),
    completed_at: task.endedAt,
    duration_seconds: durationMs === undefined ? undefined : durationMs / 1000,
    waits_for_input_at: task.stalledOn,
    error: task.error,
    result: output?.ok ? endedResult(task, output.value, tasks.maxOutputChars()) : undefined,
  });
}
