import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';

const bareName = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

export function isBareName(name: string): boolean {
  return bareName.test(name);
}

export interface FoundBinary {
  readonly path: string;
  readonly realPath: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** When the file was put there: packages set the time of change of what they unpack. */
  readonly changedMs: number;
}

export interface SearchPath {
  readonly folders: readonly string[];
  /** Endings that make a program on Windows; empty elsewhere. */
  readonly endings: readonly string[];
}

/** Where programs are looked for: the folders of PATH, then the extra ones; relative folders are left out. */
export function searchPath(
  env: Readonly<Record<string, string | undefined>>,
  extraPaths: readonly string[] = [],
  platform: string = process.platform,
): SearchPath {
  const path = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  const folders = [...new Set([...path, ...extraPaths].filter((folder) => folder !== '' && isAbsolute(folder)))];
  const endings = platform === 'win32' ? (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';') : [];
  return { folders, endings };
}

/** Finds a program without a shell. Errors: COMMAND_NOT_FOUND. */
export function resolveBinary(binary: string, { folders, endings }: SearchPath): Result<FoundBinary> {
  const candidates = isAbsolute(binary)
    ? [binary]
    : isBareName(binary)
      ? folders.flatMap((folder) =>
          [binary, ...endings.map((ending) => binary + ending)].map((name) => join(folder, name)),
        )
      : [];
  for (const path of candidates) {
    const found = executable(path);
    if (found) return ok(found);
  }
  return fail('COMMAND_NOT_FOUND', `Binary not found: ${binary}`);
}

function executable(path: string): FoundBinary | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  try {
    accessSync(path, constants.X_OK);
    const { size, mtimeMs, ctimeMs } = stats;
    return { path, realPath: realpathSync(path), sizeBytes: size, modifiedMs: mtimeMs, changedMs: ctimeMs };
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder or lies in it; both are taken as they are. */
export function isInside(path: string, folder: string): boolean {
  const base = resolve(folder);
  return path === base || path.startsWith(base.endsWith(sep) ? base : base + sep);
}
