import { findExecutable } from '../../exec/findExecutable.ts';
import { batchCommandLine } from '../../shell/parse/windowsWords.ts';

/** What the system is told to start. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  /** The words are quoted for cmd.exe already. */
  readonly verbatim: boolean;
}

type Environment = Readonly<Record<string, string>>;

/**
 * A program with its words. On Windows a batch file is always read by cmd.exe, so it is started by it, with every word
 * escaped for it; Node refuses to start one by itself since CVE-2024-27980.
 */
export function programStart(
  file: string,
  args: readonly string[],
  env: Environment,
  platform: string = process.platform,
): ProgramStart {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const shell = Object.entries(env).find(([name]) => name.toUpperCase() === 'COMSPEC')?.[1] ?? 'cmd.exe';
  return { file: shell, args: ['/d', '/s', '/c', `"${batchCommandLine([file, ...args])}"`], verbatim: true };
}

/** The program of an MCP server: on Windows most are batch files (`npx`), which only their whole name starts. */
export function serverProgram(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
  platform: string = process.platform,
): string {
  if (platform !== 'win32') return command;
  const found = findExecutable(command, { cwd, env, platform });
  return found.ok ? found.value : command; // starting it tells what is wrong
}
