import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * A folder that is held open while something happens inside it. On Linux names are reached through the descriptor
 * (`/proc/self/fd/N/name`, which is `openat`), so that replacing the folder, or any folder above it, by a link between the
 * check and the use changes nothing (P9). Elsewhere Node offers no such thing: there `isStillThere` is the guard, called
 * right before each use.
 */
export interface HeldFolder {
  readonly real: string;
  /** A path for `name` in this folder, whatever its own path leads to by now. */
  at(name: string): string;
  /** True while the folder still lies at `real`, with no link on the way. */
  isStillThere(): Promise<boolean>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Undefined when there is no such folder at exactly this real path any more. Throws the system's error for others (EMFILE). */
export async function holdFolder(real: string): Promise<HeldFolder | undefined> {
  if (process.platform === 'win32') return holdByName(real);
  let handle: FileHandle;
  try {
    handle = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code)))
      return undefined;
    throw error;
  }
  const through = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : undefined;
  const where = through === undefined ? undefined : await readlink(through).catch(() => undefined);
  const held: HeldFolder = {
    real,
    at: (name) => path.join(where === undefined || through === undefined ? real : through, name),
    isStillThere: async () => {
      if (through !== undefined && where !== undefined)
        return (await readlink(through).catch(() => '')) === real && (await sameFolder(handle, real));
      return (await realpath(real).catch(() => '')) === real && (await sameFolder(handle, real));
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
  if (await held.isStillThere()) return held;
  await handle.close();
  return undefined;
}

async function sameFolder(handle: FileHandle, real: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all([handle.stat(), lstat(real).catch(() => undefined)]);
  return theirs !== undefined && mine.dev === theirs.dev && mine.ino === theirs.ino;
}

/** Windows cannot open folders through Node; its folders have no descriptor to hold, and syncing them is not needed. */
async function holdByName(real: string): Promise<HeldFolder | undefined> {
  const isStillThere = async () => (await realpath(real).catch(() => '')) === real;
  if (!(await isStillThere())) return undefined;
  return { real, at: (name) => path.join(real, name), isStillThere, sync: async () => {}, close: async () => {} };
}
