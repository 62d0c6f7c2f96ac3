import type { Stats } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { belowOf, hostPlatform, isInside, type PathPlatform, pathsOf, refusedSpelling } from './pathRules.ts';

export type PathKind = 'file' | 'directory' | 'fifo' | 'socket' | 'device' | 'missing';

/** A path that was looked up and found inside. Everything that acts, acts on `real`. */
export interface ResolvedPath {
  /** As asked for, joined and normalised, symbolic links not followed. */
  readonly absolute: string;
  /** Relative to the first root, with forward slashes; `.` for the root; absolute (forward slashes) in a further root. */
  readonly relative: string;
  /** With every symbolic link followed; for a missing file the place where it would be created. */
  readonly real: string;
  /** `real` in the manner of `relative`: differs when a link lies on the way. */
  readonly realRelative: string;
  /** The real root that holds it. */
  readonly root: string;
  readonly exists: boolean;
  readonly kind: PathKind;
  /** The last name itself is a symbolic link (possibly a dangling one). */
  readonly isLink: boolean;
}

/** What the sandbox asks of a file system; the real one unless a test gives another platform's. */
export interface PathProbe {
  readonly realpath: (path: string) => Promise<string>;
  readonly lstat: (path: string) => Promise<Pick<Stats, 'isSymbolicLink'>>;
  readonly stat: (path: string) => Promise<Stats>;
  readonly readlink: (path: string) => Promise<string>;
}

export interface Sandbox {
  /** The real first root. */
  readonly root: string;
  readonly roots: readonly string[];
  readonly platform: PathPlatform;
  /**
   * Path → inside or refused. `from` is a folder inside that relative paths start at; it never
   * widens the roots. Errors: PATH_TRAVERSAL_DETECTED, VALIDATION_ERROR for an empty or unusable spelling.
   */
  readonly resolve: (path: string, from?: string) => Promise<Result<ResolvedPath>>;
}

const realProbe: PathProbe = { realpath, lstat, stat, readlink };

/** The limit of Linux for links followed in one lookup (path_resolution(7)). */
const maxLinks = 40;

/** Errors: DIRECTORY_NOT_FOUND when a root is missing, NOT_A_DIRECTORY when it is none. */
export async function createSandbox(options: {
  readonly roots: readonly string[];
  readonly platform?: PathPlatform;
  readonly probe?: PathProbe;
}): Promise<Result<Sandbox>> {
  const platform = options.platform ?? hostPlatform;
  const probe = options.probe ?? realProbe;
  const paths = pathsOf(platform);
  const roots: { readonly given: string; readonly real: string }[] = [];
  for (const given of options.roots) {
    if (given === '' || !paths.isAbsolute(given))
      return fail('VALIDATION_ERROR', `A root must be absolute: "${given}"`);
    try {
      const real = await probe.realpath(given);
      if (!(await probe.stat(real)).isDirectory()) return fail('NOT_A_DIRECTORY', `${given} is not a folder`);
      roots.push({ given: paths.resolve(given), real });
    } catch {
      return fail('DIRECTORY_NOT_FOUND', `The folder ${given} does not exist or cannot be opened`);
    }
  }
  const [first] = roots;
  if (!first) return fail('VALIDATION_ERROR', 'A sandbox needs at least one root');

  const relativeTo = (root: { readonly given: string; readonly real: string }, absolute: string): string => {
    const base = isInside(root.given, absolute, platform) ? root.given : root.real;
    const below = belowOf(base, absolute, platform);
    if (root === first) return below === '' ? '.' : below;
    return (below === '' ? root.real : paths.join(root.real, below)).replaceAll(paths.sep, '/');
  };

  const resolve = async (given: string, from?: string): Promise<Result<ResolvedPath>> => {
    if (given === '') return fail('VALIDATION_ERROR', 'The path is empty');
    const refusal =
      refusedSpelling(given, platform) ?? (from === undefined ? undefined : refusedSpelling(from, platform));
    if (refusal) return outside(given, refusal);
    const absolute = paths.resolve(first.given, from ?? '.', given);
    const followed = await follow(absolute, probe, platform);
    if (!followed.ok) return outside(given, followed.error.message);
    const { real, stats, isLink } = followed.value;
    const root = roots.find((candidate) => isInside(candidate.real, real, platform));
    if (!root) return outside(given, isLink ? 'it is a link that leaves the project' : 'it is outside the project');
    const inGiven = isInside(root.given, absolute, platform) || isInside(root.real, absolute, platform);
    const realRelative = relativeTo(root, real);
    return ok({
      absolute,
      relative: inGiven ? relativeTo(root, absolute) : realRelative,
      real,
      realRelative,
      root: root.real,
      exists: stats !== undefined,
      kind: stats ? kindOf(stats) : 'missing',
      isLink,
    });
  };
  return ok({ root: first.real, roots: roots.map(({ real }) => real), platform, resolve });
}

export function kindOf(stats: Stats): PathKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isFIFO()) return 'fifo';
  return stats.isSocket() ? 'socket' : 'device';
}

function outside(given: string, why: string) {
  return fail('PATH_TRAVERSAL_DETECTED', `The path "${printable(given)}" is refused: ${why}`, { path: given });
}

function printable(given: string): string {
  return given.replace(/\p{Cc}/gu, '␀').slice(0, 300);
}

interface Followed {
  readonly real: string;
  readonly stats: Stats | undefined;
  readonly isLink: boolean;
}

/**
 * The real path of the longest existing prefix plus the rest. A dangling link is followed by hand, because what would be
 * created through it lies at its target (P2), not beside it.
 */
async function follow(absolute: string, probe: PathProbe, platform: PathPlatform): Promise<Result<Followed>> {
  const paths = pathsOf(platform);
  let current = absolute;
  let rest: string[] = [];
  let isLink = false;
  for (let links = 0; links <= maxLinks; ) {
    try {
      const real = await probe.realpath(current);
      if (rest.length > 0) return ok({ real: paths.join(real, ...rest), stats: undefined, isLink });
      // A path that leads to itself has no link in it: nothing more to ask.
      const mayBeLink = !isLink && real !== current;
      const [stats, link] = await Promise.all([probe.stat(real), mayBeLink ? isSymbolicLink(current, probe) : isLink]);
      return ok({ real, stats, isLink: link });
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return fail('PATH_TRAVERSAL_DETECTED', lookupProblem(code));
    }
    if (await isSymbolicLink(current, probe)) {
      if (rest.length === 0) isLink = true;
      links += 1;
      try {
        const parent = await probe.realpath(paths.dirname(current));
        current = paths.resolve(parent, await probe.readlink(current));
      } catch (error) {
        return fail('PATH_TRAVERSAL_DETECTED', lookupProblem(codeOf(error)));
      }
    } else {
      const parent = paths.dirname(current);
      if (parent === current) return fail('PATH_TRAVERSAL_DETECTED', 'no part of it exists');
      rest = [paths.basename(current), ...rest];
      current = parent;
    }
  }
  return fail('PATH_TRAVERSAL_DETECTED', lookupProblem('ELOOP'));
}

async function isSymbolicLink(path: string, probe: PathProbe): Promise<boolean> {
  try {
    return (await probe.lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

function lookupProblem(code: string): string {
  if (code === 'ELOOP') return 'its links form a circle';
  if (code === 'ENAMETOOLONG') return 'it is too long';
  return `it cannot be looked up (${code})`;
}
