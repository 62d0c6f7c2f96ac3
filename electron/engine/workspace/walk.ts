import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { compareBytes } from './byteOrder.ts';
import { createIgnoreScope, type IgnoreScope, nothingIgnored, ruleFileNames } from './ignore.ts';
import { readWhole } from './readFile.ts';
import { codeOf, type ResolvedPath, type Sandbox } from './sandbox.ts';

export type EntryType = 'file' | 'directory' | 'symlink' | 'special';

export interface WalkEntry {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly name: string;
  readonly type: EntryType;
  /** 1 for what lies directly in the folder where the walk began. */
  readonly depth: number;
  /** The folder could not be read, and why. */
  readonly error?: string;
}

export interface WalkOptions {
  /** Default 64: deeper is a mistake or an attack (J5). */
  readonly maxDepth?: number;
  /** Default 200,000 entries, then the walk ends. */
  readonly maxEntries?: number;
  /** Default true: names that begin with a dot. */
  readonly hidden?: boolean;
  /** Default true: the ignore set, .gitignore, .floydignore, .viseignore. */
  readonly ignore?: boolean;
  readonly signal?: AbortSignal;
}

/** Rule files longer than this are left alone. */
const maxRuleFileBytes = 1024 * 1024;

/**
 * Everything below a folder, by path in byte order, folders before what they hold. Symbolic links are told but never
 * entered; a folder that is replaced by a link while the walk is under way is not entered either. Ends quietly when cancelled.
 */
export async function* walk(
  sandbox: Sandbox,
  start: ResolvedPath,
  options: WalkOptions = {},
): AsyncGenerator<WalkEntry, void, void> {
  const { maxDepth = 64, maxEntries = 200_000, hidden = true, ignore = true, signal } = options;
  let left = maxEntries;

  async function* below(at: Folder, scope: IgnoreScope, depth: number): AsyncGenerator<WalkEntry, void, void> {
    const waiting = new Map<string, Folder>();
    for (const { entry, enter } of inByteOrder(at.entries)) {
      if (signal?.aborted || left <= 0) return;
      if (enter) {
        const folder = waiting.get(entry.name);
        waiting.delete(entry.name);
        if (folder)
          yield* below(folder, ignore ? scope.enter(entry.name, await readRules(sandbox, folder)) : scope, depth + 1);
        continue;
      }
      const type = typeOf(entry);
      if ((!hidden && entry.name.startsWith('.')) || scope.ignores(entry.name, type === 'directory')) continue;
      const name = entry.name;
      const relative = `${at.relative}${name}`;
      let error: string | undefined;
      if (type === 'directory' && depth < maxDepth) {
        const real = path.join(at.real, name);
        const entries = await listFolder(real);
        if (typeof entries === 'string') error = entries;
        else waiting.set(name, { real, relative: `${relative}/`, entries });
      }
      left -= 1;
      yield { path: relative, name, type, depth, ...(error === undefined ? {} : { error }) };
    }
  }
  const entries = await listFolder(start.real);
  if (typeof entries === 'string') return;
  const relative = start.relative === '.' ? '' : `${start.relative}/`;
  yield* below({ real: start.real, relative, entries }, ignore ? await scopeAt(sandbox, start) : nothingIgnored, 1);
}

interface Folder {
  readonly real: string;
  /** Ends in `/`, or is empty for the root. */
  readonly relative: string;
  readonly entries: readonly Dirent[];
}

/** Folders stand twice: as themselves, and as `name/` at the place where what they hold comes in byte order. */
function inByteOrder(
  entries: readonly Dirent[],
): readonly { readonly entry: Dirent; readonly key: string; readonly enter: boolean }[] {
  return entries
    .flatMap((entry) => [
      { entry, key: entry.name, enter: false },
      ...(entry.isDirectory() ? [{ entry, key: `${entry.name}/`, enter: true }] : []),
    ])
    .sort((a, b) => compareBytes(a.key, b.key));
}

/** The entries, or the system's code. The real path is asked for again, so that a link that came in between is not entered. */
async function listFolder(real: string): Promise<readonly Dirent[] | string> {
  try {
    if ((await realpath(real)) !== real) return 'ELOOP';
    return await readdir(real, { withFileTypes: true });
  } catch (error) {
    return codeOf(error);
  }
}

export function typeOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'special';
}

/** The scope of a folder: the rules of every folder from the root down to it. */
export async function scopeAt(sandbox: Sandbox, folder: ResolvedPath): Promise<IgnoreScope> {
  const rulesAt = async (real: string) => {
    const entries = await listFolder(real);
    return typeof entries === 'string' ? [] : readRules(sandbox, { real, relative: `${real}/`, entries });
  };
  let real = folder.root;
  let scope = createIgnoreScope(await rulesAt(real));
  for (const name of path.relative(folder.root, folder.real).split(path.sep)) {
    if (name === '') continue;
    real = path.join(real, name);
    scope = scope.enter(name, await rulesAt(real));
  }
  return scope;
}

/** The texts of a folder's rule files, weakest first. A link is not followed, as in git. */
async function readRules(sandbox: Sandbox, folder: Folder): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const name of ruleFileNames) {
    if (!folder.entries.some((entry) => entry.name === name && entry.isFile())) continue;
    const real = path.join(folder.real, name);
    const read = await readWhole(
      {
        absolute: real,
        relative: `${folder.relative}${name}`,
        real,
        realRelative: name,
        root: sandbox.root,
        exists: true,
        kind: 'file',
        isLink: false,
      },
      maxRuleFileBytes,
    );
    if (read.ok) texts.push(new TextDecoder().decode(read.value.bytes));
  }
  return texts;
}
