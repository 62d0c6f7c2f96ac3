import path from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { compileGlob } from '../../workspace/glob.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { ignoreRules } from './ignoreRules.ts';
import { linearPattern } from './linearPattern.ts';
import { createMatchStream, type TextMatches } from './matchStream.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';

export interface TextSearch {
  /** A JavaScript regular expression, matched line by line: with the flag `u` where it allows that, else without. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** A folder or a file; only files below it are searched. */
  readonly start: ResolvedPath;
  /** A glob: without `/` for names, else for paths below `start` or below the project. */
  readonly files?: string;
  /** Lines shown around each match. */
  readonly contextLines: number;
  readonly limit: number;
}

export interface FoundText extends TextMatches {
  /** Files that were given up after their time limit. */
  readonly timedOut: readonly string[];
}

/** A pattern as JavaScript reads it. Error: INVALID_REGEX. */
export function readPattern(pattern: string): Result<{ readonly unicode: boolean }> {
  let problem = '';
  for (const unicode of [true, false]) {
    try {
      void new RegExp(pattern, unicode ? 'u' : '');
      return ok({ unicode });
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  return fail('INVALID_REGEX', `This is no regular expression: ${problem}`, { pattern });
}

/** How names that ripgrep reports become names of the project. */
export interface SearchPlace {
  /** The root that holds the place. */
  readonly root: string;
  /** Below the root, with forward slashes; `.` for the root. */
  readonly below: string;
  fileOf(name: string): string;
}

export function placeOf(look: Look, start: ResolvedPath): SearchPlace {
  const below = path.relative(start.root, start.real).split(path.sep).join('/') || '.';
  const prefix = start.root === look.root ? '' : `${start.root.split(path.sep).join('/')}/`;
  return { root: start.root, below, fileOf: (name) => prefix + relativeName(name) };
}

export function relativeName(name: string): string {
  const slashes = path.sep === '\\' ? name.replaceAll('\\', '/') : name;
  return slashes.startsWith('./') ? slashes.slice(2) : slashes;
}

/** Whether a file (below the root) is one of those that a glob names. */
export function fileFilter(glob: string | undefined, below: string): (name: string) => boolean {
  if (glob === undefined) return () => true;
  const wanted = compileGlob(glob);
  const prefix = below === '.' ? 0 : below.length + 1;
  return (name) => wanted.matches(name) || (prefix > 0 && wanted.matches(name.slice(prefix)));
}

/**
 * Every match of a pattern, the first ones by path. Ripgrep searches where its engine means the same as JavaScript's; the rest
 * is searched by JavaScript, in a thread, each file with a time limit. Symbolic links are never followed.
 * Errors: INVALID_REGEX, CANCELLED, UNAVAILABLE.
 */
export async function searchText(look: Look, search: TextSearch, signal: AbortSignal): Promise<Result<FoundText>> {
  const read = readPattern(search.pattern);
  if (!read.ok) return read;
  const pattern = linearPattern(search.pattern, read.value.unicode);
  const binary = pattern === undefined ? undefined : await findRipgrep();
  if (pattern !== undefined && binary !== undefined) {
    const found = await searchWithRipgrep(binary, look, search, pattern, signal);
    if (found !== 'refused') return found;
  }
  const { searchWithScript } = await import('./scriptSearch.ts');
  return searchWithScript(look, search, read.value.unicode, signal);
}

async function searchWithRipgrep(
  binary: string,
  look: Look,
  search: TextSearch,
  pattern: string,
  signal: AbortSignal,
): Promise<Result<FoundText> | 'refused'> {
  const place = placeOf(look, search.start);
  const isFile = search.start.kind === 'file';
  const rules = ignoreRules(place.root, isFile ? '.' : place.below);
  const matchesFiles = fileFilter(search.files, place.below);
  const stream = createMatchStream({
    limit: search.limit,
    contextLines: search.contextLines,
    fileOf: (given) => {
      const name = relativeName(given);
      return matchesFiles(name) && (isFile || !rules.hides(name)) ? place.fileOf(name) : undefined;
    },
  });
  const ended = await runRipgrep(binary, {
    args: [
      '--json',
      '--crlf',
      ...rules.args,
      ...(isFile ? [] : ['--max-filesize', '10M', ...typeArgs(search.files)]),
      search.ignoreCase ? '--ignore-case' : '--case-sensitive',
      ...(search.contextLines > 0 ? ['--context', String(search.contextLines)] : []),
      '--regexp',
      pattern,
      '--',
      `./${place.below === '.' ? '' : place.below}`,
    ],
    cwd: place.root,
    signal,
    take: (chunk) => {
      stream.push(chunk);
      return true;
    },
  });
  if (!ended.ok) return ended;
  // 2 with a pattern too large for it, or one it reads otherwise; unreadable files alone are no reason to doubt the rest.
  if (ended.value.exitCode === 2 && /regex|pattern/i.test(ended.value.errors)) return 'refused';
  return ok({ ...stream.end(), timedOut: [] });
}

/** Lets ripgrep leave out files by name while it walks; what a glob really means is decided afterwards. */
export function typeArgs(glob: string | undefined): readonly string[] {
  const name = glob?.slice(glob.lastIndexOf('/') + 1);
  if (name === undefined || name === '**' || !/^(?:[\w.*? +-]|\{[\w.*?, +-]+\})+$/.test(name)) return [];
  return ['--type-add', `wanted:${name}`, '--type', 'wanted'];
}
