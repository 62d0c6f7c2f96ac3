import * as z from 'zod';
import type { Immutable } from '../../../../shared/immutable.ts';
import { type Failure, ok, type Result } from '../../../../shared/result.ts';
import type { CommandRequest } from '../../exec/executor.ts';
import { commandLines } from '../frame/resultLines.ts';
import { defineTool, type Hands, type Look, type Planned, type Tool } from '../frame/tool.ts';
import { type CommandInput, planCommand } from './commandIntent.ts';
import {
  backgroundResult,
  backgroundSchema,
  cannotSchema,
  endedResult,
  endedSchema,
  wholeOutput,
} from './commandResult.ts';
import type { TaskPort } from './taskPort.ts';

type Plan =
  | { readonly kind: 'run'; readonly request: CommandRequest }
  | { readonly kind: 'cannot'; readonly data: z.infer<typeof cannotSchema> };

const guidance = [
  'Output over the limit is cut at its end: narrow it with grep, head or tail. The working folder does not persist between calls. Commands that take long go on in the background under an id.',
  'A returncode other than 0: read stderr. "File exists": the goal is reached, go on. "Permission denied": try another way or report it. "Command not found": see whether the program is installed, or use another. "No such file": look for the path first.',
].join(' ');

/** What is no text counts as none, which is answered in snake_case keys. */
const commandText = (): z.ZodCatch<z.ZodString> => z.string().catch('');

/** A command line through the shell, or a program with its words. What cannot run is answered in snake_case keys. */
export function createCliBasedTool(tasks: TaskPort): Tool {
  return defineTool({
    name: 'cli_based_tool',
    category: 'shell',
    permission: 'dangerous',
    // What cannot run is told in its data.
    errors: [],
    about: `The same as run in snake_case, without folder, time and variables: prefer run. ${guidance}`,
    input: () => z.object({ command: commandText(), args: z.array(z.string()).nullish() }),
    output: commandOutput,
    text: commandResultText,
    plan: ({ command, args }, look) => planOrTell({ command, args: args ?? undefined }, look, tasks),
    run: (plan, hands) => runOrTell(plan, hands, tasks),
  });
}

/** Starts a command in the background at once. */
export function createStartBackgroundTask(tasks: TaskPort): Tool {
  return defineTool({
    name: 'start_background_task',
    category: 'shell',
    permission: 'dangerous',
    errors: [],
    about:
      'Start what goes on by itself (a server, a watcher) in the background and get its id at once; what has an end is for run.',
    input: () =>
      z.object({
        command: commandText(),
        args: z.array(z.string()).nullish(),
        timeout_seconds: z.number().positive().optional(),
      }),
    output: commandOutput,
    text: commandResultText,
    plan: ({ command, args, timeout_seconds }, look) =>
      planOrTell(
        {
          command,
          args: args ?? undefined,
          background: true,
          timeoutMs: timeout_seconds === undefined ? undefined : timeout_seconds * 1000,
        },
        look,
        tasks,
      ),
    run: (plan, hands) => runOrTell(plan, hands, tasks),
  });
}

async function planOrTell(input: CommandInput, look: Look, tasks: TaskPort): Promise<Result<Planned<Plan>>> {
  if (input.command.trim() === '') return tell({ error: 'cli_based_tool: command must be provided' });
  const planned = await planCommand(input, look, tasks);
  if (planned.ok) return ok({ intent: planned.value.intent, plan: { kind: 'run', request: planned.value.plan } });
  return tell(cannotRun(planned.error));
}

function cannotRun({ message, details }: Failure): z.infer<typeof cannotSchema> {
  const hint = typeof details === 'object' && details !== null && 'hint' in details ? details.hint : undefined;
  return { error: `cli_based_tool: ${message}`, hint };
}

/** Nothing will run, so nothing is asked: the answer is known already. */
function tell(data: z.infer<typeof cannotSchema>): Result<Planned<Plan>> {
  return ok({
    intent: { risk: 'none', effects: [], targets: [], summary: data.error, preview: { kind: 'none' } },
    plan: { kind: 'cannot', data },
  });
}

function commandResultText(data: Immutable<z.output<ReturnType<typeof commandOutput>>>): string {
  if ('background_task_id' in data) {
    const { background_task_id: id, status, reason, message, place_in_queue: place, stdout, stderr } = data;
    const why = reason === 'explicit' ? '' : `: ${message}`;
    const note = `background task ${id}, ${status}${place === undefined ? '' : `, place ${place} in the queue`}${why}`;
    return commandLines({ stdout, stderr, notes: [note] });
  }
  if (!('returncode' in data))
    return [data.error, data.hint].flatMap((part) => (part === undefined ? [] : [JSON.stringify(part)])).join('\n');
  const { stdout, stderr, returncode, signal, task_id: cut, error, left_running: left, hint } = data;
  return commandLines({
    stdout,
    stderr,
    exitCode: returncode,
    signal,
    notes: [error, cut && wholeOutput(cut), left, hint],
  });
}

const commandOutput = () => z.union([endedSchema.unwrap(), backgroundSchema.unwrap(), cannotSchema.unwrap()]);

async function runOrTell(
  plan: Plan,
  hands: Hands,
  tasks: TaskPort,
): Promise<Result<Immutable<z.output<ReturnType<typeof commandOutput>>>>> {
  if (plan.kind === 'cannot') return ok(plan.data);
  const outcome = await hands.runCommand(plan.request);
  if (!outcome.ok) return outcome.error.code === 'CANCELLED' ? outcome : ok(cannotRun(outcome.error));
  const { value } = outcome;
  if (value.kind === 'background') return ok(backgroundResult(value, tasks.maxOutputChars()));
  const { task, output, hint } = value;
  // It is about what the command did: one that failed did nothing.
  return ok({ ...endedResult(task, output, tasks.maxOutputChars()), hint: task.exitCode === 0 ? hint : undefined });
}
