import { fail } from '../../../shared/result.ts';
import { codeOf } from './sandbox.ts';

/** What the system's refusal means, in words that say what to do. DISK_FULL or FILE_WRITE_ERROR. */
export function writeProblem(error: unknown, path: string) {
  const code = codeOf(error);
  const details = { path, system: code };
  switch (code) {
    case 'ENOSPC':
      return fail(
        'DISK_FULL',
        `There is no space left to write ${path}; nothing was changed. Free some space and try again`,
        details,
      );
    case 'EDQUOT':
      return fail('DISK_FULL', `Your quota is used up, ${path} cannot be written; nothing was changed`, details);
    case 'EACCES':
    case 'EPERM':
      return fail('FILE_WRITE_ERROR', `You have no permission to write ${path}; nothing was changed`, details);
    case 'EROFS':
      return fail('FILE_WRITE_ERROR', `${path} lies on a read-only file system; nothing was changed`, details);
    case 'EMFILE':
    case 'ENFILE':
      return fail(
        'FILE_WRITE_ERROR',
        `Too many files are open to write ${path}; nothing was changed. Try again in a moment`,
        details,
      );
    case 'ENOTDIR':
      return fail(
        'FILE_WRITE_ERROR',
        `${path} cannot be created: a part of its path is a file; nothing was changed`,
        details,
      );
    case 'ENAMETOOLONG':
      return fail('FILE_WRITE_ERROR', `The name of ${path} is too long for this disk; nothing was changed`, details);
    default:
      return fail('FILE_WRITE_ERROR', `${path} cannot be written (${code}); nothing was changed`, details);
  }
}
