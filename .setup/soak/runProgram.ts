import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { productRoot } from '../../e2e/harness/folders.ts';

export const cli = join(productRoot, 'out', 'cli.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote to stderr. */
  readonly problems: string;
}

/** After so long it hangs, ms. */
export const limitMs = 180_000;

/** Runs a Node program to its end. `watch` sees the process when it starts and each piece that it prints. */
export function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  watch: (child: ChildProcess, printed: string | undefined) => void = () => undefined,
): Promise<Ended> {
  return runCommand(process.execPath, ['--no-warnings', ...args], env, cwd, watch);
}

/** The same of any program. One that runs others is given longer than they, so that it can still tell which of them hung. */
export function runCommand(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  watch: (child: ChildProcess, printed: string | undefined) => void = () => undefined,
  patienceMs = limitMs,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let problems = '';
    const limit = setTimeout(() => {
      problems += '\n(it hung and was ended)';
      child.kill('SIGKILL');
    }, patienceMs);
    child.stdout.on('data', (data: Buffer) => watch(child, data.toString()));
    child.stderr.on('data', (data: Buffer) => {
      problems += data.toString();
      watch(child, data.toString());
    });
    child.on('error', (error) => {
      problems += error.message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal, problems });
    });
    watch(child, undefined);
  });
}
