import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { delimiter, extname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** What the system searches when there is no PATH. */
const usualPath = '/bin:/usr/bin';

export interface Lookup {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform?: string;
}

/**
 * The file that starting `word` runs: a word with a separator is a path below the working folder, any other is searched in
 * PATH. Errors: COMMAND_NOT_FOUND (with a hint in the details), NOT_EXECUTABLE.
 */
export function findExecutable(word: string, { cwd, env, platform = process.platform }: Lookup): Result<string> {
  const windows = platform === 'win32';
  const suffixes = windows ? windowsSuffixes(word, env) : [''];
  const isPath = word.includes('/') || (windows && word.includes('\\'));
  const folders =
    word === '' ? [] : isPath ? [''] : (variable(env, 'PATH', windows) ?? (windows ? '' : usualPath)).split(delimiter);
  let forbidden: string | undefined;
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const file = isPath ? resolve(cwd, word + suffix) : join(resolve(cwd, folder), word + suffix);
      const found = look(file, windows);
      if (found === 'runs') return ok(file);
      if (found === 'forbidden') forbidden ??= file;
    }
  }
  if (forbidden !== undefined) return fail('NOT_EXECUTABLE', `permission denied: '${word}'`, { path: forbidden });
  return fail('COMMAND_NOT_FOUND', `executable '${word}' not found in PATH`, {
    hint: 'Configure extra_paths or provide full path to the executable.',
  });
}

/** A name with an ending is tried as it is first: the dot may be part of the name (`python3.12`). */
function windowsSuffixes(word: string, env: Readonly<Record<string, string>>): readonly string[] {
  const known = (variable(env, 'PATHEXT', true) ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '');
  return extname(word) === '' ? known : ['', ...known];
}

/** Windows does not tell the case of names. */
function variable(env: Readonly<Record<string, string>>, name: string, windows: boolean): string | undefined {
  return env[windows ? (Object.keys(env).find((given) => given.toUpperCase() === name) ?? name) : name];
}

function look(file: string, windows: boolean): 'runs' | 'forbidden' | 'missing' {
  let stat: Stats | undefined;
  try {
    stat = statSync(file, { throwIfNoEntry: false });
  } catch {
    return 'missing'; // ENOTDIR, EACCES, ELOOP on the way: not there for us
  }
  if (stat === undefined) return 'missing';
  if (!stat.isFile()) return 'forbidden'; // a pipe would be waited for
  if (windows) return 'runs';
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return 'forbidden';
  }
  // To root everything is accessible; the kernel still wants one execute bit.
  return (stat.mode & 0o111) === 0 ? 'forbidden' : 'runs';
}
