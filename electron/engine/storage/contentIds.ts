import { open } from 'node:fs/promises';
import type { ContentId } from '../../../shared/model/change.ts';

const chunkBytes = 1024 * 1024;
const idChars = 64;

/**
 * Every content that a journal names, whatever names it: a run of 64 hexadecimal digits counts, so that nothing of a newer
 * version is taken for unused. Rejects with the system's error: what cannot be read may name anything.
 */
export async function contentIdsIn(path: string): Promise<ReadonlySet<ContentId>> {
  const ids = new Set<ContentId>();
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let rest = '';
    for (;;) {
      const { bytesRead: size } = await file.read(buffer, 0, chunkBytes);
      if (size === 0) return ids;
      const text = rest + buffer.toString('latin1', 0, size);
      for (const [id] of text.matchAll(/[0-9a-f]{64}/g)) ids.add(id);
      rest = text.slice(1 - idChars);
    }
  } finally {
    await file.close();
  }
}
