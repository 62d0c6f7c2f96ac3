import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import path from 'node:path';
import type { ContentId } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type ApplyRecord, removeRecord, thisProcess, writeRecord } from './applyRecord.ts';
import type { Contents } from './contents.ts';
import { type Disk, newFileMode } from './disk.ts';
import { type HeldFolder, holdFolder } from './heldFolder.ts';
import { codeOf } from './sandbox.ts';
import { hashOf } from './textFile.ts';
import { writeProblem } from './writeProblem.ts';

/** One file of a set that changes as a whole. */
export interface FileWrite {
  /** For messages. */
  readonly path: string;
  readonly real: string;
  /** The hash that the file must still have; null when it must not exist. */
  readonly before: ContentId | null;
  /** Null removes the file. */
  readonly after: Uint8Array | null;
  /** Permission bits; by default the old ones, or the usual ones for a new file. */
  readonly mode?: number;
  readonly executable?: boolean;
  /** A new file takes rights and owner from this one of the same set (a rename). */
  readonly rightsOf?: string;
  /** Folders to remove afterwards if nothing is in them any more, innermost first: real paths. */
  readonly emptied?: readonly string[];
}

export interface Written {
  readonly path: string;
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  readonly beforeMode?: number;
  readonly afterMode?: number;
  /** Real paths of the folders that were made for it, outermost first. */
  readonly folders?: readonly string[];
}

/** A file that is not as it was shown. */
export interface StaleFile {
  readonly path: string;
  readonly why: string;
}

export interface WriteContext {
  readonly disk: Disk;
  readonly contents: Contents;
  /** Where the record of a running write lies. */
  readonly records: string;
}

interface Current {
  readonly stats: Stats;
  readonly bytes: Uint8Array;
  readonly hash: ContentId;
}

interface Step {
  readonly write: FileWrite;
  readonly folder: HeldFolder;
  readonly name: string;
  readonly current: Current | undefined;
  readonly temporary: string;
  readonly backup: string;
  readonly rights: { readonly mode: number; readonly uid?: number; readonly gid?: number };
  /** The entry that the new content has on the disk, once it has one: so nobody else's file is ever taken back. */
  ours?: number;
}

/**
 * Changes all of these files or none. Each is compared with what was shown right before; new content goes to temporary files
 * first, the old stays reachable under a second name until the last file is in place, and a record in the state folder lets
 * the next start finish or take back what a crash cut in two.
 * Errors: STALE (details: the files and why), DISK_FULL, FILE_WRITE_ERROR, LIMIT_EXCEEDED.
 */
export async function writeTogether(
  context: WriteContext,
  writes: readonly FileWrite[],
): Promise<Result<readonly Written[]>> {
  const turn = previous.then(() => writeAlone(context, writes));
  // Sets of one process go one after the other; a failure of one is not the next one's.
  previous = turn.then(
    () => undefined,
    () => undefined,
  );
  return turn;
}

let previous: Promise<void> = Promise.resolve();

async function writeAlone(context: WriteContext, writes: readonly FileWrite[]): Promise<Result<readonly Written[]>> {
  const held: HeldFolder[] = [];
  const made: { readonly inside: HeldFolder; readonly name: string }[] = [];
  const id = randomBytes(8).toString('hex');
  let busy = writes[0]?.path ?? '';
  try {
    const places = await findPlaces(writes, held);
    if (!places.ok) return places;
    const checked = await checkAll(writes, places.value);
    if (!checked.ok) return checked;
    const saved = await saveBeforeImages(context.contents, checked.value);
    if (!saved.ok) return saved;
    const plan = planSteps(writes, places.value, checked.value, id);
    const record: ApplyRecord = {
      version: 1,
      id,
      owner: thisProcess(),
      stage: 'writing',
      files: plan.map(({ write, name, temporary, backup, rights, current }) => ({
        path: write.path,
        real: path.join(path.dirname(write.real), name),
        before: current?.hash ?? null,
        after: write.after === null ? null : hashOf(write.after),
        temporary,
        backup,
        mode: rights.mode,
      })),
      folders: missingFolders(places.value),
    };
    await writeRecord(context.records, record);
    const committed = new Set<Step>();
    const steps: Step[] = [];
    try {
      for (const step of plan) {
        busy = step.write.path;
        steps.push({ ...step, folder: await makeParents(context.disk, places.value, step.write, held, made) });
      }
      for (const step of steps) {
        busy = step.write.path;
        if (step.write.after === null) continue;
        const temporary = step.folder.at(step.temporary);
        await context.disk.createFile(temporary, step.write.after, step.rights);
        step.ours = (await lstat(temporary)).ino;
      }
      const stale = await commitAll(context.disk, steps, committed, (path) => {
        busy = path;
      });
      if (stale.length > 0) {
        await takeBack(context, id, steps, committed, made);
        return staleFailure(stale);
      }
      for (const folder of new Set([...made.map(({ inside }) => inside), ...steps.map((step) => step.folder)]))
        await context.disk.sync(folder);
      await writeRecord(context.records, { ...record, stage: 'done' });
    } catch (error) {
      await takeBack(context, id, steps, committed, made);
      return writeProblem(error, busy);
    }
    // The set stands. What cannot be tidied away now is tidied away at the next start: the record stays for that.
    const tidied = await Promise.all(steps.map((step) => removeQuietly(context.disk, step.folder.at(step.backup))));
    if (tidied.every(Boolean)) await removeRecord(context.records, id).catch(() => undefined);
    for (const folder of new Set(writes.flatMap(({ emptied }) => emptied ?? [])))
      await removeEmptyFolder(context.disk, folder);
    return ok(steps.map((step) => ({ ...writtenOf(step), ...foldersOf(places.value.get(step.write)) })));
  } catch (error) {
    await removeRecord(context.records, id).catch(() => undefined);
    return writeProblem(error, busy);
  } finally {
    for (const folder of held) await folder.close().catch(() => undefined);
  }
}

function foldersOf(place: Place | undefined): { readonly folders?: readonly string[] } {
  if (!place || place.missing.length === 0) return {};
  return {
    folders: place.missing.map((_, index) => path.join(place.existing.real, ...place.missing.slice(0, index + 1))),
  };
}

/** Refused by the system when something is in it; never through a link. */
export async function removeEmptyFolder(disk: Disk, real: string): Promise<void> {
  const parent = await holdFolder(path.dirname(real)).catch(() => undefined);
  if (!parent) return;
  await disk.rmdir(parent.at(path.basename(real))).catch(() => undefined);
  await parent.close();
}

function writtenOf({ write, current, rights }: Step): Written {
  return {
    path: write.path,
    before: current?.hash ?? null,
    after: write.after === null ? null : hashOf(write.after),
    ...(current ? { beforeMode: current.stats.mode & 0o7777 } : {}),
    ...(write.after === null ? {} : { afterMode: rights.mode }),
  };
}

interface Place {
  /** The deepest folder on the way that exists, held open. */
  readonly existing: HeldFolder;
  /** Names of the folders that are still to be made below it. */
  readonly missing: readonly string[];
}

async function findPlaces(
  writes: readonly FileWrite[],
  held: HeldFolder[],
): Promise<Result<ReadonlyMap<FileWrite, Place>>> {
  const byFolder = new Map<string, Place>();
  const stale: StaleFile[] = [];
  const places = new Map<FileWrite, Place>();
  for (const write of writes) {
    const wanted = path.dirname(write.real);
    const place = byFolder.get(wanted) ?? (await findPlace(wanted, held));
    if (!place || (place.missing.length > 0 && write.before !== null)) {
      stale.push({ path: write.path, why: 'its folder is no longer what it was' });
      continue;
    }
    byFolder.set(wanted, place);
    places.set(write, place);
  }
  return stale.length > 0 ? staleFailure(stale) : ok(places);
}

async function findPlace(wanted: string, held: HeldFolder[]): Promise<Place | undefined> {
  const missing: string[] = [];
  for (let at = wanted; ; at = path.dirname(at)) {
    const folder = await holdFolder(at);
    if (folder) {
      held.push(folder);
      return { existing: folder, missing };
    }
    // Something lies there that is no folder, or a link on the way took its place.
    if (await lstat(at).catch(() => undefined)) return undefined;
    if (path.dirname(at) === at) return undefined;
    missing.unshift(path.basename(at));
  }
}

function missingFolders(places: ReadonlyMap<FileWrite, Place>): readonly string[] {
  const folders = new Set<string>();
  for (const { existing, missing } of places.values()) {
    for (const [index] of missing.entries()) folders.add(path.join(existing.real, ...missing.slice(0, index + 1)));
  }
  return [...folders].sort((a, b) => a.length - b.length);
}

/** Compares every file with what was shown: all differences are told at once, and nothing has been written. */
async function checkAll(
  writes: readonly FileWrite[],
  places: ReadonlyMap<FileWrite, Place>,
): Promise<Result<ReadonlyMap<FileWrite, Current | undefined>>> {
  const stale: StaleFile[] = [];
  const found = new Map<FileWrite, Current | undefined>();
  for (const write of writes) {
    const place = places.get(write);
    const current =
      !place || place.missing.length > 0 ? undefined : await readCurrent(place.existing.at(path.basename(write.real)));
    if (typeof current === 'string') stale.push({ path: write.path, why: current });
    else if (write.before === null && current) stale.push({ path: write.path, why: 'it exists by now' });
    else if (write.before !== null && !current) stale.push({ path: write.path, why: 'it no longer exists' });
    else if (write.before !== null && current?.hash !== write.before)
      stale.push({ path: write.path, why: 'its content changed' });
    found.set(write, typeof current === 'string' ? undefined : current);
  }
  return stale.length > 0 ? staleFailure(stale) : ok(found);
}

export function staleFailure(files: readonly StaleFile[]) {
  const list = files.map(({ path: name, why }) => `${name} (${why})`).join(', ');
  return fail('STALE', `Changed since it was shown, nothing was written: ${list}`, { files });
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

async function saveBeforeImages(
  contents: Contents,
  found: ReadonlyMap<FileWrite, Current | undefined>,
): Promise<Result<undefined>> {
  for (const [write, current] of found) {
    for (const bytes of [current?.bytes, write.after]) {
      const saved = bytes ? await contents.put(bytes) : undefined;
      if (saved && !saved.ok) return saved;
    }
  }
  return ok(undefined);
}

function planSteps(
  writes: readonly FileWrite[],
  places: ReadonlyMap<FileWrite, Place>,
  found: ReadonlyMap<FileWrite, Current | undefined>,
  id: string,
): readonly Step[] {
  const byReal = new Map(writes.map((write) => [write.real, write]));
  return writes.flatMap((write, index) => {
    const folder = places.get(write)?.existing;
    if (!folder) return [];
    const current = found.get(write);
    const model = byReal.get(write.rightsOf ?? '');
    const stats = (current ?? (model ? found.get(model) : undefined))?.stats;
    const plain = write.mode ?? (stats ? stats.mode & 0o7777 : newFileMode());
    const mode =
      write.executable === undefined ? plain : write.executable ? plain | ((plain & 0o444) >> 2) : plain & ~0o111;
    // The names cannot be guessed, but are known to the record: what a crash leaves is found again (P10).
    const secret = `${id}${randomBytes(8).toString('hex')}`;
    return [
      {
        write,
        folder,
        name: path.basename(write.real),
        current,
        temporary: `.vise-${secret}-${index}.new`,
        backup: `.vise-${secret}-${index}.old`,
        rights: { mode, ...(stats ? { uid: stats.uid, gid: stats.gid } : {}) },
      },
    ];
  });
}

/** Makes what is missing of the folder, one level at a time below a folder that is held. */
async function makeParents(
  disk: Disk,
  places: ReadonlyMap<FileWrite, Place>,
  write: FileWrite,
  held: HeldFolder[],
  made: { readonly inside: HeldFolder; readonly name: string }[],
): Promise<HeldFolder> {
  const place = places.get(write);
  if (!place) throw new Error('a file without a place');
  let folder = place.existing;
  for (const name of place.missing) {
    const real = path.join(folder.real, name);
    const known = held.find((one) => one.real === real);
    if (!known) {
      try {
        await disk.mkdir(folder.at(name));
        made.push({ inside: folder, name });
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
    }
    const inner = known ?? (await holdFolder(real));
    if (!inner) throw Object.assign(new Error(`${real} is no folder`), { code: 'ENOTDIR' });
    if (!known) held.push(inner);
    folder = inner;
  }
  return folder;
}

/** The only lines that change project files. Stops at the first file that moved since it was checked. */
async function commitAll(
  disk: Disk,
  steps: readonly Step[],
  committed: Set<Step>,
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
    if (step.write.after === null) await disk.unlink(place);
    else if (step.current) await disk.rename(step.folder.at(step.temporary), place);
    else if (!(await createExclusively(disk, step, place))) return [{ path: step.write.path, why: 'it exists by now' }];
    committed.add(step);
  }
  return [];
}

/** Asked right before acting: the folder still lies where it lay, and the entry is still the one that was compared (P9, N4). */
async function movedSince({ folder, name, current }: Step): Promise<string | undefined> {
  if (!(await folder.isStillThere())) return 'its folder was replaced';
  const now = await lstat(folder.at(name)).catch(() => undefined);
  if (!current) return now ? 'it exists by now' : undefined;
  if (!now) return 'it no longer exists';
  const { stats } = current;
  const same =
    now.isFile() &&
    now.ino === stats.ino &&
    now.dev === stats.dev &&
    now.size === stats.size &&
    now.mtimeMs === stats.mtimeMs;
  return same ? undefined : 'its content changed';
}

/** A second name for the old file costs no space; where links are not possible, a copy. False when it is another file by now. */
async function keepBackup(disk: Disk, { folder, name, backup }: Step, current: Current): Promise<boolean> {
  try {
    await disk.link(folder.at(name), folder.at(backup));
  } catch (error) {
    if (!linksNotPossible.has(codeOf(error))) throw error;
    const { mode, uid, gid } = current.stats;
    await disk.createFile(folder.at(backup), current.bytes, { mode: mode & 0o7777, uid, gid });
    return true;
  }
  return (await lstat(folder.at(backup))).ino === current.stats.ino;
}

const linksNotPossible = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS', 'EXDEV', 'EINVAL', 'UNKNOWN']);

/** Creates the file only if there is none: linking never replaces, renaming would. False when somebody was faster. */
async function createExclusively(disk: Disk, { folder, temporary }: Step, place: string): Promise<boolean> {
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
async function takeBack(
  context: WriteContext,
  id: string,
  steps: readonly Step[],
  committed: ReadonlySet<Step>,
  made: readonly { readonly inside: HeldFolder; readonly name: string }[],
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
async function takeBackOne(disk: Disk, { folder, name, backup, current, write, ours }: Step): Promise<void> {
  const place = folder.at(name);
  const now = await lstat(place).catch(() => undefined);
  const isOurs = write.after === null ? now === undefined : now?.ino === ours;
  if (!isOurs) return;
  if (current) await disk.rename(folder.at(backup), place);
  else await disk.unlink(place);
}

async function removeQuietly(disk: Disk, place: string): Promise<boolean> {
  try {
    await disk.unlink(place);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}
