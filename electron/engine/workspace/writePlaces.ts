import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../../shared/result.ts';
import type { Disk } from './disk.ts';
import { type FileWrite, type StaleFile, staleFailure } from './fileWrite.ts';
import { type HeldFolder, holdFolder } from './heldFolder.ts';
import { codeOf } from './sandbox.ts';

export interface Place {
  /** The deepest folder on the way that exists, held open. */
  readonly existing: HeldFolder;
  /** Names of the folders that are still to be made below it. */
  readonly missing: readonly string[];
}

export async function findPlaces(
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

export function missingFolders(places: ReadonlyMap<FileWrite, Place>): readonly string[] {
  const folders = new Set<string>();
  for (const { existing, missing } of places.values()) {
    for (const [index] of missing.entries()) folders.add(path.join(existing.real, ...missing.slice(0, index + 1)));
  }
  return [...folders].sort((a, b) => a.length - b.length);
}

export function foldersOf(place: Place | undefined): { readonly folders?: readonly string[] } {
  if (!place || place.missing.length === 0) return {};
  return {
    folders: place.missing.map((_, index) => path.join(place.existing.real, ...place.missing.slice(0, index + 1))),
  };
}

/** A folder that was made on the way. */
export interface MadeFolder {
  readonly inside: HeldFolder;
  readonly name: string;
}

/** Makes what is missing of the folder, one level at a time below a folder that is held. */
export async function makeParents(
  disk: Disk,
  places: ReadonlyMap<FileWrite, Place>,
  write: FileWrite,
  held: HeldFolder[],
  made: MadeFolder[],
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

/** Refused by the system when something is in it; never through a link. */
export async function removeEmptyFolder(disk: Disk, real: string): Promise<void> {
  const parent = await holdFolder(path.dirname(real)).catch(() => undefined);
  if (!parent) return;
  await disk.rmdir(parent.at(path.basename(real))).catch(() => undefined);
  await parent.close();
}
