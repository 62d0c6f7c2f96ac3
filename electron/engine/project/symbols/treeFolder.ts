import { type Dirent, lstatSync, type Stats } from 'node:fs';
import {
  createIgnoreScope,
  excludeFile,
  type IgnoreScope,
  nothingIgnored,
  ruleFileNames,
} from '../../workspace/ignore.ts';
import { readRules } from '../textSearch/ignoreRules.ts';
import { languageOf } from './languages.ts';
import { type FileStamp, isSameStamp, isUnsettled, stampOf } from './readSource.ts';

/** A folder of the source tree, as it was when it was last looked at. */
export interface TreeFolder {
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
  folders: Map<string, TreeFolder>;
}

const quietly = { throwIfNoEntry: false } as const;

/** As deep as a walk goes. */
const maxDepth = 64;

export function folderAt(path: string, name: string, depth: number): TreeFolder {
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

/** The folder with this path (without a `/` at its end) below `top`, if it was looked at. */
export function folderBelow(top: TreeFolder, path: string): TreeFolder | undefined {
  let folder: TreeFolder | undefined = top;
  if (path !== '') for (const name of path.split('/')) folder = folder?.folders.get(name);
  return folder?.stamp === undefined ? undefined : folder;
}

/** Undefined for what is missing or cannot be asked; a link is not followed. */
export function statBelow(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(`${root}/${path}`, quietly);
  } catch {
    return undefined;
  }
}

/** Whether a scan would find what the last one found: neither the folder nor its rules have changed. */
export function isUnchanged(root: string, folder: TreeFolder, stats: Stats, outer: IgnoreScope | undefined): boolean {
  return (
    folder.stamp !== undefined &&
    folder.outer === outer &&
    isSameStamp(folder.stamp, stats) &&
    !isUnsettled(folder.stamp, folder.scannedAt) &&
    folder.ruleFiles.every(({ path, stamp }) => {
      const now = statBelow(root, path);
      return now !== undefined && isSameStamp(now, stamp) && !isUnsettled(stamp, folder.scannedAt);
    })
  );
}

/** Another scope only when it says something else: what lies below is read again then. */
export function renewScope(
  root: string,
  folder: TreeFolder,
  outer: IgnoreScope | undefined,
  entries: readonly Dirent[],
): void {
  const here = ruleFileNames.filter((name) => entries.some((entry) => entry.name === name && entry.isFile()));
  const names = outer ? here : [excludeFile, ...here];
  folder.ruleFiles = names.flatMap((name) => {
    const stats = statBelow(root, folder.path + name);
    return stats ? [{ path: folder.path + name, stamp: stampOf(stats) }] : [];
  });
  const texts = names.flatMap((name) => readRules(`${root}/${folder.path}${name}`) ?? []);
  const rules = JSON.stringify(texts);
  if (folder.stamp !== undefined && folder.outer === outer && folder.rules === rules) return;
  folder.scope = outer ? outer.enter(folder.name, texts) : createIgnoreScope(texts);
  folder.outer = outer;
  folder.rules = rules;
}

/** Paths of the source files among these entries of the folder. */
export function sourcesAmong({ path, scope }: TreeFolder, entries: readonly Dirent[]): readonly string[] {
  return entries
    .filter((entry) => entry.isFile() && languageOf(entry.name) && !scope.ignores(entry.name, false))
    .map(({ name }) => path + name);
}

/** The folders among these entries that a walk enters, by name; those that are known stay the same objects. */
export function foldersAmong(folder: TreeFolder, entries: readonly Dirent[]): Map<string, TreeFolder> {
  const inner = new Map<string, TreeFolder>();
  if (folder.depth >= maxDepth) return inner;
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isDirectory() && !folder.scope.ignores(name, true))
      inner.set(name, folder.folders.get(name) ?? folderAt(`${folder.path}${name}/`, name, folder.depth + 1));
  }
  return inner;
}
