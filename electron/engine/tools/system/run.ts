import * as z from 'zod';
import { taskStates } from '../../../../shared/model/task.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { commandErrors, folderErrors } from '../frame/errorGroups.ts';
import { commandLines } from '../frame/resultLines.ts';
import { defineTool, type Tool } from '../frame/tool.ts';
import { planCommand } from '../shell/commandIntent.ts';
import { durationOf, leftRunning, wholeOutput } from '../shell/commandResult.ts';
import type { TaskPort } from '../shell/taskPort.ts';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;

/** Runs a command in a folder of the project. Without args the line may need a shell; with them it never gets one. */
export function createRun(tasks: TaskPort): Tool {
  return defineTool({
    name: 'run',
    category: 'system',
    permission: 'dangerous',
    errors: [...folderErrors, ...commandErrors],
    pseudo: 'terminal exec',
    about:
      'Run a command; with args a program without a shell. timeout is in ms (default 120000 while it is waited for). What takes long goes on in the background: look at it with check_background_task.',
    input: () =>
      z.object({
        command: z.string(),
        args: z.array(z.string()).optional(),
        cwd: z.string().optional(),
        timeout: z.number().positive().max(maxTimeoutMs).optional(),
        env: z.record(z.string(), z.string()).optional(),
      }),
    output: () =>
      z.object({
        exitCode: z.number().nullable(),
        stdout: z.string(),
        stderr: z.string(),
        signal: z.string().optional(),
        duration: z.number().nullable(),
        timedOut: z.boolean(),
        truncated: z.boolean(),
        mode: z.enum(['shell', 'direct']),
        /** The task whose log holds all that was written, where `stdout` or `stderr` is cut. */
        taskId: z.string().optional(),
        survivors: z.array(z.number()).optional(),
        leftRunning: z.string().optional(),
        backgroundTaskId: z.string().optional(),
        reason: z.enum(['estimated', 'measured', 'explicit']).optional(),
        status: z.enum(taskStates).optional(),
      }),
    text: ({ exitCode, signal, stdout, stderr, leftRunning: left, backgroundTaskId, status }) =>
      commandLines({
        ...{ exitCode, signal, stdout, stderr },
        notes: [backgroundTaskId && `goes on as background task ${backgroundTaskId}, ${status ?? 'running'}`, left],
      }),
    leftOut: ({ taskId }) => taskId && wholeOutput(taskId),
    async plan({ command, args, cwd, timeout, env }, look) {
      return planCommand(
        { command, args, cwd, env, timeoutMs: timeout, usualTimeoutMs: defaultTimeoutMs },
        look,
        tasks,
      );
    },
    async run(request, hands) {
      const outcome = await hands.runCommand(request);
      if (!outcome.ok) return outcome;
      const { task, output } = outcome.value;
      const data = {
        exitCode: task.exitCode ?? null,
        stdout: output.stdout,
        stderr: output.stderr,
        signal: task.signal,
        duration: durationOf(task) ?? null,
        timedOut: task.state === 'timeout',
        truncated: output.truncated,
        mode: task.mode,
        taskId: output.truncated ? task.id : undefined,
        survivors: task.survivors?.length ? task.survivors : undefined,
        leftRunning: leftRunning(task),
      };
      if (outcome.value.kind === 'background')
        return ok({ ...data, backgroundTaskId: task.id, reason: outcome.value.reason, status: task.state });
      if (task.state === 'timeout') {
        return fail(
          'TIMEOUT',
          `The command was ended after ${request.timeoutMs ?? defaultTimeoutMs} ms with everything it had started. Give a longer timeout, or start it in the background.`,
          data,
        );
      }
      if (task.state === 'cancelled') return fail('CANCELLED', 'The command was stopped.', data);
      if (task.state === 'lost')
        return fail(
          'TOOL_EXECUTION_FAILED',
          task.error ?? 'The command was lost with the process that watched it.',
          data,
        );
      return ok(data);
    },
  });
}
