import { accessSync, constants, statSync } from 'node:fs';

/** What was to be started, where. */
export interface Refused {
  readonly file: string;
  readonly cwd: string;
}

const remedies: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) =>
    `'${file}' cannot be started: the file, its interpreter or its loader is not there. Install what is missing.`,
  EACCES: (file) =>
    `'${file}' may not be executed. Set its execute bit, and look whether its file system is mounted with noexec.`,
  EPERM: (file) => `'${file}' may not be executed by this user. Run it as one who may.`,
  ENOEXEC: (file) =>
    `'${file}' is no program for this system (exec format error). Build it for this one, or name its interpreter in its first line (#!).`,
  ENOTDIR: (file) => `'${file}' is below something that is no folder. Mend the path.`,
  ELOOP: (file) => `'${file}' is a link that leads back to itself. Mend the link.`,
  ETXTBSY: (file) => `'${file}' is being written by somebody. Try again when that is done.`,
  E2BIG: () =>
    'The arguments and the environment are longer than the system takes. Write long texts to a file and give the file.',
  EMFILE: () => 'No descriptor is left for another process. Stop some tasks, or raise the limit (ulimit -n).',
  ENFILE: () => 'The system has no descriptor left for another process. Close programs, or raise its limit.',
  EAGAIN: () => 'The system starts no more processes for now. Stop some tasks, or raise the limit (ulimit -u).',
  ENOMEM: () => 'The system has no memory left for another process. Stop some tasks or close programs.',
};

/** Why the system did not start a command, and what to do about it. */
export function refusal(code: string, message: string, { file, cwd }: Refused): string {
  // A folder that is not there is told by the system as a program that is not.
  const folder = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(code) ? folderFault(cwd) : undefined;
  if (folder !== undefined) return folder;
  const words = Object.hasOwn(remedies, code) ? remedies[code]?.(file) : undefined;
  return words === undefined ? `'${file}' cannot be started: ${message}` : `${words} (${code})`;
}

/** Why no command can run in a folder; undefined when one can. */
export function folderFault(cwd: string): string | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return `The working folder '${cwd}' is not a folder. Give another one.`;
  } catch {
    return `The working folder '${cwd}' does not exist or cannot be reached. Make it again, or give another one.`;
  }
  try {
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch {
    return `The working folder '${cwd}' may not be entered. Give yourself the right (chmod u+x), or give another one.`;
  }
}
