import type { Client } from '../../shared/contract/client.ts';
import type { LineComment } from './comments.ts';

/** The files whose lines comments are about as they are on the disk. */
export function commentedFiles(comments: readonly LineComment[]): readonly string[] {
  return [...new Set(comments.flatMap(({ of, path }) => (of === 'file' ? [path] : [])))];
}

/** The texts of files as they are on the disk now; what cannot be read is left out. */
export async function readCommented(
  client: Client,
  project: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const answer = await client.call('file.read', { project, path });
    if (answer.ok && answer.value.text !== null) texts.set(path, answer.value.text);
    // A file that is gone has none of the lines.
    else if (!answer.ok && answer.error.code === 'FILE_NOT_FOUND') texts.set(path, '');
  }
  return texts;
}
