import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { ContentId } from '../../../shared/model/change.ts';
import { type ApplyRecord, abandonedRecords, type RecordedFile, removeRecord } from './applyRecord.ts';
import type { Contents } from './contents.ts';
import type { Disk } from './disk.ts';
import { hashFileAt } from './hashFileAt.ts';
import { type HeldFolder, holdFolder } from './heldFolder.ts';
import { isInside, type PathPlatform } from './pathRules.ts';
import { removeQuietly } from './writeCommit.ts';
import { removeEmptyFolder } from './writePlaces.ts';

/** What became of a write that a crash had cut in two. */
export interface RecoveredApply {
  readonly id: string;
  /** `finished`: every file has its new content. `rolled-back`: every file has its old content, but for the conflicts. */
  readonly outcome: 'finished' | 'rolled-back';
  readonly files: readonly {
    readonly path: string;
    readonly real: string;
    readonly before: ContentId | null;
    readonly after: ContentId | null;
  }[];
  /** Paths that somebody changed since, or that cannot be reached any more: left as they are. */
  readonly conflicts: readonly string[];
}

/**
 * Run once at the start, before anything is applied. Finishes what had all its files in place and takes back the rest; no
 * temporary file stays. Writes of processes that still run are left to them.
 */
export async function recoverApplies(context: {
  readonly disk: Disk;
  readonly contents: Contents;
  readonly records: string;
  /** Only writes inside these are looked at: those of other projects wait until their project is opened. */
  readonly roots: readonly string[];
  readonly platform: PathPlatform;
}): Promise<readonly RecoveredApply[]> {
  const recovered: RecoveredApply[] = [];
  const isOurs = (record: ApplyRecord) =>
    record.files.every(({ real }) => context.roots.some((root) => isInside(root, real, context.platform)));
  for (const record of abandonedRecords(context.records))
    if (isOurs(record)) recovered.push(await recoverOne(context, record));
  return recovered;
}

interface Found {
  readonly file: RecordedFile;
  readonly folder: HeldFolder;
  readonly name: string;
  readonly now: ContentId | null | undefined;
}

async function recoverOne(
  { disk, contents, records }: { readonly disk: Disk; readonly contents: Contents; readonly records: string },
  record: ApplyRecord,
): Promise<RecoveredApply> {
  const held: HeldFolder[] = [];
  const conflicts: string[] = [];
  try {
    const found: Found[] = [];
    let unreachable = 0;
    for (const file of record.files) {
      const parent = path.dirname(file.real);
      const folder = held.find((one) => one.real === parent) ?? (await holdFolder(parent));
      if (!folder) {
        unreachable += 1;
        // A folder that was never made held a file that was never made.
        if (file.before !== null || record.stage === 'done') conflicts.push(file.path);
        continue;
      }
      if (!held.includes(folder)) held.push(folder);
      const name = path.basename(file.real);
      found.push({ file, folder, name, now: await hashFileAt(folder.at(name)) });
    }
    const isWhole = record.stage === 'done' || (unreachable === 0 && (await allInPlace(found)));
    if (!isWhole) for (const one of found) if (!(await takeBack(disk, contents, one))) conflicts.push(one.file.path);
    for (const { file, folder } of found) {
      await removeQuietly(disk, folder.at(file.temporary));
      await removeQuietly(disk, folder.at(file.backup));
    }
    if (!isWhole) for (const folder of record.folders.toReversed()) await removeEmptyFolder(disk, folder);
    await removeRecord(records, record.id);
    const files = record.files.map(({ path: name, real, before, after }) => ({ path: name, real, before, after }));
    return { id: record.id, outcome: isWhole ? 'finished' : 'rolled-back', files, conflicts };
  } finally {
    for (const folder of held) await folder.close();
  }
}

/** Every file has its new content and no longer is its own backup (a change of the executable bit alone keeps the content). */
async function allInPlace(found: readonly Found[]): Promise<boolean> {
  for (const { file, folder, name, now } of found) {
    if (now !== file.after) return false;
    const [entry, temporary, backup] = await Promise.all(
      [name, file.temporary, file.backup].map((one) => lstat(folder.at(one)).catch(() => undefined)),
    );
    if (file.before === file.after && temporary) return false;
    if (entry && backup && entry.ino === backup.ino) return false;
  }
  return true;
}

/** False when the file is neither what it was nor what it was to become. */
async function takeBack(disk: Disk, contents: Contents, { file, folder, name, now }: Found): Promise<boolean> {
  const place = folder.at(name);
  const backup = folder.at(file.backup);
  if (now === file.before && file.before !== file.after) return true;
  if (now !== file.after) return now === file.before;
  if (file.before === null) return removeQuietly(disk, place);
  const [entry, kept] = await Promise.all([lstat(place).catch(() => undefined), lstat(backup).catch(() => undefined)]);
  if (entry && kept && entry.ino === kept.ino) return true;
  if (kept) {
    await disk.rename(backup, place);
    return true;
  }
  if (file.before === file.after) return true;
  const bytes = await contents.get(file.before);
  if (!bytes.ok) return false;
  await disk.createFile(backup, bytes.value, { mode: file.mode });
  await disk.rename(backup, place);
  return true;
}
