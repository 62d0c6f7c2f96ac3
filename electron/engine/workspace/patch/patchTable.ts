import { ok, type Result } from '../../../../shared/result.ts';
import { atOnce } from '../atOnce.ts';
import { isText, type NewContent, type ProposedChange } from '../proposedChange.ts';
import type { BytesFile, TextFile } from '../textFile.ts';
import type { PatchFile } from './patch.ts';

/** Reads a file by its project path: null when there is none; a failure when it must not be read or patched. */
export type PatchReader = (path: string) => Promise<Result<TextFile | BytesFile | null>>;

export type Content = TextFile | BytesFile;

export interface Entry {
  readonly original: Content | null;
  /** What the sections so far made of it. */
  content: NewContent | null;
  exists: boolean;
  touched: boolean;
  executable?: boolean;
  /** The file whose rename made it. */
  renamedFrom?: string;
}

export interface Table {
  get(path: string): Promise<Result<Entry>>;
  /** Another section takes this file away, so its name is free. */
  leaves(path: string): boolean;
  /** Reads all files that the patch names, a few at a time; what each reading came to is told by `get`. */
  readAhead(): Promise<void>;
  changes(): readonly ProposedChange[];
}

/** As many as the pool of threads that does their reading, twice. */
const filesAtOnce = 8;

export function createTable(files: readonly PatchFile[], readFile: PatchReader): Table {
  const entries = new Map<string, Entry>();
  const ahead = new Map<string, ReturnType<PatchReader>>();
  const leaving = new Set(
    files.flatMap((file) =>
      (file.status === 'renamed' || file.status === 'deleted') && file.oldPath !== null ? [file.oldPath] : [],
    ),
  );
  return {
    leaves: (path) => leaving.has(path),
    get: async (path) => {
      const known = entries.get(path);
      if (known) return ok(known);
      const read = await (ahead.get(path) ?? readFile(path));
      if (!read.ok) return read;
      const entry: Entry = {
        original: read.value,
        content: read.value && contentOf(read.value),
        exists: read.value !== null,
        touched: false,
      };
      entries.set(path, entry);
      return ok(entry);
    },
    readAhead: () => {
      const names = new Set(files.flatMap(({ oldPath, newPath }) => [oldPath ?? [], newPath ?? []].flat()));
      return atOnce(filesAtOnce, [...names], async (path) => {
        const reading = readFile(path);
        ahead.set(path, reading);
        await reading;
      });
    },
    changes: () => {
      // A file that only moved away is told by the file it became.
      const moved = new Set([...entries.values()].flatMap((entry) => (entry.exists ? (entry.renamedFrom ?? []) : [])));
      return [...entries].flatMap(([path, entry]) =>
        !entry.touched || (moved.has(path) && !entry.exists) ? [] : (changeOf(path, entry, entries) ?? []),
      );
    },
  };
}

function changeOf(path: string, entry: Entry, entries: ReadonlyMap<string, Entry>): ProposedChange | undefined {
  const mode = entry.executable === undefined ? {} : { executable: entry.executable };
  const source = entry.renamedFrom === undefined ? undefined : entries.get(entry.renamedFrom);
  if (entry.exists && source?.original) {
    return {
      path,
      oldPath: entry.renamedFrom ?? path,
      status: 'renamed',
      before: source.original,
      after: entry.content,
      ...mode,
    };
  }
  if (!entry.exists)
    return entry.original ? { path, status: 'deleted', before: entry.original, after: null } : undefined;
  return { path, status: entry.original ? 'modified' : 'added', before: entry.original, after: entry.content, ...mode };
}

export function contentOf(file: Content): NewContent {
  return isText(file) ? { text: file.text, like: file } : { bytes: file.bytes };
}
