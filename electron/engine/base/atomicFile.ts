import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './makeFolder.ts';
import { temporaryBeside } from './temporaryFile.ts';

export interface AtomicOptions {
  readonly mode?: number;
  /** Whether it waits for the disk. What is written often and can be made again does not: a slow disk would hold up every window. */
  readonly isSynced?: boolean;
}

/**
 * Replaces a file of Vise's own (settings, drafts, indexes) so that a crash leaves the old or the new content, never a
 * mixture: a 0600 temporary file with an unpredictable name in the same folder, fsync, rename. Project files are written by hands only.
 * Throws the system's error.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isSynced = true }: AtomicOptions = {},
): void {
  makeFolder(dirname(path));
  const temporary = temporaryBeside(path);
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      if (isSynced) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
