import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import { codeOf, kindOf, type ResolvedPath } from './sandbox.ts';

interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Reads from a regular file: opened as it was resolved, and closed afterwards. Errors: those of opening and of `read`. */
export async function readInside<T>(
  file: ResolvedPath,
  read: (opened: OpenFile) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = await openInside(file);
  if (!opened.ok) return opened;
  try {
    return await read(opened.value);
  } catch (error) {
    return fail('UNAVAILABLE', `${file.relative} cannot be read: ${describeError(error)}`);
  } finally {
    await opened.value.handle.close();
  }
}

/**
 * Opens a regular file for reading and makes sure that what was opened is what was resolved: no link is followed, nothing
 * that could block is opened (P11), and the kernel is asked afterwards where the file lies (P9).
 * Errors: FILE_NOT_FOUND, NOT_A_FILE, STALE; UNAVAILABLE for what the system refuses (EACCES, EMFILE).
 */
async function openInside(file: ResolvedPath): Promise<Result<OpenFile>> {
  const wrongKind = refusedKind(file);
  if (wrongKind) return wrongKind;
  let handle: FileHandle | undefined;
  try {
    // The kind is asked again right before opening: opening a device can have effects, and a FIFO would wake its writer.
    if (!(await lstat(file.real)).isFile()) return fail('STALE', `${file.relative} changed while it was being opened`);
    handle = await open(file.real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (!stats.isFile()) return await closed(handle, fail('NOT_A_FILE', `${file.relative} is not a regular file`));
    if (!(await liesAt(handle, file.real, stats)))
      return await closed(handle, fail('STALE', `${file.relative} moved while it was being opened`));
    return ok({ handle, stats });
  } catch (error) {
    await handle?.close();
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return fail('FILE_NOT_FOUND', `${file.relative} does not exist`);
    if (code === 'ELOOP') return fail('STALE', `${file.relative} was replaced by a link while it was being opened`);
    return fail('UNAVAILABLE', `${file.relative} cannot be read: ${readProblem(code)}`, { system: code });
  }
}

function refusedKind(file: ResolvedPath) {
  if (file.kind === 'file') return undefined;
  if (file.kind === 'missing') return fail('FILE_NOT_FOUND', `${file.relative} does not exist`);
  const names = { directory: 'a folder', fifo: 'a named pipe', socket: 'a socket', device: 'a device' };
  return fail('NOT_A_FILE', `${file.relative} is ${names[file.kind]}, not a file`);
}

async function closed<T>(handle: FileHandle, value: T): Promise<T> {
  await handle.close();
  return value;
}

async function liesAt(handle: FileHandle, real: string, stats: Stats): Promise<boolean> {
  if (process.platform === 'linux') {
    const where = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    if (where !== undefined) return where === real;
  }
  if ((await realpath(real)) !== real) return false;
  const now = await lstat(real);
  return kindOf(now) === 'file' && now.dev === stats.dev && now.ino === stats.ino;
}

export function readProblem(code: string): string {
  if (code === 'EACCES' || code === 'EPERM') return 'you have no permission to read it';
  if (code === 'EMFILE' || code === 'ENFILE') return 'too many files are open; try again in a moment';
  return `the system answered ${code}`;
}
