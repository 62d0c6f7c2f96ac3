import path from 'node:path';
import { compileGlob } from '../../workspace/glob.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import type { TextMatches } from './matchStream.ts';

export interface TextSearch {
  /** A JavaScript regular expression, matched line by line: with the flag `u` where it allows that, else without. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** A folder or a file; only files below it are searched. */
  readonly start: ResolvedPath;
  /** A glob: without `/` for names, else for paths below `start` or below the project; with `!` in front for all others. */
  readonly files?: string;
  /** Lines shown around each match. */
  readonly contextLines: number;
  readonly limit: number;
}

export interface FoundText extends TextMatches {
  /** Files that were given up after their time limit. */
  readonly timedOut: readonly string[];
}

/** How names that ripgrep reports become names of the project. */
export interface SearchPlace {
  /** The root that holds the place. */
  readonly root: string;
  /** Below the root, with forward slashes; `.` for the root. */
  readonly below: string;
  fileOf(name: string): string;
  /** Whether a rule forbids to read it. */
  isForbidden(name: string): boolean;
}

export function placeOf(look: Look, start: ResolvedPath): SearchPlace {
  const below = path.relative(start.root, start.real).split(path.sep).join('/') || '.';
  const prefix = start.root === look.root ? '' : `${start.root.split(path.sep).join('/')}/`;
  const fileOf = (name: string) => prefix + relativeName(name);
  return { root: start.root, below, fileOf, isForbidden: (name) => look.isForbidden(fileOf(name)) };
}

export function relativeName(name: string): string {
  const slashes = path.sep === '\\' ? name.replaceAll('\\', '/') : name;
  return slashes.startsWith('./') ? slashes.slice(2) : slashes;
}

/** Whether a file (below the root) is one of those that a glob names. */
export function fileFilter(glob: string | undefined, below: string): (name: string) => boolean {
  if (glob === undefined) return () => true;
  if (glob.startsWith('!')) {
    const unwanted = fileFilter(glob.slice(1), below);
    return (name) => !unwanted(name);
  }
  const wanted = compileGlob(glob);
  const prefix = below === '.' ? 0 : below.length + 1;
  return (name) => wanted.matches(name) || (prefix > 0 && wanted.matches(name.slice(prefix)));
}

/** Lets ripgrep leave out files by name while it walks; what a glob really means is decided afterwards. */
export function typeArgs(glob: string | undefined): readonly string[] {
  const name = glob?.slice(glob.lastIndexOf('/') + 1);
  if (name === undefined || glob?.startsWith('!') || name === '**' || !/^(?:[\w.*? +-]|\{[\w.*?, +-]+\})+$/.test(name))
    return [];
  return ['--type-add', `wanted:${name}`, '--type', 'wanted'];
}
