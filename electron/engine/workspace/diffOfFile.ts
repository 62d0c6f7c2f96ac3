import { unifiedDiff } from './unifiedDiff.ts';

/** One file of a change, as far as its diff goes: null stands for "no such file", else ids of contents. */
export interface ChangedFile {
  readonly path: string;
  readonly oldPath?: string | undefined;
  readonly before: string | null;
  readonly after: string | null;
}

/** The diff of a file whose contents are kept by their ids; undefined where they are no text or are gone. */
export async function diffOfFile(
  { path, oldPath, before, after }: ChangedFile,
  read: (id: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const [old, now] = await Promise.all([before, after].map(async (id) => (id === null ? null : read(id))));
  return old === undefined || now === undefined ? undefined : unifiedDiff(old, now, { path, oldPath });
}
