import { copyFileSync, type Dirent, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { linkTarget, type ShadowWay } from '../exec/sandbox/shadow.ts';

/** A folder that git ignores is copied up to this size (generated code, caches of checks); a larger one is linked. */
const maxCopiedFiles = 1_000;
const maxCopiedBytes = 32 * 1024 * 1024;

/** What builds make: a check makes it anew, and could not write to a link. */
const outputs = new Set([
  'target',
  'dist',
  'build',
  'out',
  'coverage',
  '.next',
  '.nuxt',
  '.turbo',
  '.cache',
  '.gradle',
]);

/** In a folder of packages: what tools keep there for themselves, and write to. */
const ownCaches = /^\.(?:cache|vite|vite-temp|vitest|tmp)$/;

/**
 * Brings what git ignores into a copy of a project, so that its checks find what they need: packages by a link each, so that
 * the folder of packages itself can be written; small folders and files by copying; large ones by one link. The answer holds
 * the folders of the project that links lead into.
 */
export function bringIgnored({
  root,
  tree,
  way,
  ignored,
  laid,
}: {
  readonly root: string;
  readonly tree: string;
  readonly way: ShadowWay;
  /** Relative to the project; folders end in `/`. */
  readonly ignored: readonly string[];
  /** What stands in the copy already. */
  readonly laid: ReadonlySet<string>;
}): readonly string[] {
  const linked: string[] = [];
  for (const given of ignored) {
    const isFolder = given.endsWith('/');
    const name = isFolder ? given.slice(0, -1) : given;
    const [from, to] = [path.join(root, name), path.join(tree, name)];
    if (laid.has(name) || (isFolder && lstatSync(to, { throwIfNoEntry: false }))) continue;
    const isPackages = path.basename(name) === 'node_modules';
    if (isFolder && isPackages) linkPackages(from, to, linkTarget(way, root, name));
    if (isPackages) linked.push(name);
    else if (isFolder && !copyFolder(from, to) && !outputs.has(path.basename(name))) {
      symlinkSync(linkTarget(way, root, name), to);
      linked.push(name);
    } else if (!isFolder) copyFile(from, to);
  }
  return linked;
}

/** Links of a folder of packages stay as they are (packages of the project itself); the rest is linked, package by package. */
function linkPackages(from: string, to: string, target: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of entriesOf(from)) {
    const { name } = entry;
    if (ownCaches.test(name)) continue;
    if (entry.isDirectory() && name.startsWith('@'))
      linkPackages(path.join(from, name), path.join(to, name), path.join(target, name));
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(path.join(from, name)), path.join(to, name));
    else symlinkSync(path.join(target, name), path.join(to, name));
  }
}

/** False, and nothing is copied, where the folder is too large. */
function copyFolder(from: string, to: string): boolean {
  const files: string[] = [];
  let bytes = 0;
  const isSmall = (folder: string): boolean =>
    entriesOf(path.join(from, folder)).every((entry) => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return isSmall(name);
      files.push(name);
      bytes += lstatSync(path.join(from, name), { throwIfNoEntry: false })?.size ?? 0;
      return files.length <= maxCopiedFiles && bytes <= maxCopiedBytes;
    });
  if (!isSmall('')) return false;
  mkdirSync(to, { recursive: true });
  for (const name of files) {
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    copyFile(path.join(from, name), path.join(to, name));
  }
  return true;
}

function copyFile(from: string, to: string): void {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats?.isFile() && stats.size <= maxCopiedBytes) copyFileSync(from, to);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, or not to be read: missing in the copy too
  }
}
