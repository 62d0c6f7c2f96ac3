import type { Failure } from '../../../shared/result.ts';
import { describeError, errnoOf } from './log.ts';

const full = 'The disk is full. Make room, then try again.';
const denied = 'Make the place writable, or point VISE_HOME at another, then try again.';

/** What a person can do about what the system refused; no bug of the program. */
const remedies: Readonly<Record<string, readonly [code: 'DISK_FULL' | 'FILE_WRITE_ERROR', remedy: string]>> = {
  ENOSPC: ['DISK_FULL', full],
  EDQUOT: ['DISK_FULL', full],
  EROFS: ['FILE_WRITE_ERROR', denied],
  EACCES: ['FILE_WRITE_ERROR', denied],
  EEXIST: ['FILE_WRITE_ERROR', denied], // a file in place of a folder
  ENOTDIR: ['FILE_WRITE_ERROR', denied],
  EPERM: ['FILE_WRITE_ERROR', denied],
  EIO: ['FILE_WRITE_ERROR', 'The disk fails. Look at it, then try again.'],
  EMFILE: ['FILE_WRITE_ERROR', 'Too many files are open. Stop some tasks, or raise the limit (ulimit -n).'],
  ENFILE: ['FILE_WRITE_ERROR', 'The system has too many files open. End some programs, then try again.'],
};

/** An error of the system's as a failure that says what to do; nothing for any other. `what`: what could not be done. */
export function systemFault(what: string, error: unknown): Failure | undefined {
  const found = remedies[errnoOf(error)];
  return found && { code: found[0], message: `${what}: ${describeError(error)}. ${found[1]}` };
}
