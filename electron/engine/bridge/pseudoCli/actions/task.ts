import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { type Action, type ActionPorts, type Params, params } from '../action.ts';
import { fields, textOf } from './callTool.ts';
import { changeRecords, findRecord, readRecords } from './records.ts';
import { runThread } from './thread.ts';

const statuses = ['pending', 'in_progress', 'completed', 'cancelled'];
const editable = new Set(['title', 'description', 'status', 'agent']);

const task = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'task',
  action,
  about,
  params: params(flags),
  run,
});

export const taskActions: readonly Action[] = [
  task('create', 'Note a task.', 'title* description', async (given, ports) => {
    const at = ports.now();
    const record = {
      id: ports.newId('task'),
      title: textOf(given, 'title'),
      description: textOf(given, 'description'),
      status: 'pending',
      createdAt: at,
      updatedAt: at,
    };
    if (record.title.trim() === '') return fail('VALIDATION_ERROR', '--title must not be blank');
    return changeRecords(ports, 'tasks', (records) => ok({ records: [...records, record], answer: record }));
  }),
  task('update', 'Change title, description, status or agent of a task.', 'id* data*:json', (given, ports) =>
    update(ports, given, given['data']),
  ),
  task('assign', 'Give a task to an agent.', 'id* agent*', (given, ports) =>
    update(ports, given, { agent: given['agent'] }),
  ),
  task('execute', 'Let an agent work on a task in a session of its own, and wait for the end.', 'id* agent*', execute),
  task('delete', 'Remove a task.', 'id*', (given, ports) =>
    changeRecords(ports, 'tasks', (records) => {
      const found = findRecord(records, 'Task', given['id']);
      if (!found.ok) return found;
      return ok({
        records: records.filter((record) => record !== found.value),
        answer: { id: found.value.id, deleted: true },
      });
    }),
  ),
  task('list', 'All tasks, oldest first.', '', async (_, ports) => {
    const records = await readRecords(ports, 'tasks');
    return records.ok ? ok({ tasks: records.value, count: records.value.length }) : records;
  }),
  task('get', 'One task.', 'id*', async (given, ports) => {
    const records = await readRecords(ports, 'tasks');
    return records.ok ? findRecord(records.value, 'Task', given['id']) : records;
  }),
];

async function execute(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const { id, agent } = given;
  const records = await readRecords(ports, 'tasks');
  const found = records.ok ? findRecord(records.value, 'Task', id) : records;
  if (!found.ok) return found;
  const { title, description } = fields(found.value);
  const text = [title, description].filter((part) => typeof part === 'string' && part !== '').join('\n\n');
  const begun = await update(ports, given, { status: 'in_progress', agent });
  if (!begun.ok) return begun;
  const ended = await runThread(text, String(agent), ports);
  const outcome = ended.ok ? fields(ended.value)['outcome'] : undefined;
  const done = outcome === 'done' || outcome === 'answered';
  // What did not get done is a task to do, as it was.
  const after = await update(ports, given, { status: done ? 'completed' : String(found.value['status']) });
  if (!ended.ok || !after.ok) return ended.ok ? after : ended;
  return ok({ task: after.value, ...fields(ended.value) });
}

function update(ports: ActionPorts, given: Params, data: unknown): Promise<Result<unknown>> {
  const wrong = faultOf(data);
  if (wrong !== undefined) return Promise.resolve(fail('VALIDATION_ERROR', wrong));
  return changeRecords(ports, 'tasks', (records) => {
    const found = findRecord(records, 'Task', given['id']);
    if (!found.ok) return found;
    const changed = { ...found.value, ...fields(data), updatedAt: ports.now() };
    return ok({ records: records.map((record) => (record === found.value ? changed : record)), answer: changed });
  });
}

function faultOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return '--data must be a JSON object';
  for (const [key, value] of Object.entries(data)) {
    if (!editable.has(key)) return `A task has no field ${key}; known: ${[...editable].join(', ')}`;
    if (typeof value !== 'string') return `${key} must be a string`;
    if (key === 'status' && !statuses.includes(value))
      return `status must be one of ${statuses.join(', ')}, not ${value}`;
  }
  return undefined;
}
