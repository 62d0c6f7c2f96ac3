import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { decodeText } from '../../workspace/textFile.ts';

/** What tells whether a file changed. `ctimeMs` also moves when somebody sets the other time back. */
export interface FileStamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

export function stampOf({ mtimeMs, ctimeMs, size, ino }: FileStamp): FileStamp {
  return { mtimeMs, ctimeMs, size, ino };
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

/** The coarsest clock of a usual file system (FAT). */
const settledMs = 2000;

/** What changed this shortly before it was looked at may have changed again without its times telling. */
export function isUnsettled({ mtimeMs, ctimeMs }: Pick<FileStamp, 'mtimeMs' | 'ctimeMs'>, seenAt: number): boolean {
  return Math.max(mtimeMs, ctimeMs) > seenAt - settledMs;
}

/** Larger source files are generated; parsing them would cost seconds. */
const maxSourceBytes = 4 * 1024 * 1024;

/** For most files: a buffer each would only be garbage. Nothing is kept in it after the text was made. */
const keptBytes = Buffer.alloc(256 * 1024);

export interface Source {
  readonly text: string;
  readonly stamp: FileStamp;
  /** By the clock of this machine, before it was read. */
  readonly readAt: number;
}

/** The text of an ordinary source file (real path), links not followed (P1, P9, P11); undefined when it has none. */
export function readSource(file: string): Source | undefined {
  let handle: number | undefined;
  try {
    if (realpathSync(file) !== file) return undefined;
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const readAt = Date.now();
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > maxSourceBytes) return undefined;
    const bytes = stats.size <= keptBytes.length ? keptBytes : Buffer.alloc(stats.size);
    const length = readSync(handle, bytes, 0, stats.size, 0);
    const decoded = decodeText(bytes.subarray(0, length));
    return decoded.ok ? { text: decoded.value.text, stamp: stampOf(stats), readAt } : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Bundles and minified files: a megabyte takes half a second to parse, and nobody edits them. */
export function isGenerated(text: string): boolean {
  if (text.length > maxSearchedCharacters) return true;
  const head = text.slice(0, 65_536);
  return head.length > 20_000 && head.length / (head.split('\n').length + 1) > 500;
}

const maxSearchedCharacters = 1024 * 1024;
