import { constants } from 'node:fs';
import { link, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import type { HeldFolder } from './heldFolder.ts';

/**
 * Everything that changes a disk goes through here, one call a step, so that tests can fail (disk full) or end (kill -9) at
 * each step. Throws the system's errors.
 */
export interface Disk {
  /** A new file (never an existing one, never through a link), private until it has all bytes, durable when this returns. */
  createFile(
    path: string,
    bytes: Uint8Array,
    rights: { readonly mode: number; readonly uid?: number; readonly gid?: number },
  ): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, name: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  sync(folder: HeldFolder): Promise<void>;
}

export const realDisk: Disk = {
  createFile: async (path, bytes, { mode, uid, gid }) => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const handle = await open(path, flags, 0o600);
    try {
      await handle.writeFile(bytes);
      // Another's file stays another's where the system lets us; owner first, because changing it clears set-id bits.
      if (uid !== undefined && gid !== undefined && (uid !== process.getuid?.() || gid !== process.getgid?.())) {
        await handle.chown(uid, gid).catch(() => undefined);
      }
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  link,
  unlink,
  mkdir: async (path) => {
    await mkdir(path);
  },
  rmdir,
  // Some file systems cannot sync folders (EINVAL): then there is nothing to wait for.
  sync: async (folder) => {
    try {
      await folder.sync();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
    }
  },
};

/** Rights of a file that did not exist, as any program of the user would give them. */
export function newFileMode(): number {
  return 0o666 & ~process.umask();
}
