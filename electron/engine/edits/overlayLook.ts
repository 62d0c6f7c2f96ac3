import type { ContentId } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Contents } from '../workspace/contents.ts';
import { bytesAfter } from '../workspace/hands.ts';
import type { Look } from '../workspace/look.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { type BytesFile, hashOf, textFileOf } from '../workspace/textFile.ts';

/** The bytes of a path that is seen differently from how it is; null: it is seen as missing. */
type Seen = (() => Promise<Result<Uint8Array>>) | null;

/** The project with other contents for some paths (relative to the project). Lists and searches show it as it is. */
function overlayLook(look: Look, seen: ReadonlyMap<string, Seen>): Look {
  const seenAt = async (given: string): Promise<Seen | undefined> => {
    const found = await look.resolve(given);
    if (!found.ok) return undefined;
    const { relative, realRelative } = found.value;
    return seen.has(relative) ? seen.get(relative) : seen.get(realRelative);
  };
  const missing = (given: string): Result<never> => fail('FILE_NOT_FOUND', `${given} does not exist`);
  const readBytes: Look['readBytes'] = async (given, limitBytes) => {
    const read = await seenAt(given);
    if (read === undefined) return look.readBytes(given, limitBytes);
    if (read === null) return missing(given);
    const place = await look.resolve(given);
    if (!place.ok) return place;
    const bytes = await read();
    if (!bytes.ok) return bytes;
    const now = await look.stat(given);
    const facts = now.ok ? { mode: now.value.mode, modifiedAt: now.value.modifiedAt } : { mode: 0o644, modifiedAt: '' };
    const file: BytesFile = {
      bytes: bytes.value,
      hash: hashOf(bytes.value),
      sizeBytes: bytes.value.length,
      ...facts,
    };
    return ok({ ...file, real: place.value.real });
  };
  return {
    ...look,
    async resolve(given, from) {
      const found = await look.resolve(given, from);
      if (!found.ok) return found;
      const read = await seenAt(found.value.realRelative);
      if (read === undefined) return found;
      return ok({ ...found.value, exists: read !== null, kind: read === null ? 'missing' : 'file' });
    },
    async stat(given) {
      return (await seenAt(given)) === null ? missing(given) : look.stat(given);
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

/** The project as it will be once these changes are written; of several changes of one file the last counts. */
export function lookAfter(look: Look, changes: readonly ProposedChange[]): Look {
  if (changes.length === 0) return look;
  return overlayLook(
    look,
    new Map(
      changes.flatMap((change): readonly [string, Seen][] => [
        ...(change.oldPath === undefined ? [] : [[change.oldPath, null] as [string, Seen]]),
        [change.path, change.after === null ? null : async () => bytesOf(change)],
      ]),
    ),
  );
}

function bytesOf(change: ProposedChange): Result<Uint8Array> {
  const bytes = bytesAfter(change);
  return bytes.ok ? ok(bytes.value ?? new Uint8Array()) : bytes;
}

/** The project as it was: these paths have their earlier contents (null: they did not exist), all others are as they are. */
export function lookBefore(look: Look, before: ReadonlyMap<string, ContentId | null>, contents: Contents): Look {
  const seen = [...before].map(([path, id]): [string, Seen] => [path, id === null ? null : () => contents.get(id)]);
  return overlayLook(look, new Map(seen));
}
