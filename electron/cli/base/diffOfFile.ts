import type { Client } from '../../../shared/contract/client.ts';
import { unifiedDiff } from '../../engine/workspace/unifiedDiff.ts';

/** One file of a change, as far as its diff goes. */
export interface ChangedFile {
  readonly path: string;
  readonly oldPath?: string | undefined;
  readonly before: string | null;
  readonly after: string | null;
}

/** The diff of a file whose contents a session keeps; undefined where they are no text or are gone. */
export async function diffOfFile(
  client: Client,
  session: string,
  { path, oldPath, before, after }: ChangedFile,
): Promise<string | undefined> {
  const text = async (id: string | null): Promise<string | null | undefined> => {
    if (id === null) return null;
    const read = await client.call('content.read', { session, id });
    return read.ok ? (read.value.text ?? undefined) : undefined;
  };
  const [old, now] = await Promise.all([text(before), text(after)]);
  return old === undefined || now === undefined
    ? undefined
    : unifiedDiff(old, now, oldPath === undefined ? { path } : { path, oldPath });
}
