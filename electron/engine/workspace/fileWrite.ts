import type { Stats } from 'node:fs';
import type { ContentId } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { fail } from '../../../shared/result.ts';
import type { Contents } from './contents.ts';
import type { Disk } from './disk.ts';
import type { HeldFolder } from './heldFolder.ts';

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

/**
 * The fact that a write becomes once all of its files are in place. It stands in the record of the write, so that a crash
 * between the last file and the journal loses nothing: whoever opens the project keeps it for its session.
 */
export interface WriteFact<T> {
  /** Nothing where there is nothing to tell. */
  of(written: T): SessionEvent | undefined;
  emit(fact: SessionEvent): void;
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
  /** Whose calls write. */
  readonly session: string;
}

export interface Current {
  readonly stats: Stats;
  readonly bytes: Uint8Array;
  readonly hash: ContentId;
}

export interface WriteStep {
  readonly write: FileWrite;
  readonly folder: HeldFolder;
  readonly name: string;
  readonly current: Current | undefined;
  readonly temporary: string;
  readonly backup: string;
  readonly rights: { readonly mode: number; readonly uid?: number; readonly gid?: number };
  /** The entry that the new content has on the disk, once it has one: so nobody else's file is ever taken back. */
  ours?: Stats;
}

export function staleFailure(files: readonly StaleFile[]) {
  const list = files.map(({ path: name, why }) => `${name} (${why})`).join(', ');
  return fail('STALE', `Changed since it was shown, nothing was written: ${list}`, { files });
}

/** The same entry with the same content. The number alone says little: systems give a freed one to the next file. */
export function isSameEntry(a: Stats, b: Stats): boolean {
  return a.isFile() && b.isFile() && a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
