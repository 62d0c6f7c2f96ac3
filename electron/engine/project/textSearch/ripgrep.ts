import { spawn } from 'node:child_process';
import { fail, ok, type Result } from '../../../../shared/result.ts';

export interface RipgrepEnd {
  readonly exitCode: number;
  /** At most the first 4,000 characters. */
  readonly errors: string;
}

/** Linux hands on no word from 128 KiB (MAX_ARG_STRLEN), Windows no command line over 32,767 characters. */
const maxWordBytes = process.platform === 'win32' ? 16_000 : 120_000;

let found: Promise<string | undefined> | undefined;

/** The binary that the package brings; looked for once, when it is first needed. Undefined where there is none. */
export function findRipgrep(): Promise<string | undefined> {
  found ??= import('@vscode/ripgrep').then(
    // A binary cannot be started from inside an archive; the packager puts it beside it.
    ({ rgPath }) => rgPath.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked'),
    () => undefined,
  );
  return found;
}

/**
 * Runs ripgrep without a shell and hands on its output as it comes. Resolves when the process has ended. Answering false
 * from `take` ends it early. Errors: VALIDATION_ERROR for words that no system hands on, CANCELLED, UNAVAILABLE when it
 * cannot be started.
 */
export async function runRipgrep(
  binary: string,
  run: {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly signal: AbortSignal;
    readonly take: (chunk: Buffer) => boolean;
  },
): Promise<Result<RipgrepEnd>> {
  const { args, cwd, signal, take } = run;
  if (signal.aborted) return cancelled;
  if (args.some((word) => Buffer.byteLength(word) > maxWordBytes))
    return fail('VALIDATION_ERROR', `What is searched for is too long; give at most ${maxWordBytes} bytes of it.`);
  return new Promise((resolve) => {
    const child = spawn(binary, args, { cwd, env: childEnv(), stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let errors = '';
    let startProblem: string | undefined;
    let isEnough = false;
    const stop = () => child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (isEnough || signal.aborted || take(chunk)) return;
      isEnough = true;
      stop();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 4000) errors = (errors + chunk.toString()).slice(0, 4000);
    });
    child.on('error', (error) => {
      startProblem = error.message;
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) resolve(cancelled);
      else if (startProblem !== undefined) resolve(fail('UNAVAILABLE', `ripgrep cannot be run: ${startProblem}`));
      else resolve(ok({ exitCode: isEnough ? 0 : (code ?? 2), errors }));
    });
  });
}

const cancelled = fail('CANCELLED', 'The search was stopped');

/** Nothing of ours is needed: no keys, no configuration (C6). Windows programs want SystemRoot. */
function childEnv(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}
