import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageUse } from '../../../shared/contract/storageApi.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';

/** What lies in the state folder, by what it is for. What is not named here is *other*. */
const kinds: Readonly<Record<string, StorageUse['kinds'][number]['kind']>> = {
  sessions: 'sessions',
  tasks: 'outputs',
  contents: 'callContents',
  logs: 'logs',
  cache: 'caches',
  samples: 'samples',
};

interface Size {
  sizeBytes: number;
  files: number;
  newestMs: number;
}

/** What takes room, by kind and by session, the largest first. Reads sizes only. */
export async function readStorage(state: string, sessions: readonly SessionSummary[]): Promise<StorageUse> {
  const byKind = new Map<StorageUse['kinds'][number]['kind'], Size>();
  for (const name of await namesIn(state)) {
    const size = await sizeOf(join(state, name));
    const kind = kinds[name] ?? 'other';
    byKind.set(kind, sum(byKind.get(kind), size));
  }
  const outputs = await outputsBySession(join(state, 'tasks'));
  const known = new Map(sessions.map((summary) => [summary.id, summary]));
  const used: StorageUse['sessions'][number][] = [];
  for (const id of await namesIn(join(state, 'sessions'))) {
    const place = join(state, 'sessions', id);
    const [all, journal, contents] = await Promise.all([
      sizeOf(place),
      sizeOf(join(place, 'journal.jsonl')),
      sizeOf(join(place, 'contents')),
    ]);
    if (journal.files === 0) continue;
    const outputBytes = outputs.get(id) ?? 0;
    const summary = known.get(id);
    used.push({
      id,
      title: summary?.title ?? '',
      project: summary?.project ?? '',
      updatedAt: summary?.updatedAt || new Date(all.newestMs).toISOString(),
      archived: summary?.archived ?? false,
      sizeBytes: all.sizeBytes + outputBytes,
      journalBytes: journal.sizeBytes,
      contentBytes: contents.sizeBytes,
      outputBytes,
    });
  }
  const list = [...byKind].map(([kind, { sizeBytes, files, newestMs }]) => ({
    kind,
    sizeBytes,
    files,
    newestAt: newestMs === 0 ? null : new Date(newestMs).toISOString(),
  }));
  return {
    folder: state,
    totalBytes: list.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    kinds: list.toSorted((a, b) => b.sizeBytes - a.sizeBytes),
    sessions: used.toSorted((a, b) => b.sizeBytes - a.sizeBytes),
  };
}

/** `tasks/PROJECT/SESSION/files`. */
async function outputsBySession(tasks: string): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  for (const project of await namesIn(tasks))
    for (const owner of await namesIn(join(tasks, project))) {
      const { sizeBytes } = await sizeOf(join(tasks, project, owner));
      bytes.set(owner, (bytes.get(owner) ?? 0) + sizeBytes);
    }
  return bytes;
}

function sum(a: Size | undefined, b: Size): Size {
  if (!a) return b;
  return {
    sizeBytes: a.sizeBytes + b.sizeBytes,
    files: a.files + b.files,
    newestMs: Math.max(a.newestMs, b.newestMs),
  };
}

async function sizeOf(path: string): Promise<Size> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return { sizeBytes: 0, files: 0, newestMs: 0 };
  if (!stats.isDirectory()) return { sizeBytes: stats.size, files: 1, newestMs: stats.mtimeMs };
  let total: Size = { sizeBytes: 0, files: 0, newestMs: 0 };
  for (const name of await namesIn(path)) total = sum(total, await sizeOf(join(path, name)));
  return total;
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
