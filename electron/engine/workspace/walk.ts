import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { compareBytes } from './byteOrder.ts';
import {
  createIgnoreScope,
  excludeFile,
  type IgnoreScope,
  isAlwaysHidden,
  nothingIgnored,
  ruleFileNames,
} from './ignore.ts';
import { readWhole } from './readWhole.ts';
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
  /** Told of each entry that the ignore set hides (folders end in `/`), but for .git and .vise. */
  readonly onIgnored?: ((path: string) => void) | undefined;
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
  const { maxDepth = 64, maxEntries = 200_000, hidden = true, ignore = true, onIgnored, signal } = options;
  const first = await listFolder(start.real);
  if (typeof first === 'string') return;
  const relative = start.relative === '.' ? '' : `${start.relative}/`;
  const scope = ignore ? await scopeAt(sandbox, start) : nothingIgnored;
  // A stack of our own: a generator inside a generator would pass each entry through every level above it.
  const open: Level[] = [levelOf({ real: start.real, relative, entries: first }, scope)];
  for (let left = maxEntries; left > 0 && !signal?.aborted; ) {
    const level = open.at(-1);
    if (!level) return;
    const item = level.items[level.next];
    level.next += 1;
    if (!item) {
      open.pop();
      continue;
    }
    const { name } = item.entry;
    if (item.enter) {
      const folder = level.waiting.get(name);
      level.waiting.delete(name);
      if (folder)
        open.push(levelOf(folder, ignore ? level.scope.enter(name, await readRules(sandbox, folder)) : level.scope));
      continue;
    }
    const type = typeOf(item.entry);
    if (!hidden && name.startsWith('.')) continue;
    const entryPath = `${level.folder.relative}${name}`;
    if (level.scope.ignores(name, type === 'directory')) {
      if (!isAlwaysHidden(name)) onIgnored?.(type === 'directory' ? `${entryPath}/` : entryPath);
      continue;
    }
    let error: string | undefined;
    if (type === 'directory' && open.length < maxDepth) {
      const real = path.join(level.folder.real, name);
      const entries = await listFolder(real);
      if (typeof entries === 'string') error = entries;
      else level.waiting.set(name, { real, relative: `${entryPath}/`, entries });
    }
    left -= 1;
    const entry = { path: entryPath, name, type, depth: open.length };
    yield error === undefined ? entry : { ...entry, error };
  }
}

/** One folder on the way down. */
interface Level {
  readonly folder: Folder;
  readonly scope: IgnoreScope;
  readonly items: readonly Item[];
  next: number;
  /** Folders that were told and are yet to be entered. */
  readonly waiting: Map<string, Folder>;
}

function levelOf(folder: Folder, scope: IgnoreScope): Level {
  return { folder, scope, items: inByteOrder(folder.entries), next: 0, waiting: new Map() };
}

interface Item {
  readonly entry: Dirent;
  readonly key: string;
  readonly enter: boolean;
}

interface Folder {
  readonly real: string;
  /** Ends in `/`, or is empty for the root. */
  readonly relative: string;
  readonly entries: readonly Dirent[];
}

/** Folders stand twice: as themselves, and as `name/` at the place where what they hold comes in byte order. */
function inByteOrder(entries: readonly Dirent[]): readonly Item[] {
  const items: Item[] = [];
  for (const entry of entries) {
    items.push({ entry, key: entry.name, enter: false });
    if (entry.isDirectory()) items.push({ entry, key: `${entry.name}/`, enter: true });
  }
  return items.sort((a, b) => compareBytes(a.key, b.key));
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
  let scope = createIgnoreScope([...(await readExcludes(sandbox, real)), ...(await rulesAt(real))]);
  for (const name of path.relative(folder.root, folder.real).split(path.sep)) {
    if (name === '') continue;
    real = path.join(real, name);
    scope = scope.enter(name, await rulesAt(real));
  }
  return scope;
}

/** The rules of this clone alone. */
async function readExcludes(sandbox: Sandbox, root: string): Promise<readonly string[]> {
  const real = path.join(root, path.dirname(excludeFile));
  const entries = await listFolder(real);
  if (typeof entries === 'string') return [];
  return readRules(sandbox, { real, relative: '.git/info/', entries }, [path.basename(excludeFile)]);
}

/** The texts of a folder's rule files, weakest first. A link is not followed, as in git. */
async function readRules(
  sandbox: Sandbox,
  folder: Folder,
  fileNames: readonly string[] = ruleFileNames,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const name of fileNames) {
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
