import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { type Action, type ActionPorts, type Params, params } from '../action.ts';
import { callTool, fields, listOf, textOf } from './callTool.ts';

const taskId = /^cli_[a-z0-9]+$/;
/** Tasks may be named by their id as well, which is what other tools answer with. */
const processParams = params('process-id*:number lines:number tail-bytes:number').map((param) =>
  param.name === 'processId' ? { ...param, accepts: (text: string) => taskId.test(text) } : param,
);

export const terminalActions: readonly Action[] = [
  {
    module: 'terminal',
    action: 'exec',
    about: 'Run a command; a long one goes on in the background.',
    params: params(
      'command* mode:auto|foreground|background yield-ms:number timeout-ms:number background-on-yield:boolean',
    ),
    run: exec,
  },
  {
    module: 'terminal',
    action: 'list',
    about: 'List the tasks that run or ran in the background.',
    params: [],
    run: async (_, ports) => {
      const tasks = await listTasks(ports);
      return tasks.ok ? ok({ processes: tasks.value, count: tasks.value.length }) : tasks;
    },
  },
  {
    module: 'terminal',
    action: 'output',
    about: 'What a background task has written.',
    params: processParams,
    run: output,
  },
  {
    module: 'terminal',
    action: 'stop',
    about: 'Stop a background task.',
    params: processParams.slice(0, 1),
    run: async (given, ports) => {
      const id = await idOf(given, ports);
      return id.ok ? callTool(ports, 'cancel_background_task', { task_id: id.value }) : id;
    },
  },
];

async function exec(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const command = textOf(given, 'command');
  const nested = ports.nested(command);
  if (nested !== undefined) return nested;
  const timeoutMs = given['timeoutMs'];
  for (const name of ['yieldMs', 'backgroundOnYield'])
    if (given[name] !== undefined) ports.warn(`${name} has no effect: the setting auto_background_threshold decides`);
  switch (given['mode']) {
    case 'background': {
      const timeout = typeof timeoutMs === 'number' ? { timeout_seconds: timeoutMs / 1000 } : {};
      return withProcessId(await callTool(ports, 'start_background_task', { command, ...timeout }));
    }
    case 'foreground':
      return callTool(ports, 'run', { command, timeout: timeoutMs });
    default:
      if (timeoutMs !== undefined) return callTool(ports, 'run', { command, timeout: timeoutMs });
      return withProcessId(await callTool(ports, 'cli_based_tool', { command }));
  }
}

function withProcessId(answer: Result<unknown>): Result<unknown> {
  if (!answer.ok) return answer;
  const id = fields(answer.value)['background_task_id'];
  return typeof id === 'string' ? ok({ ...fields(answer.value), processId: processNumber(id) }) : answer;
}

interface ListedTask {
  readonly processId: number;
  readonly task_id: string;
}

async function listTasks(ports: ActionPorts): Promise<Result<readonly ListedTask[]>> {
  const listed = await callTool(ports, 'list_background_tasks', { status: 'all' });
  if (!listed.ok) return listed;
  const tasks = listOf(fields(listed.value)['tasks']).map((task) => {
    const id = String(fields(task)['task_id']);
    return { processId: processNumber(id), ...fields(task), task_id: id };
  });
  return ok(tasks);
}

/**
 * The number of a task, since the format declares process ids as numbers: FNV-1a over the id, 32 bits. It is the same in
 * every list, so an old number never names another task.
 */
export function processNumber(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

async function idOf(given: Params, ports: ActionPorts): Promise<Result<string>> {
  const wanted = given['processId'];
  if (typeof wanted === 'string') return ok(wanted);
  const tasks = await listTasks(ports);
  if (!tasks.ok) return tasks;
  const found = tasks.value.filter(({ processId }) => processId === wanted);
  const [only] = found;
  return only !== undefined && found.length === 1
    ? ok(only.task_id)
    : fail('TASK_NOT_FOUND', `Process ${String(wanted)} not found; terminal list shows the process ids`);
}

async function output(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const id = await idOf(given, ports);
  if (!id.ok) return id;
  const { lines, tailBytes } = given;
  const read = await callTool(ports, 'get_background_output', {
    task_id: id.value,
    tail_lines: lines,
  });
  if (!read.ok || typeof tailBytes !== 'number') return read;
  const data = fields(read.value);
  return ok({ ...data, stdout: tail(data['stdout'], tailBytes), stderr: tail(data['stderr'], tailBytes) });
}

/** The last bytes of a text, without half a character in front. */
function tail(text: unknown, bytes: number): unknown {
  if (typeof text !== 'string') return text;
  const all = Buffer.from(text);
  return all
    .subarray(Math.max(0, all.length - Math.max(0, Math.trunc(bytes))))
    .toString()
    .replace(/^\uFFFD+/, '');
}
