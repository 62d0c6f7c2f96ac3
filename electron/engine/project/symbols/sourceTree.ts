import { type Dirent, readdirSync, type Stats } from 'node:fs';
import type { IgnoreScope } from '../../workspace/ignore.ts';
import type { FolderWatch } from './folderWatch.ts';
import { type FileStamp, isSameStamp, stampOf } from './readSource.ts';
import {
  folderAt,
  folderBelow,
  foldersAmong,
  isUnchanged,
  renewScope,
  sourcesAmong,
  statBelow,
  type TreeFolder,
} from './treeFolder.ts';

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

  const drop = (folder: TreeFolder): void => {
    for (const path of folder.files) files.delete(path);
    for (const inner of folder.folders.values()) drop(inner);
    folder.files = [];
    folder.folders = new Map();
    folder.stamp = undefined;
    folder.watchedIno = undefined;
    watch?.remove(folder.path);
  };

  const isOwnDevice = (dev: number): boolean => dev === (device ??= dev);

  const lookAt = (path: string): boolean => {
    const stats = statBelow(root, path);
    if (!stats?.isFile()) return false;
    const known = files.get(path);
    if (!known || !isSameStamp(known, stats)) {
      files.set(path, stampOf(stats));
      touched.add(path);
    }
    return true;
  };

  /** `isDeep`: with all folders in it; else only with those that are new here. */
  const visit = (folder: TreeFolder, outer: IgnoreScope | undefined, isDeep: boolean): void => {
    const stats = watch ? watchFolder(root, folder, watch, isOwnDevice) : statBelow(root, folder.path);
    if (!stats?.isDirectory()) {
      drop(folder);
      return;
    }
    const isSame = isUnchanged(root, folder, stats, outer);
    if (isSame) {
      for (const path of folder.files) if (!lookAt(path)) files.delete(path);
    } else scan(folder, stampOf(stats), outer);
    for (const inner of folder.folders.values()) {
      if (files.size > maxFiles) return;
      const isNew = () => inner.outer !== folder.scope || statBelow(root, inner.path)?.ino !== inner.stamp?.ino;
      if (isDeep || (!isSame && isNew())) visit(inner, folder.scope, true);
    }
  };

  const visitChanged = (paths: ReadonlySet<string>): void => {
    // What lies further out goes first: it may have gone with all that is in it.
    for (const path of [...paths].sort()) {
      const folder = folderBelow(top, path.slice(0, -1));
      if (folder && files.size <= maxFiles) visit(folder, folder.outer, false);
    }
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

  const scan = (folder: TreeFolder, stamp: FileStamp, outer: IgnoreScope | undefined): void => {
    folder.scannedAt = Date.now();
    const entries = entriesOf(`${root}/${folder.path}`);
    renewScope(root, folder, outer, entries);
    folder.stamp = stamp;
    const found = sourcesAmong(folder, entries).filter(lookAt);
    const inner = foldersAmong(folder, entries);
    const now = new Set(found);
    for (const path of folder.files) if (!now.has(path)) files.delete(path);
    for (const [name, gone] of folder.folders) if (!inner.has(name)) drop(gone);
    folder.files = found;
    folder.folders = inner;
  };

  return {
    files,
    refresh() {
      const changedPaths = watch?.take();
      // Another folder at the root's place tells nothing to those who watch the old one.
      if (!changedPaths || statBelow(root, '')?.ino !== top.watchedIno) return lookOver();
      visitChanged(changedPaths);
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
    hasFolder: (path) => folderBelow(top, path === '.' ? '' : path) !== undefined,
  };
}

/** How the folder is after it began to be watched. Gives up on another file system, which may not tell. */
function watchFolder(
  root: string,
  folder: TreeFolder,
  watch: FolderWatch,
  isOwnDevice: (device: number) => boolean,
): Stats | undefined {
  let stats = statBelow(root, folder.path);
  if (!stats?.isDirectory()) return stats;
  if (!isOwnDevice(stats.dev)) watch.giveUp();
  for (let tries = 0; stats?.isDirectory() && stats.ino !== folder.watchedIno && tries < 2; tries += 1) {
    folder.watchedIno = watch.add(folder.path, `${root}/${folder.path}`) ? stats.ino : undefined;
    stats = statBelow(root, folder.path);
  }
  return stats;
}

/** None of a folder that cannot be read. */
function entriesOf(real: string): readonly Dirent[] {
  try {
    return readdirSync(real, { withFileTypes: true });
  } catch {
    return [];
  }
}
