import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../../shared/result.ts';
import { atOnce } from './atOnce.ts';
import {
  type Current,
  type FileWrite,
  isSameEntry,
  type StaleFile,
  staleFailure,
  type WriteStep,
} from './fileWrite.ts';
import { codeOf } from './sandbox.ts';
import { hashOf } from './textFile.ts';
import type { Place } from './writePlaces.ts';
import { writeProblem } from './writeProblem.ts';

/** As many as the pool of threads that does their reading, twice. */
const filesAtOnce = 8;

/**
 * Compares every file with what was shown: all differences are told at once, and nothing has been written. A file that may
 * not be written to is refused although its folder would let it be replaced.
 */
export async function checkAll(
  writes: readonly FileWrite[],
  places: ReadonlyMap<FileWrite, Place>,
): Promise<Result<ReadonlyMap<FileWrite, Current | undefined>>> {
  const stale: StaleFile[] = [];
  const read = new Map<FileWrite, Current | undefined | string>();
  const refused: ReturnType<typeof writeProblem>[] = [];
  await atOnce(filesAtOnce, writes, async (write) => {
    const place = places.get(write);
    if (!place || place.missing.length > 0) return;
    const entry = place.existing.at(path.basename(write.real));
    try {
      const current = await readCurrent(entry);
      read.set(write, current);
      if (write.after !== null && typeof current === 'object') await tryToWrite(entry);
    } catch (error) {
      refused.push(writeProblem(error, write.path));
    }
  });
  if (refused[0]) return refused[0];
  const found = new Map<FileWrite, Current | undefined>();
  for (const write of writes) {
    const current = read.get(write);
    if (typeof current === 'string') stale.push({ path: write.path, why: current });
    else if (write.before === null && current) stale.push({ path: write.path, why: 'it exists by now' });
    else if (write.before !== null && !current) stale.push({ path: write.path, why: 'it no longer exists' });
    else if (write.before !== null && current?.hash !== write.before)
      stale.push({ path: write.path, why: 'its content changed' });
    found.set(write, typeof current === 'string' ? undefined : current);
  }
  return stale.length > 0 ? staleFailure(stale) : ok(found);
}

/** Throws what the system answers to somebody who may not write this file; that it is being run says nothing of that. */
async function tryToWrite(place: string): Promise<void> {
  const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(place, flags).catch((error: unknown) => {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
  });
  await handle?.close();
}

/** The file itself, links not followed; a text says why it cannot be one. Throws for what the system refuses. */
async function readCurrent(place: string): Promise<Current | undefined | string> {
  const entry = await lstat(place).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!entry) return undefined;
  if (entry.isSymbolicLink()) return 'it is a link by now';
  if (!entry.isFile()) return 'it is no regular file';
  const handle = await open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return 'it is no regular file';
    const bytes = await handle.readFile();
    return { stats, bytes, hash: hashOf(bytes) };
  } finally {
    await handle.close();
  }
}

/** Asked right before acting: the folder still lies where it lay, and the entry is still the one that was compared (P9, N4). */
export async function movedSince({ folder, name, current }: WriteStep): Promise<string | undefined> {
  if (!(await folder.isStillThere())) return 'its folder was replaced';
  const now = await lstat(folder.at(name)).catch(() => undefined);
  if (!current) return now ? 'it exists by now' : undefined;
  if (!now) return 'it no longer exists';
  return isSameEntry(now, current.stats) ? undefined : 'its content changed';
}
