import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { compareBytes } from './byteOrder.ts';
import { compileGlob } from './glob.ts';
import { readProblem } from './openInside.ts';
import { refusedSpelling } from './pathRules.ts';
import { type LineRange, readLines } from './readLines.ts';
import { readWhole } from './readWhole.ts';
import { codeOf, type ResolvedPath, type Sandbox } from './sandbox.ts';
import { type BytesFile, type TextFile, textFileOf } from './textFile.ts';
import { type EntryType, scopeAt, typeOf, type WalkEntry, type WalkOptions, walk } from './walk.ts';

export interface FileFacts {
  readonly path: string;
  /** The entry itself: a link is told as a link, not as what it points at. */
  readonly type: EntryType;
  readonly sizeBytes: number;
  /** Permission bits (0o7777). */
  readonly mode: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
  readonly createdAt: string;
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  readonly linkTarget?: string;
}

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly type: EntryType;
  readonly sizeBytes?: number;
  readonly modifiedAt?: string;
  /** The entry's facts could not be read, and why. */
  readonly error?: string;
}

/** Where something was really read; a change made from it is refused when the path leads elsewhere by then. */
export interface Placed {
  readonly real: string;
}

/** The read-only view of a project. Nothing here writes, and nothing here blocks on special files. */
export interface Look {
  /** The real first root. */
  readonly root: string;
  readonly sandbox: Sandbox;
  /** Errors: PATH_TRAVERSAL_DETECTED, VALIDATION_ERROR. `from` is where relative paths start; it never widens the roots. */
  resolve(path: string, from?: string): Promise<Result<ResolvedPath>>;
  /** Does not follow a link in the last name. Errors: FILE_NOT_FOUND, PATH_TRAVERSAL_DETECTED. */
  stat(path: string): Promise<Result<FileFacts>>;
  /** Errors: FILE_NOT_FOUND, NOT_A_FILE, FILE_TOO_LARGE (over 10 MiB unless a limit is given), STALE, UNAVAILABLE. */
  readBytes(path: string, limitBytes?: number): Promise<Result<BytesFile & Placed>>;
  /** Errors: those of readBytes, BINARY_FILE. */
  readText(path: string): Promise<Result<TextFile & Placed>>;
  /** A part of a text file of any size (unless `maxFileBytes` is given) in bounded memory. Errors: those of readText; CANCELLED. */
  readLines(
    path: string,
    range?: {
      readonly offset?: number;
      readonly limit?: number;
      readonly maxBytes?: number;
      readonly maxFileBytes?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<Result<LineRange>>;
  /** One folder, by name in byte order, nothing ignored. Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY. */
  list(
    path: string,
    options?: { readonly hidden?: boolean; readonly limit?: number },
  ): Promise<Result<{ readonly entries: readonly FolderEntry[]; readonly truncated: boolean }>>;
  /** See walk.ts. Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY. */
  walk(path: string, options?: WalkOptions): Promise<Result<AsyncIterable<WalkEntry>>>;
  /**
   * Files whose path matches: a pattern without `/` is matched against names, at any depth. `*`, `**`, `?`, `[]`, `{a,b}`.
   * Hidden files only when the pattern says so. `exclude` adds to the ignore set.
   */
  glob(
    pattern: string,
    options?: {
      readonly path?: string;
      readonly exclude?: readonly string[];
      readonly limit?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<Result<{ readonly files: readonly string[]; readonly truncated: boolean }>>;
  /** Whether a walk would leave this path out. */
  isIgnored(path: string): Promise<Result<boolean>>;
  /** Whether a rule forbids to read this path (relative to the project); see guardedLook.ts. */
  isForbidden(path: string): boolean;
  /** The same, and counts it as left out of the result. */
  leaveOut(path: string): boolean;
  /** Whether any path may be forbidden. */
  readonly hasForbidden: boolean;
}

export function createLook(sandbox: Sandbox): Look {
  const resolve: Look['resolve'] = (given, from) => sandbox.resolve(given, from);

  const folder = async (given: string): Promise<Result<ResolvedPath>> => {
    const found = await resolve(given);
    if (!found.ok) return found;
    if (found.value.kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${given} does not exist`);
    if (found.value.kind !== 'directory') return fail('NOT_A_DIRECTORY', `${given} is not a folder`);
    return found;
  };

  const readBytes: Look['readBytes'] = async (given, limitBytes) => {
    const found = await resolve(given);
    return found.ok ? readWhole(found.value, limitBytes) : found;
  };

  const look: Look = {
    root: sandbox.root,
    sandbox,
    resolve,
    stat: async (given) => {
      const entry = await resolveEntry(sandbox, given);
      return entry.ok ? factsOf(entry.value.relative, entry.value.place) : entry;
    },
    readBytes,
    readText: async (given) => {
      const read = await readBytes(given);
      if (!read.ok) return read;
      const text = textFileOf(read.value);
      return text.ok ? ok({ ...text.value, real: read.value.real }) : text;
    },
    readLines: async (given, range = {}) => {
      const found = await resolve(given);
      return found.ok ? readLines(found.value, range) : found;
    },
    list: async (given, options = {}) => {
      const found = await folder(given);
      return found.ok ? listFolder(found.value, options) : found;
    },
    walk: async (given, options) => {
      const found = await folder(given);
      return found.ok ? ok(walk(sandbox, found.value, options)) : found;
    },
    glob: async (pattern, options = {}) => {
      const found = await folder(options.path ?? '.');
      if (!found.ok) return found;
      const wanted = compileGlob(pattern);
      const excluded = (options.exclude ?? []).map((one) => compileGlob(one));
      const prefix = found.value.relative === '.' ? 0 : found.value.relative.length + 1;
      const limit = options.limit ?? 1000;
      const files: string[] = [];
      const entries = walk(sandbox, found.value, {
        hidden: wanted.wantsHidden,
        signal: options.signal,
      });
      for await (const entry of entries) {
        const below = entry.path.slice(prefix);
        if (entry.type !== 'file' || !wanted.matches(below) || excluded.some((one) => matchesAbove(one, below)))
          continue;
        if (files.length >= limit) return ok({ files, truncated: true });
        files.push(entry.path);
      }
      return ok({ files, truncated: false });
    },
    isIgnored: async (given) => {
      const found = await resolve(given);
      if (!found.ok) return found;
      const names = path
        .relative(found.value.root, found.value.real)
        .split(path.sep)
        .filter((name) => name !== '');
      let at = await resolve(found.value.root);
      for (const [index, name] of names.entries()) {
        if (!at.ok) return at;
        const isLast = index === names.length - 1;
        const scope = await scopeAt(sandbox, at.value);
        if (scope.ignores(name, !isLast || found.value.kind === 'directory')) return ok(true);
        at = await resolve(path.join(at.value.real, name));
      }
      return ok(false);
    },
    isForbidden: () => false,
    leaveOut: () => false,
    hasForbidden: false,
  };
  return look;
}

/** An exclude that names a folder excludes everything below it. */
function matchesAbove(glob: { matches(path: string): boolean }, below: string): boolean {
  const names = below.split('/');
  return names.some((_, index) => glob.matches(names.slice(0, index + 1).join('/')));
}

/** The entry itself: its folder is resolved, its own name is not followed. */
async function resolveEntry(
  sandbox: Sandbox,
  given: string,
): Promise<Result<{ readonly relative: string; readonly place: string }>> {
  const absolute = path.resolve(sandbox.root, given);
  const whole = await sandbox.resolve(given);
  if (whole.ok && !whole.value.isLink) return ok({ relative: whole.value.relative, place: whole.value.real });
  if (refusedSpelling(given, sandbox.platform))
    return whole.ok ? ok({ relative: whole.value.relative, place: whole.value.real }) : whole;
  const parent = await sandbox.resolve(path.dirname(absolute));
  if (!parent.ok) return whole.ok ? parent : whole;
  const name = path.basename(absolute);
  const relative = parent.value.relative === '.' ? name : `${parent.value.relative}/${name}`;
  return ok({ relative, place: path.join(parent.value.real, name) });
}

async function factsOf(relative: string, place: string): Promise<Result<FileFacts>> {
  let stats: Stats;
  try {
    stats = await lstat(place);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return fail('FILE_NOT_FOUND', `${relative} does not exist`);
    return fail('UNAVAILABLE', `${relative} cannot be looked at: ${readProblem(code)}`);
  }
  const isLink = stats.isSymbolicLink();
  const may = async (mode: number) =>
    !isLink &&
    (await access(place, mode).then(
      () => true,
      () => false,
    ));
  return ok({
    path: relative,
    type: typeOf(stats),
    sizeBytes: stats.size,
    mode: stats.mode & 0o7777,
    modifiedAt: stats.mtime.toISOString(),
    createdAt: stats.birthtime.toISOString(),
    isReadable: await may(constants.R_OK),
    isWritable: await may(constants.W_OK),
    ...(isLink ? { linkTarget: await readlink(place).catch(() => '') } : {}),
  });
}

async function listFolder(
  folder: ResolvedPath,
  { hidden = true, limit = 2000 }: { readonly hidden?: boolean; readonly limit?: number },
): Promise<Result<{ readonly entries: readonly FolderEntry[]; readonly truncated: boolean }>> {
  try {
    const names = (await readdir(folder.real, { withFileTypes: true }))
      .filter(({ name }) => hidden || !name.startsWith('.'))
      .sort((a, b) => compareBytes(a.name, b.name));
    const entries: FolderEntry[] = [];
    for (const entry of names.slice(0, limit)) {
      const relative = folder.relative === '.' ? entry.name : `${folder.relative}/${entry.name}`;
      const stats = await lstat(path.join(folder.real, entry.name)).catch(codeOf);
      const facts =
        typeof stats === 'string' ? { error: stats } : { sizeBytes: stats.size, modifiedAt: stats.mtime.toISOString() };
      entries.push({ name: entry.name, path: relative, type: typeOf(entry), ...facts });
    }
    return ok({ entries, truncated: names.length > limit });
  } catch (error) {
    return fail('UNAVAILABLE', `${folder.relative} cannot be listed: ${readProblem(codeOf(error))}`);
  }
}
