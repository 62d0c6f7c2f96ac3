import { fail, ok, type Result } from '../../../shared/result.ts';
import { readInside } from './openInside.ts';
import type { ResolvedPath } from './sandbox.ts';
import { type BytesFile, bytesFileOf, maxFileBytes } from './textFile.ts';

/**
 * A whole file as bytes. Errors: those of opening; FILE_TOO_LARGE; STALE when it changed while it was read.
 * The limit is in bytes and holds even for a file that grows meanwhile.
 */
export function readWhole(
  file: ResolvedPath,
  limitBytes = maxFileBytes,
): Promise<Result<BytesFile & { readonly real: string }>> {
  return readInside(file, async ({ handle, stats }) => {
    if (stats.size > limitBytes) return tooLarge(file, stats.size, limitBytes);
    // One byte more than expected shows growth; files of /proc claim size 0 and are read in one go up to a page of text.
    const buffer = Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const after = await handle.stat();
    if (length !== stats.size || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs) {
      return fail('STALE', `${file.relative} was being written while it was read; read it again`);
    }
    const facts = { mode: stats.mode & 0o7777, modifiedAt: stats.mtime.toISOString() };
    return ok({ ...bytesFileOf(buffer.subarray(0, length), facts), real: file.real });
  });
}

function tooLarge(file: ResolvedPath, size: number, limit: number) {
  return fail(
    'FILE_TOO_LARGE',
    `${file.relative} has ${size} bytes; the limit is ${limit}. Read a part with offset and limit`,
    { sizeBytes: size, limitBytes: limit },
  );
}
