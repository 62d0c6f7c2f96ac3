import * as z from 'zod';
import { finalTaskStates, type Task, taskStates } from '../../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { defineTool, type PlannedIntent, readIntent, type Tool } from '../frame/tool.ts';
import { durationOf, endedResult } from './commandResult.ts';
import type { TaskPort } from './taskPort.ts';

const maxWaitSeconds = 3600;

/** What is no text counts as missing, which is answered in the seed's own keys. */
const taskId = (): z.ZodCatch<z.ZodString> => z.string().catch('');

/** A list has the same columns in each row. */
const unknowns = { started_at: null, estimated_duration_seconds: null } as const;

/** The tools of seed 001 that look after what runs in the background. */
export function createBackgroundTools(tasks: TaskPort): readonly Tool[] {
  const check = defineTool({
    name: 'check_background_task',
    aliases: ['getBackgroundTaskStatus', 'getBackgroundTaskResult'],
    category: 'shell',
    permission: 'none',
    // A task that is not there is told in the data, as the seed has it.
    errors: [],
    about: 'The state of a background task, with its result once it has ended. wait stays until then.',
    input: () =>
      z.object({
        task_id: taskId(),
        wait: z.boolean().optional(),
        timeout_seconds: z.number().min(0).max(maxWaitSeconds).optional(),
      }),
    plan: async (input) => ok({ intent: taskIntent(`Look at task ${input.task_id}`), plan: input }),
    async run({ task_id, wait, timeout_seconds }, { signal }) {
      if (task_id === '') return missingId();
      const timeoutMs = timeout_seconds === undefined ? undefined : timeout_seconds * 1000;
      const task = wait === true ? await tasks.wait(task_id, timeoutMs, signal) : await find(tasks, task_id);
      return task.ok ? describeTask(tasks, task.value) : notFound(task_id, task.error.code);
    },
  });

  return [
    check,
    defineTool({
      name: 'list_background_tasks',
      category: 'shell',
      permission: 'none',
      errors: [],
      about: 'The queued and running background tasks, or those of a given status, or all.',
      input: () => z.object({ status: z.enum([...taskStates, 'all']).optional() }),
      plan: async (input) => ok({ intent: taskIntent('List the background tasks'), plan: input }),
      async run({ status }) {
        const wanted = (task: Task): boolean =>
          status === 'all' || (status === undefined ? !finalTaskStates.includes(task.state) : task.state === status);
        // What was waited for from its start to its end was never in the background.
        const found = (await tasks.list()).filter((task) => task.background !== undefined && wanted(task));
        return ok({ tasks: found.map((task) => ({ ...unknowns, ...lineOf(task) })), count: found.length });
      },
    }),
    defineTool({
      name: 'get_background_output',
      category: 'shell',
      permission: 'none',
      // Only where the task is forgotten while it is read.
      errors: ['TASK_NOT_FOUND'],
      about:
        'A part of what a background task has written, also while it runs. offset and next_offset count characters.',
      input: () =>
        z.object({
          task_id: taskId(),
          stream: z.enum(['stdout', 'stderr', 'both']).optional(),
          offset: z.int().min(0).optional(),
          max_chars: z.int().min(1).optional(),
          tail_lines: z.int().min(1).optional(),
        }),
      plan: async (input) => ok({ intent: taskIntent(`Read the output of task ${input.task_id}`), plan: input }),
      async run({ task_id, stream = 'both', offset, max_chars, tail_lines }) {
        if (task_id === '') return missingId();
        const query = {
          ...(offset === undefined ? {} : { offset }),
          ...(max_chars === undefined ? {} : { maxChars: max_chars }),
          ...(tail_lines === undefined ? {} : { tailLines: tail_lines }),
        };
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
          ...(stream === 'both' ? { next_offset_stderr: stderr.value.nextOffset } : {}),
          eof: stdout.value.eof && stderr.value.eof,
        });
      },
    }),
    defineTool({
      name: 'cancel_background_task',
      category: 'shell',
      permission: 'moderate',
      errors: [],
      about: 'Stop a background task and everything it started.',
      input: () => z.object({ task_id: taskId() }),
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
    }),
  ];
}

function taskIntent(summary: string): PlannedIntent {
  return readIntent(summary);
}

async function find(tasks: TaskPort, id: string): Promise<Result<Task>> {
  const task = await tasks.get(id);
  return task ? ok(task) : fail('TASK_NOT_FOUND', `Task '${id}' not found`);
}

/** In the seed's own keys, as its callers expect them. */
function notFound(id: string, code: string): Result<unknown> {
  return code === 'TASK_NOT_FOUND'
    ? ok({ error: `Task '${id}' not found` })
    : fail('CANCELLED', 'Stopped while it waited for the task.');
}

function missingId(): Result<unknown> {
  return ok({ error: 'task_id is required' });
}

function lineOf(task: Task): Record<string, unknown> {
  return {
    task_id: task.id,
    status: task.state,
    command: task.command,
    created_at: task.createdAt,
    ...(task.startedAt === undefined ? {} : { started_at: task.startedAt }),
    ...(task.estimateSeconds === undefined ? {} : { estimated_duration_seconds: task.estimateSeconds }),
    ...(task.place === undefined ? {} : { place_in_queue: task.place }),
    ...(task.ports?.length ? { ports: task.ports } : {}),
  };
}

async function describeTask(tasks: TaskPort, task: Task): Promise<Result<unknown>> {
  const base = {
    ...lineOf(task),
    ...(task.endedAt === undefined ? {} : { completed_at: task.endedAt }),
    ...(durationOf(task) === undefined ? {} : { duration_seconds: (durationOf(task) ?? 0) / 1000 }),
    ...(task.stalledOn === undefined ? {} : { waits_for_input_at: task.stalledOn }),
    ...(task.error === undefined ? {} : { error: task.error }),
  };
  if (!finalTaskStates.includes(task.state) || task.state === 'failed') return ok(base);
  const output = await tasks.result(task.id);
  return output.ok ? ok({ ...base, result: endedResult(task, output.value, tasks.maxOutputChars()) }) : ok(base);
}
