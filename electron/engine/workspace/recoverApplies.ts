import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { ContentId } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { withLock } from '../base/fileLock.ts';
import {
  type AbandonedRecord,
  abandonedRecords,
  type EntryMark,
  fileOf,
  hasMark,
  type RecordedFile,
  readRecord,
  removeRecord,
  removeTornRecords,
} from './applyRecord.ts';
import type { Disk } from './disk.ts';
import { hashFileAt } from './hashFileAt.ts';
import { type HeldFolder, holdFolder } from './heldFolder.ts';
import { isInside, type PathPlatform } from './pathRules.ts';
import { removeQuietly } from './writeCommit.ts';
import { removeEmptyFolder } from './writePlaces.ts';

/** What became of a write that a crash had cut in two. */
export interface RecoveredApply {
  readonly id: string;
  /** The session whose call it was. */
  readonly session: string;
  /** `finished`: every file has its new content. `rolled-back`: every file has its old content, but for those left alone. */
  readonly outcome: 'finished' | 'rolled-back';
  readonly files: readonly RecoveredFile[];
  /** Of a write that was finished: what its session is told. */
  readonly fact: SessionEvent | undefined;
}

export interface RecoveredFile {
  readonly path: string;
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  /** `kept`: it has its new content. `taken-back`: it had it. `untouched`: it never had it. `left`: somebody else's by now, or out of reach. */
  readonly now: 'kept' | 'taken-back' | 'untouched' | 'left';
}

export interface RecoveryContext {
  readonly disk: Disk;
  /** Where the records lie. */
  readonly records: string;
  /** Only writes that reach into these are looked at: those of other projects wait until theirs is opened. */
  readonly roots: readonly string[];
  readonly platform: PathPlatform;
  /** Keeps what is recovered for its session. Runs before the record goes. */
  readonly keep?: (one: RecoveredApply) => void;
}

/**
 * Run whenever a project is opened. Finishes what had all its files in place and takes back the rest; no temporary file
 * stays. A file is taken back only when its entry is the very one that the write had made and its backup is there: what a
 * person has put in its place since, with whatever content, is theirs. Writes of processes that still run are left to them.
 */
export async function recoverApplies(context: RecoveryContext): Promise<readonly RecoveredApply[]> {
  await removeTornRecords(context.records);
  const recovered: RecoveredApply[] = [];
  const isOurs = ({ files }: AbandonedRecord) =>
    files.some(({ real }) => context.roots.some((root) => isInside(root, real, context.platform)));
  for (const { id } of abandonedRecords(context.records).filter(isOurs)) {
    const file = fileOf(context.records, id);
    // Another process may open the project at the same time: one recovers, the other waits until all is in place.
    const one = await withLock(`${file}.lock`, async () => {
      const record = readRecord(file);
      return record && (await recoverOne(context, record));
    });
    if (one) recovered.push(one);
  }
  return recovered;
}

/** What a person is told of it; nothing where no file had been touched. */
export function recoveryWords({ outcome, files }: RecoveredApply): string | undefined {
  const named = (now: RecoveredFile['now']) => files.filter((file) => file.now === now).map((file) => file.path);
  const [kept, back, left] = [named('kept'), named('taken-back'), named('left')];
  if (outcome === 'rolled-back' && back.length + left.length === 0) return undefined;
  const parts = [
    ...(kept.length > 0 ? [`They stand as written: ${kept.join(', ')}.`] : []),
    ...(back.length > 0 ? [`Taken back, because not all were in place: ${back.join(', ')}.`] : []),
    ...(left.length > 0 ? [`Changed by somebody else since, and left as they are: ${left.join(', ')}.`] : []),
  ];
  return `Vise ended while it wrote ${files.length} file${files.length === 1 ? '' : 's'}. ${parts.join(' ')}`;
}

interface Found {
  readonly file: RecordedFile;
  readonly folder: HeldFolder;
  readonly name: string;
  readonly hasBackup: boolean;
  /** Its entry is the one that the write had made, or it is gone because the write had moved it away. */
  readonly isOurs: boolean;
  /** Its content is what it was before. */
  readonly isOld: boolean;
}

async function recoverOne(
  { disk, records, keep }: Pick<RecoveryContext, 'disk' | 'records' | 'keep'>,
  record: AbandonedRecord,
): Promise<RecoveredApply> {
  const held: HeldFolder[] = [];
  try {
    const found: (Found | RecordedFile)[] = [];
    for (const [index, file] of record.files.entries()) {
      const parent = path.dirname(file.real);
      const folder = held.find((one) => one.real === parent) ?? (await holdFolder(parent));
      if (folder && !held.includes(folder)) held.push(folder);
      found.push(folder ? await look(file, folder, record.marks[index]) : file);
    }
    const isWhole = record.isDone || found.every((one) => 'folder' in one && one.isOurs);
    const files: RecoveredFile[] = [];
    for (const one of found) {
      const { path: name, before, after } = 'folder' in one ? one.file : one;
      files.push({ path: name, before, after, now: await settle(disk, one, isWhole, record) });
    }
    for (const one of found) {
      if (!('folder' in one)) continue;
      await removeQuietly(disk, one.folder.at(one.file.temporary));
      await removeQuietly(disk, one.folder.at(one.file.backup));
    }
    if (!isWhole) for (const folder of record.folders.toReversed()) await removeEmptyFolder(disk, folder);
    const { id, session, fact } = record;
    const outcome = isWhole ? 'finished' : 'rolled-back';
    const recovered: RecoveredApply = { id, session, outcome, files, fact: isWhole ? fact : undefined };
    keep?.(recovered);
    await removeRecord(records, id);
    return recovered;
  } finally {
    for (const folder of held) await folder.close();
  }
}

async function look(file: RecordedFile, folder: HeldFolder, mark: EntryMark | null | undefined): Promise<Found> {
  const name = path.basename(file.real);
  const [entry, temporary, backup] = await Promise.all(
    [name, file.temporary, file.backup].map((one) => lstat(folder.at(one)).catch(() => undefined)),
  );
  const isOurs =
    file.after === null
      ? entry === undefined && temporary !== undefined
      : hasMark(entry, mark) && (await hashFileAt(folder.at(name))) === file.after;
  const isOld = !isOurs && (await hashFileAt(folder.at(name))) === file.before;
  return { file, folder, name, hasBackup: backup !== undefined, isOurs, isOld };
}

async function settle(
  disk: Disk,
  one: Found | RecordedFile,
  isWhole: boolean,
  { isDone, marks }: AbandonedRecord,
): Promise<RecoveredFile['now']> {
  // A folder that was never made held a file that was never made.
  if (!('folder' in one)) return one.before === null && !isDone ? 'untouched' : 'left';
  const { file, folder, name, hasBackup, isOurs, isOld } = one;
  // After the end of the write everything may have gone on; only the backups are of it.
  if (isWhole) return 'kept';
  if (!isOurs) return isOld || marks.length === 0 ? 'untouched' : 'left';
  if (file.before === null) return (await removeQuietly(disk, folder.at(name))) ? 'taken-back' : 'left';
  if (!hasBackup) return 'left';
  await disk.rename(folder.at(file.backup), folder.at(name));
  return 'taken-back';
}
