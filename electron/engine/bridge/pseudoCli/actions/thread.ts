import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { type Action, type ActionPorts, type Params, params } from '../action.ts';
import { agentProfiles } from '../threads.ts';
import { callTool, fields, textOf } from './callTool.ts';

const thread = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'thread',
  action,
  about,
  params: params(flags),
  run,
});

/** What a status asks of a session. */
const statuses: Readonly<Record<string, { readonly stop?: true; readonly archived: boolean }>> = {
  active: { archived: false },
  cancelled: { stop: true, archived: false },
  archived: { archived: true },
};
const editable = new Set(['title', 'status']);

export const threadActions: readonly Action[] = [
  thread('create', 'Make a session for a task.', 'task* agent', (given, ports) =>
    create(textOf(given, 'task'), textOf(given, 'agent'), ports),
  ),
  thread('create-start', 'Make a session, let its agent work, and wait for the end.', 'task* agent*', (given, ports) =>
    runThread(textOf(given, 'task'), textOf(given, 'agent'), ports),
  ),
  thread(
    'create-bg',
    'Make a session and let its agent work in the background.',
    'task* agent*',
    async (given, ports) => {
      const made = await create(textOf(given, 'task'), textOf(given, 'agent'), ports);
      return made.ok ? start(ports, idOf(made.value)) : made;
    },
  ),
  thread('list', 'The sessions of the project.', '', async (_, ports) => {
    const threads = ports.threads().list();
    return ok({ threads, count: threads.length });
  }),
  thread('get', 'One session.', 'id*', async (given, ports) => ports.threads().get(textOf(given, 'id'))),
  thread('start', 'Let the agent of a session work on the task that waits in it.', 'id*', (given, ports) =>
    start(ports, textOf(given, 'id')),
  ),
  thread('update', 'Change title or status of a session.', 'id* data*:json', (given, ports) =>
    update(textOf(given, 'id'), given['data'], ports),
  ),
  thread('delete', 'Delete a session.', 'id*', (given, ports) =>
    callTool(ports, 'thread_delete', { id: textOf(given, 'id') }),
  ),
  thread('status', 'Set the status of a session: active, cancelled or archived.', 'id* status*', (given, ports) =>
    update(textOf(given, 'id'), { status: textOf(given, 'status') }, ports),
  ),
  thread('messages', 'The messages of a session.', 'id*', (given, ports) => history(textOf(given, 'id'), ports)),
];

/** A session for a task. Errors: VALIDATION_ERROR for an agent that nobody knows. */
export async function create(task: string, agent: string, ports: ActionPorts): Promise<Result<unknown>> {
  if (agent !== '' && !agentProfiles.some(({ id }) => id === agent))
    return fail(
      'VALIDATION_ERROR',
      `There is no agent ${agent}; agent list shows them: ${agentProfiles.map(({ id }) => id).join(', ')}`,
    );
  return callTool(ports, 'thread_create', { task, agent });
}

/** Makes a session, starts it and waits for the end of its turn. */
export async function runThread(task: string, agent: string, ports: ActionPorts): Promise<Result<unknown>> {
  const made = await create(task, agent, ports);
  if (!made.ok) return made;
  const id = idOf(made.value);
  const started = await start(ports, id);
  if (!started.ok) return started;
  const ended = await ports.threads().ended(id, String(fields(started.value)['turn']), ports.signal);
  return ended.ok ? ok({ thread: id, ...ended.value }) : ended;
}

export async function start(ports: ActionPorts, id: string, text = ''): Promise<Result<unknown>> {
  const started = await callTool(ports, 'thread_start', { id, text });
  return started.ok ? ok({ thread: id, ...fields(started.value) }) : started;
}

export async function history(id: string, ports: ActionPorts): Promise<Result<unknown>> {
  const messages = ports.threads().messages(id);
  return messages.ok ? ok({ thread: id, messages: messages.value, count: messages.value.length }) : messages;
}

function update(id: string, data: unknown, ports: ActionPorts): Promise<Result<unknown>> {
  const wrong = (message: string): Promise<Result<never>> => Promise.resolve(fail('VALIDATION_ERROR', message));
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return wrong('--data must be a JSON object');
  const unknown = Object.keys(data).find((key) => !editable.has(key));
  if (unknown !== undefined) return wrong(`A thread has no field ${unknown}; known: ${[...editable].join(', ')}`);
  const { title, status } = data as Params; // an object, as was checked
  if (title !== undefined && (typeof title !== 'string' || title.trim() === '')) return wrong('title must be a text');
  const change = typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  if (status !== undefined && change === undefined)
    return wrong(`status must be one of ${Object.keys(statuses).join(', ')}`);
  return callTool(ports, 'thread_change', { id, title, ...change });
}

function idOf(made: unknown): string {
  return String(fields(made)['id']);
}
