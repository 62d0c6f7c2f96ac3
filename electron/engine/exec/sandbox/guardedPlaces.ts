import { lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoteWord } from '../../shell/quoteWord.ts';
import { findObeyed, type ObeyedPlace } from './obeyedPlaces.ts';

/** Mounts, and the shell text that takes away behind them what they had to make. */
export interface Guard {
  readonly args: readonly string[];
  readonly cleanUp: string;
}

/** What is obeyed outside the sandbox is read-only in it, and cannot be planted, moved away or led elsewhere (C12). */
export function guardProject(project: string, home: string): Guard {
  const { places, links, unwanted } = findObeyed(project, home);
  const closed = new Map<string, readonly string[]>();
  const cleanUp = new Set<string>();
  for (const place of places) {
    const { path, args, undo } = close(project, place);
    if (args.length > 0) closed.set(path, args);
    if (undo !== '') cleanUp.add(undo);
  }
  const isCovered = (path: string): boolean => foldersAbove(project, path).some((folder) => closed.has(folder));
  const shut = [...closed].filter(([path]) => !isCovered(path));
  // A folder with a mount below it can be renamed, and another put in its place; a mount of its own keeps it where it is.
  const above = new Set(shut.flatMap(([path]) => foldersAbove(project, path)));
  const mounts = [...shut, ...[...above].map((path) => [path, ['--bind', path, path]] as const)];
  const depth = (path: string): number => path.split('/').length;
  const args = mounts.toSorted(([one], [other]) => depth(one) - depth(other)).flatMap(([, words]) => words);
  for (const path of unwanted) cleanUp.add(`rm -f ${quoteWord(path)}`);
  for (const path of links) cleanUp.add(putBack(path));
  return { args, cleanUp: [...cleanUp].join('; ') };
}

/** The folders between the project and a path in it. */
function foldersAbove(project: string, path: string): readonly string[] {
  const parent = dirname(path);
  return parent.length <= project.length ? [] : [...foldersAbove(project, parent), parent];
}

function close(project: string, { path, whenMissing }: ObeyedPlace) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined) return { path, args: ['--ro-bind', path, path], undo: '' };
  if (whenMissing === 'nothing') return { path, args: [], undo: '' };
  const folder = foldersAbove(project, path).find((one) => lstatSync(one, { throwIfNoEntry: false }) === undefined);
  const empty = folder ?? path;
  return folder === undefined && whenMissing === 'file'
    ? { path, args: ['--ro-bind', '/dev/null', path], undo: `[ -s ${quoteWord(path)} ] || rm -f ${quoteWord(path)}` }
    : {
        path: empty,
        args: ['--tmpfs', empty, '--remount-ro', empty],
        undo: `rmdir ${quoteWord(empty)} 2>/dev/null`,
      };
}

/** A link cannot be mounted: one that a command has replaced comes back, and what lies in its place stays beside it. */
function putBack(path: string): string {
  const target = quoteWord(readlinkSync(path));
  const link = quoteWord(path);
  const aside = `[ ! -e ${link} ] && [ ! -h ${link} ] || mv ${link} ${quoteWord(`${path}.replaced`)}.$$`;
  return `[ "$(readlink ${link})" = ${target} ] || { ${aside}; ln -s ${target} ${link}; }`;
}
