import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** Linux reads this much of a file to find its interpreter (BINPRM_BUF_SIZE). */
const headBytes = 256;
/** Linux takes no longer word (MAX_ARG_STRLEN: 32 pages, the ending NUL included). */
const maxWordBytes = 131_071;

/**
 * What of a program that was found can be known to keep the system from starting it: said before anybody is asked, and in
 * better words than the system's. Errors: NOT_EXECUTABLE, VALIDATION_ERROR.
 */
export function startFault(
  file: string,
  args: readonly string[],
  { cwd, platform }: { readonly cwd: string; readonly platform: string },
): Result<null> {
  if (platform === 'linux') {
    const bytes = Math.max(0, ...args.map((word) => Buffer.byteLength(word)));
    if (bytes > maxWordBytes)
      return fail(
        'VALIDATION_ERROR',
        `one argument has ${bytes} bytes, and the system takes no more than ${maxWordBytes}. Write the text to a file and give the file.`,
      );
  }
  if (platform === 'win32') return ok(null);
  const interpreter = interpreterOf(file);
  if (interpreter === undefined) return ok(null);
  const fault = stateOf(resolve(cwd, interpreter));
  if (fault === undefined) return ok(null);
  const remedy = interpreter.endsWith('\r')
    ? 'The line ends as on Windows (CR LF): convert the file to LF.'
    : 'Install it, mend the line, or give the file to an interpreter that is there.';
  return fail(
    'NOT_EXECUTABLE',
    `'${file}' cannot be started: the interpreter of its first line, '${interpreter.replace('\r', '\\r')}', ${fault}.`,
    { path: file, hint: remedy },
  );
}

/** The program of a `#!` line. */
function interpreterOf(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined; // what may be executed need not be readable
  }
  try {
    const head = Buffer.alloc(headBytes);
    const size = readSync(descriptor, head, 0, headBytes, 0);
    return /^#![ \t]*([^ \t\n\0]+)/.exec(head.toString('utf8', 0, size))?.[1];
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function stateOf(path: string): string | undefined {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'cannot be reached';
  }
  if (stat === undefined) return 'does not exist';
  return stat.isFile() && (stat.mode & 0o111) !== 0 ? undefined : 'may not be executed';
}
