import { rmSync } from 'node:fs';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Younger files may be of a task that runs in another process, perhaps without a word. */
const youngMs = 60 * 60 * 1000;

/** What the outputs of all tasks may take together, and how long one is kept. */
export interface OutputLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** Four logs of the largest size; a month. */
export const outputLimits: OutputLimits = { maxBytes: 4 * 1024 ** 3, maxAgeMs: 30 * 24 * 3_600_000 };

/** Path without suffix of a task's files: in a folder of its session, which goes with it. */
export function taskBase(taskFolder: string, owner: string, id: string): string {
  return join(taskFolder, owner, id);
}

export function removeTaskFiles(base: string): void {
  for (const suffix of ['.log', '.1.log', '.out', '.out.new', '.err', '.json']) rmSync(base + suffix, { force: true });
}

export interface Collection {
  /** Whether what a session left is still wanted. */
  readonly isKept: (owner: string) => boolean;
  /** Whether a task is known to run. */
  readonly runs: (id: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limits?: OutputLimits;
}

/**
 * Removes outputs of sessions that are gone, of tasks that are too old, and the oldest beyond what all may take, in `root`
 * (`PROJECT/SESSION/files`). What is young or runs stays. Returns how many bytes were removed.
 */
export async function collectOutputs(root: string, collection: Collection): Promise<number> {
  const { isKept, runs, now, limits = outputLimits } = collection;
  let removed = 0;
  const kept: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
  const remove = async (path: string, size: number): Promise<void> => {
    await rm(path, { force: true });
    removed += size;
  };
  for (const project of await namesIn(root)) {
    for (const owner of await namesIn(join(root, project))) {
      const folder = join(root, project, owner);
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (!found?.isFile() || now - found.mtimeMs < youngMs || runs(name.replace(/\..*$/, ''))) continue;
        const { size, mtimeMs } = found;
        if (!isKept(owner) || now - mtimeMs > limits.maxAgeMs) await remove(path, size);
        else kept.push({ path, size, mtimeMs });
      }
      await rmdir(folder).catch(() => undefined); // not empty, or a file of older days
    }
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of kept.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= limits.maxBytes) break;
    total -= size;
    await remove(path, size);
  }
  return removed;
}

/** Removes all outputs of one session, of whatever project. */
export async function removeOutputsOf(root: string, owner: string): Promise<void> {
  for (const project of await namesIn(root)) await rm(join(root, project, owner), { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []); // not there, or no folder
}
