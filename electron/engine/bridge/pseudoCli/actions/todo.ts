import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { parseJson } from '../../../base/boundedJson.ts';
import { type Action, type ActionPorts, type Params, params } from '../action.ts';
import { fields, textOf } from './callTool.ts';
import { changeRecords, findRecord, readRecords, type StoredRecord } from './records.ts';

const statuses = ['pending', 'in_progress', 'completed', 'cancelled'];

const todo = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'todo',
  action,
  about,
  params: params(flags),
  run,
});

export const todoActions: readonly Action[] = [
  todo('add', 'Add an entry.', 'title* priority', (given, ports) => {
    const title = textOf(given, 'title');
    if (title.trim() === '') return Promise.resolve(fail('VALIDATION_ERROR', '--title must not be blank'));
    const record = newTodo(ports, title, textOf(given, 'priority') || 'medium', 'pending');
    return changeRecords(ports, 'todos', (records) => ok({ records: [...records, record], answer: record }));
  }),
  todo('update', 'Change status or title of an entry.', 'id* status title', update),
  todo('list', 'All entries.', '', (_, ports) => list(ports, () => true)),
  todo('incomplete', 'Entries that are not done.', '', (_, ports) =>
    list(ports, ({ status }) => status === 'pending' || status === 'in_progress'),
  ),
  todo('export', 'All entries as JSON or as a Markdown list.', 'format:json|markdown', async (given, ports) => {
    const records = await readRecords(ports, 'todos');
    if (!records.ok) return records;
    if (given['format'] !== 'markdown') return ok(JSON.stringify(records.value, null, 2));
    const line = ({ title, status }: StoredRecord): string =>
      `- [${status === 'completed' ? 'x' : ' '}] ${String(title)}`;
    return ok(records.value.map(line).join('\n'));
  }),
  todo('import', 'Add the entries of an export.', 'data* format:json|markdown', (given, ports) => {
    const text = textOf(given, 'data');
    const entries = given['format'] === 'markdown' ? fromMarkdown(text) : fromJson(text);
    if (!entries.ok) return Promise.resolve(entries);
    const added = entries.value.map(({ title, priority, status }) => newTodo(ports, title, priority, status));
    return changeRecords(ports, 'todos', (records) =>
      ok({ records: [...records, ...added], answer: { imported: added.length } }),
    );
  }),
];

interface Entry {
  readonly title: string;
  readonly priority: string;
  readonly status: string;
}

function newTodo(ports: ActionPorts, title: string, priority: string, status: string): StoredRecord {
  const at = ports.now();
  return { id: ports.newId('todo'), title, priority, status, createdAt: at, updatedAt: at };
}

async function list(ports: ActionPorts, keep: (record: StoredRecord) => boolean): Promise<Result<unknown>> {
  const records = await readRecords(ports, 'todos');
  if (!records.ok) return records;
  const todos = records.value.filter(keep);
  return ok({ todos, count: todos.length });
}

function update(given: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const { status, title } = given;
  if (status !== undefined && !statuses.includes(textOf(given, 'status')))
    return Promise.resolve(fail('VALIDATION_ERROR', `--status must be one of ${statuses.join(', ')}`));
  if (status === undefined && title === undefined)
    return Promise.resolve(fail('VALIDATION_ERROR', 'todo update needs --status or --title'));
  return changeRecords(ports, 'todos', (records) => {
    const found = findRecord(records, 'Entry', given['id']);
    if (!found.ok) return found;
    const changed = {
      ...found.value,
      ...(status === undefined ? {} : { status }),
      ...(title === undefined ? {} : { title }),
      updatedAt: ports.now(),
    };
    return ok({ records: records.map((record) => (record === found.value ? changed : record)), answer: changed });
  });
}

function fromMarkdown(text: string): Result<readonly Entry[]> {
  const entries = text.split(/\r?\n/).flatMap((line) => {
    const [, mark, title] = /^\s*[-*] \[([ xX])\] (.+)$/.exec(line) ?? [];
    return title === undefined ? [] : [{ title, priority: 'medium', status: mark === ' ' ? 'pending' : 'completed' }];
  });
  return entries.length > 0 ? ok(entries) : fail('VALIDATION_ERROR', '--data has no line like "- [ ] title"');
}

function fromJson(text: string): Result<readonly Entry[]> {
  const parsed = parseJson(text);
  if (!parsed.ok) return fail('VALIDATION_ERROR', `--data is not valid JSON: ${parsed.message}`);
  if (!Array.isArray(parsed.value)) return fail('VALIDATION_ERROR', '--data must be a JSON array');
  const entries: Entry[] = [];
  for (const item of parsed.value) {
    const { title, priority, status } = fields(item);
    if (typeof title !== 'string' || title.trim() === '') return fail('VALIDATION_ERROR', 'Each entry needs a title');
    entries.push({
      title,
      priority: typeof priority === 'string' ? priority : 'medium',
      status: statuses.includes(String(status)) ? String(status) : 'pending',
    });
  }
  return ok(entries);
}
