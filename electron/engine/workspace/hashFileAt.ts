import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { ContentId } from '../../../shared/model/change.ts';

/** The hash of a regular file; null when nothing is there, undefined when it is something else or cannot be read. */
export async function hashFileAt(place: string): Promise<ContentId | null | undefined> {
  try {
    if (!(await lstat(place)).isFile()) return undefined;
    const handle = await open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await handle.stat()).isFile()) return undefined;
      const hash = createHash('sha256');
      for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
      return hash.digest('hex');
    } finally {
      await handle.close();
    }
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      ? null
      : undefined;
  }
}
