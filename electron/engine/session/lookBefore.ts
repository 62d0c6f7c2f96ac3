import type { ContentId } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Contents } from '../workspace/contents.ts';
import type { Look } from '../workspace/look.ts';
import { type BytesFile, textFileOf } from '../workspace/textFile.ts';

/**
 * The project as it was before a change: these paths have their earlier contents (null: they did not exist), all others
 * are as they are. For telling once more what a call did whose result was lost.
 */
export function lookBefore(look: Look, before: ReadonlyMap<string, ContentId | null>, contents: Contents): Look {
  const earlier = async (given: string): Promise<ContentId | null | undefined> => {
    const found = await look.resolve(given);
    if (!found.ok) return undefined;
    const { relative, realRelative } = found.value;
    return before.has(relative) ? before.get(relative) : before.get(realRelative);
  };
  const missing = (given: string): Result<never> => fail('FILE_NOT_FOUND', `${given} does not exist`);
  const readBytes: Look['readBytes'] = async (given, limitBytes) => {
    const id = await earlier(given);
    if (id === undefined) return look.readBytes(given, limitBytes);
    if (id === null) return missing(given);
    const place = await look.resolve(given);
    if (!place.ok) return place;
    const bytes = await contents.get(id);
    if (!bytes.ok) return bytes;
    const now = await look.stat(given);
    const facts = now.ok ? { mode: now.value.mode, modifiedAt: now.value.modifiedAt } : { mode: 0o644, modifiedAt: '' };
    const file: BytesFile = { bytes: bytes.value, hash: id, sizeBytes: bytes.value.length, ...facts };
    return ok({ ...file, real: place.value.real });
  };
  return {
    ...look,
    async resolve(given, from) {
      const found = await look.resolve(given, from);
      if (!found.ok) return found;
      const id = await earlier(found.value.realRelative);
      if (id === undefined) return found;
      return ok({ ...found.value, exists: id !== null, kind: id === null ? 'missing' : 'file' });
    },
    async stat(given) {
      return (await earlier(given)) === null ? missing(given) : look.stat(given);
    },
    readBytes,
    async readText(given) {
      const read = await readBytes(given);
      if (!read.ok) return read;
      const text = textFileOf(read.value);
      return text.ok ? ok({ ...text.value, real: read.value.real }) : text;
    },
  };
}
