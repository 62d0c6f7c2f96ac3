import { fail, ok, type Result } from '../../../../../shared/result.ts';
import type { ActionPorts } from '../action.ts';
import { fields, listOf } from './callTool.ts';

/** A row of a small store. */
export interface StoredRecord {
  readonly id: string;
  readonly [key: string]: unknown;
}

const maxRecords = 10_000;
const queues = new WeakMap<object, Promise<unknown>>();

/** Reads, changes and writes a store; two changes of one store never overlap in this process. */
export async function changeRecords<T>(
  ports: ActionPorts,
  name: string,
  change: (
    records: readonly StoredRecord[],
  ) => Result<{ readonly records: readonly StoredRecord[]; readonly answer: T }>,
): Promise<Result<T>> {
  const work = async (): Promise<Result<T>> => {
    const read = await readRecords(ports, name);
    if (!read.ok) return read;
    const changed = change(read.value);
    if (!changed.ok) return changed;
    const { records, answer } = changed.value;
    if (records.length > maxRecords) return fail('LIMIT_EXCEEDED', `The ${name} store is full (${maxRecords} entries)`);
    const written = await ports.store.write(name, records);
    return written.ok ? ok(answer) : written;
  };
  const before = queues.get(ports.store) ?? Promise.resolve();
  const after = before.then(work, work);
  queues.set(
    ports.store,
    after.catch(() => undefined),
  );
  return after;
}

export async function readRecords(ports: ActionPorts, name: string): Promise<Result<readonly StoredRecord[]>> {
  const read = await ports.store.read(name);
  if (!read.ok) return read;
  return ok(listOf(read.value).filter((entry) => typeof fields(entry)['id'] === 'string') as readonly StoredRecord[]); // ids were checked
}

export function findRecord(records: readonly StoredRecord[], name: string, id: unknown): Result<StoredRecord> {
  const found = records.find((record) => record.id === id);
  return found === undefined ? fail('TASK_NOT_FOUND', `${name} ${String(id)} not found`) : ok(found);
}
