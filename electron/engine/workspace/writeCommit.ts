import { lstat } from 'node:fs/promises';
import { removeRecord } from './applyRecord.ts';
import type { Disk } from './disk.ts';
import { type Current, isSameEntry, type StaleFile, type WriteContext, type WriteStep } from './fileWrite.ts';
import { codeOf } from './sandbox.ts';
import { movedSince } from './writeChecks.ts';
import type { MadeFolder } from './writePlaces.ts';

/** The only lines that change project files. Stops at the first file that moved since it was checked. */
export async function commitAll(
  disk: Disk,
  steps: readonly WriteStep[],
  committed: Set<WriteStep>,
  tell: (path: string) => void,
): Promise<readonly StaleFile[]> {
  for (const step of steps) {
    tell(step.write.path);
    const why = await movedSince(step);
    if (why !== undefined) return [{ path: step.write.path, why }];
    if (step.current && !(await keepBackup(disk, step, step.current)))
      return [{ path: step.write.path, why: 'it was replaced' }];
  }
  for (const step of steps) {
    tell(step.write.path);
    const place = step.folder.at(step.name);
    const why = await movedSince(step);
    if (why !== undefined) return [{ path: step.write.path, why }];
    // Moved, not unlinked: a file that is gone could have been removed by anybody.
    if (step.write.after === null) await disk.rename(place, step.folder.at(step.temporary));
    else if (step.current) await disk.rename(step.folder.at(step.temporary), place);
    else if (!(await createExclusively(disk, step, place))) return [{ path: step.write.path, why: 'it exists by now' }];
    committed.add(step);
  }
  return [];
}

/** A second name for the old file costs no space; where links are not possible, a copy. False when it is another file by now. */
async function keepBackup(disk: Disk, { folder, name, backup }: WriteStep, current: Current): Promise<boolean> {
  try {
    await disk.link(folder.at(name), folder.at(backup));
  } catch (error) {
    if (!linksNotPossible.has(codeOf(error))) throw error;
    const { mode, uid, gid } = current.stats;
    await disk.createFile(folder.at(backup), current.bytes, { mode: mode & 0o7777, uid, gid });
    return true;
  }
  return isSameEntry(await lstat(folder.at(backup)), current.stats);
}

const linksNotPossible = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS', 'EXDEV', 'EINVAL', 'UNKNOWN']);

/** Creates the file only if there is none: linking never replaces, renaming would. False when somebody was faster. */
async function createExclusively(disk: Disk, { folder, temporary }: WriteStep, place: string): Promise<boolean> {
  try {
    await disk.link(folder.at(temporary), place);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!linksNotPossible.has(codeOf(error))) throw error;
    if (await lstat(place).catch(() => undefined)) return false;
    await disk.rename(folder.at(temporary), place);
    return true;
  }
  await removeQuietly(disk, folder.at(temporary));
  return true;
}

/** Everything as it was. What resists stays in the record for the next start. */
export async function takeBack(
  context: WriteContext,
  id: string,
  steps: readonly WriteStep[],
  committed: ReadonlySet<WriteStep>,
  made: readonly MadeFolder[],
): Promise<void> {
  const { disk } = context;
  let whole = true;
  for (const step of steps.toReversed()) {
    try {
      if (committed.has(step)) await takeBackOne(disk, step);
    } catch {
      whole = false;
      continue;
    }
    whole = (await removeQuietly(disk, step.folder.at(step.temporary))) && whole;
    whole = (await removeQuietly(disk, step.folder.at(step.backup))) && whole;
  }
  // A folder that got other content meanwhile stays: rmdir refuses it.
  for (const { inside, name } of made.toReversed()) await disk.rmdir(inside.at(name)).catch(() => undefined);
  if (whole) await removeRecord(context.records, id).catch(() => undefined);
}

/** What somebody else wrote in the meantime is newer than both of ours and stays. */
async function takeBackOne(disk: Disk, { folder, name, backup, current, write, ours }: WriteStep): Promise<void> {
  const place = folder.at(name);
  const now = await lstat(place).catch(() => undefined);
  const isOurs =
    write.after === null ? now === undefined : now !== undefined && ours !== undefined && isSameEntry(now, ours);
  if (!isOurs) return;
  if (current) await disk.rename(folder.at(backup), place);
  else await disk.unlink(place);
}

export async function removeQuietly(disk: Disk, place: string): Promise<boolean> {
  try {
    await disk.unlink(place);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}
