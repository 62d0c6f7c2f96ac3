import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { createIgnoreScope, type IgnoreScope, nothingIgnored, ruleFileNames } from '../../workspace/ignore.ts';
import { readRules } from '../textSearch/ignoreRules.ts';
import type { FolderWatch } from './folderWatch.ts';
import { languageOf } from './languages.ts';
import { type FileStamp, isSameStamp, isUnsettled, stampOf } from './readSource.ts';

/** The source files that a walk of the project finds, and how they looked when they were last looked at. */
export interface SourceTree {
  /** By path below the root, with forward slashes. */
  readonly files: ReadonlyMap<string, FileStamp>;
  /**
   * Looks again: asks the system for each folder and file (some 5 µs each), and reads only those folders that changed. While
   * folders are watched, only for those of which something was told. False when there are more files than the tree holds;
   * then it is empty.
   */
  refresh(): boolean;
  /** Looks at everything, and has what changes from now on told. */
  watch(folders: FolderWatch): boolean;
  /** Looks at everything, watched or not. */
  lookOver(): boolean;
  /** When everything was looked at last; milliseconds of `performance.now`. */
  readonly lookedOverAt: number;
  /** Files that are new or look otherwise since the last call. */
  takeTouched(): ReadonlySet<string>;
  /** Whether a walk enters this folder. */
  hasFolder(path: string): boolean;
}

interface Folder {
  /** Ends in `/`, or is empty for the root. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  stamp: FileStamp | undefined;
  /** Of the folder that is watched here. */
  watchedIno: number | undefined;
  scannedAt: number;
  /** What its scope was made of. */
  outer: IgnoreScope | undefined;
  rules: string;
  scope: IgnoreScope;
  ruleFiles: readonly { readonly path: string; readonly stamp: FileStamp }[];
  files: readonly string[];
  folders: Map<string, Folder>;
}

const quietly = { throwIfNoEntry: false } as const;

/** As deep as a walk goes. */
const maxDepth = 64;

/**
 * The tree below a folder (a real path); nothing is read before the first `refresh`. The same rules as in a walk: what is
 * ignored is left out, links are not followed. All calls block.
 */
export function createSourceTree(root: string, maxFiles: number): SourceTree {
  const files = new Map<string, FileStamp>();
  const top = folderAt('', '', 0);
  let touched = new Set<string>();
  let watch: FolderWatch | undefined;
  let device: number | undefined;
  let lookedOverAt = Number.NEGATIVE_INFINITY;

  const statOf = (path: string): Stats | undefined => {
    try {
      return lstatSync(`${root}/${path}`, quietly);
    } catch {
      return undefined;
    }
  };

  const drop = (folder: Folder): void => {
    for (const path of folder.files) files.delete(path);
    for (const inner of folder.folders.values()) drop(inner);
    folder.files = [];
    folder.folders = new Map();
    folder.stamp = undefined;
    folder.watchedIno = undefined;
    watch?.remove(folder.path);
  };

  /** How the folder is after it began to be watched. */
  const watched = (folder: Folder): Stats | undefined => {
    let stats = statOf(folder.path);
    if (!watch || !stats?.isDirectory()) return stats;
    device ??= stats.dev;
    if (stats.dev !== device) watch.giveUp(); // another file system, which may not tell
    for (let tries = 0; stats?.isDirectory() && stats.ino !== folder.watchedIno && tries < 2; tries += 1) {
      folder.watchedIno = watch.add(folder.path, `${root}/${folder.path}`) ? stats.ino : undefined;
      stats = statOf(folder.path);
    }
    return stats;
  };

  const lookAt = (path: string): boolean => {
    const stats = statOf(path);
    if (!stats?.isFile()) return false;
    const known = files.get(path);
    if (!known || !isSameStamp(known, stats)) {
      files.set(path, stampOf(stats));
      touched.add(path);
    }
    return true;
  };

  const rulesAreSame = (folder: Folder): boolean =>
    folder.ruleFiles.every(({ path, stamp }) => {
      const stats = statOf(path);
      return stats !== undefined && isSameStamp(stats, stamp) && !isUnsettled(stamp, folder.scannedAt);
    });

  /** `isDeep`: with all folders in it; else only with those that are new here. */
  const visit = (folder: Folder, outer: IgnoreScope | undefined, isDeep: boolean): void => {
    const stats = watched(folder);
    if (!stats?.isDirectory()) {
      drop(folder);
      return;
    }
    const isSame =
      folder.stamp !== undefined &&
      folder.outer === outer &&
      isSameStamp(folder.stamp, stats) &&
      !isUnsettled(folder.stamp, folder.scannedAt) &&
      rulesAreSame(folder);
    if (isSame) {
      for (const path of folder.files) if (!lookAt(path)) files.delete(path);
    } else scan(folder, stampOf(stats), outer);
    for (const inner of folder.folders.values()) {
      if (files.size > maxFiles) return;
      const isNew = () => inner.outer !== folder.scope || statOf(inner.path)?.ino !== inner.stamp?.ino;
      if (isDeep || (!isSame && isNew())) visit(inner, folder.scope, true);
    }
  };

  const visitTold = (paths: ReadonlySet<string>): void => {
    // What lies further out goes first: it may have gone with all that is in it.
    for (const path of [...paths].sort()) {
      const folder = folderOf(path.slice(0, -1));
      if (folder && files.size <= maxFiles) visit(folder, folder.outer, false);
    }
  };

  /** One that was looked at. */
  const folderOf = (path: string): Folder | undefined => {
    let folder: Folder | undefined = top;
    if (path !== '') for (const name of path.split('/')) folder = folder?.folders.get(name);
    return folder?.stamp === undefined ? undefined : folder;
  };

  const lookOver = (): boolean => {
    watch?.take();
    lookedOverAt = performance.now();
    visit(top, undefined, true);
    return isHeld();
  };

  const isHeld = (): boolean => {
    if (files.size <= maxFiles) return true;
    watch?.giveUp();
    drop(top);
    return false;
  };

  const scan = (folder: Folder, stamp: FileStamp, outer: IgnoreScope | undefined): void => {
    folder.scannedAt = Date.now();
    const entries = entriesOf(`${root}/${folder.path}`);
    renewScope(folder, outer, entries);
    folder.stamp = stamp;
    const before = folder.files;
    const found: string[] = [];
    const inner = new Map<string, Folder>();
    for (const entry of entries) {
      const { name } = entry;
      if (entry.isFile()) {
        const path = folder.path + name;
        if (languageOf(name) && !folder.scope.ignores(name, false) && lookAt(path)) found.push(path);
      } else if (entry.isDirectory() && folder.depth < maxDepth && !folder.scope.ignores(name, true)) {
        inner.set(name, folder.folders.get(name) ?? folderAt(`${folder.path}${name}/`, name, folder.depth + 1));
      }
    }
    const now = new Set(found);
    for (const path of before) if (!now.has(path)) files.delete(path);
    for (const [name, gone] of folder.folders) if (!inner.has(name)) drop(gone);
    folder.files = found;
    folder.folders = inner;
  };

  /** Another object only when it says something else: what lies below is read again then. */
  const renewScope = (folder: Folder, outer: IgnoreScope | undefined, entries: readonly Dirent[]): void => {
    const names = ruleFileNames.filter((name) => entries.some((entry) => entry.name === name && entry.isFile()));
    folder.ruleFiles = names.flatMap((name) => {
      const stats = statOf(folder.path + name);
      return stats ? [{ path: folder.path + name, stamp: stampOf(stats) }] : [];
    });
    const texts = names.flatMap((name) => readRules(`${root}/${folder.path}${name}`) ?? []);
    const rules = JSON.stringify(texts);
    if (folder.stamp !== undefined && folder.outer === outer && folder.rules === rules) return;
    folder.scope = outer ? outer.enter(folder.name, texts) : createIgnoreScope(texts);
    folder.outer = outer;
    folder.rules = rules;
  };

  return {
    files,
    refresh() {
      const told = watch?.take();
      // Another folder at the root's place tells nothing to those who watch the old one.
      if (!told || statOf('')?.ino !== top.watchedIno) return lookOver();
      visitTold(told);
      return isHeld();
    },
    watch(folders) {
      watch = folders;
      return lookOver();
    },
    lookOver,
    get lookedOverAt() {
      return lookedOverAt;
    },
    takeTouched() {
      const taken = touched;
      touched = new Set();
      return taken;
    },
    hasFolder: (path) => folderOf(path === '.' ? '' : path) !== undefined,
  };
}

function folderAt(path: string, name: string, depth: number): Folder {
  return {
    path,
    name,
    depth,
    stamp: undefined,
    watchedIno: undefined,
    scannedAt: 0,
    outer: undefined,
    rules: '',
    scope: nothingIgnored,
    ruleFiles: [],
    files: [],
    folders: new Map(),
  };
}

/** None of a folder that cannot be read. */
function entriesOf(real: string): readonly Dirent[] {
  try {
    return readdirSync(real, { withFileTypes: true });
  } catch {
    return [];
  }
}
