import { spawn } from 'node:child_process';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { StartedGroup } from '../base/signals.ts';
import { standingSettings } from './gitEnvironment.ts';

export interface GitStart {
  readonly file: string;
  readonly args: readonly string[];
}

/** Where git works and with what. */
export interface GitPlace {
  /** Absolute and real. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `name=value`, added to those of every start. */
  readonly settings: readonly string[];
  /** Starts it in the system's sandbox. Error: UNAVAILABLE. */
  readonly start?: ((file: string, args: readonly string[], cwd: string) => Result<GitStart>) | undefined;
  /** For every start, whatever it asks for, ms. */
  readonly limitMs?: number;
}

export interface GitOptions {
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** What comes after this is dropped, and `truncated` set. */
  readonly maxBytes?: number;
  /** Takes no lock: for commands that only read. */
  readonly reads?: boolean;
  /** Exit codes that are answers, not errors; 0 is one. */
  readonly codes?: readonly number[];
}

export interface GitOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  readonly truncated: boolean;
}

const defaultTimeoutMs = 60_000;
const defaultMaxBytes = 16 * 1024 * 1024;
/** Linux hands on no word from 128 KiB (MAX_ARG_STRLEN), Windows no command line over 32,767 characters. */
const maxWordBytes = process.platform === 'win32' ? 16_000 : 120_000;
const maxErrorBytes = 64 * 1024;
/** Git removes its lock files on TERM; what ignores it is killed after this. */
const graceMs = 2_000;
/** How long the output of git may stay open after its end: a hook may have left something that holds it. */
const drainMs = 500;

/**
 * Runs git itself, never through a shell, with everything it starts in a process group of its own. Errors:
 * VALIDATION_ERROR (a word that cannot be handed on), UNAVAILABLE (no git), TIMEOUT, CANCELLED, and GIT_ERROR with exit code and stderr in the details.
 */
export function runGit(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<Result<GitOutput>> {
  const { signal, maxBytes = defaultMaxBytes, codes = [0] } = options;
  const timeoutMs = Math.min(options.timeoutMs ?? defaultTimeoutMs, place.limitMs ?? Number.POSITIVE_INFINITY);
  if (signal?.aborted) return Promise.resolve(fail('CANCELLED', 'The call was stopped.'));
  // No system hands on such a word: starting git would throw.
  const unfit = args.find((word) => word.includes('\0') || Buffer.byteLength(word) > maxWordBytes);
  if (unfit !== undefined)
    return Promise.resolve(
      fail(
        'VALIDATION_ERROR',
        `git cannot be given ${JSON.stringify(unfit.slice(0, 100))}: a NUL character, or more than ${maxWordBytes} bytes.`,
      ),
    );
  const { words, variables } = settingsOf([...standingSettings, ...place.settings]);
  const plain = { file: 'git', args: ['--no-pager', ...words, ...args] };
  const started = place.start?.(plain.file, plain.args, place.cwd) ?? ok(plain);
  if (!started.ok) return Promise.resolve(started);
  return new Promise((resolve) => {
    const child = spawn(started.value.file, started.value.args, {
      cwd: place.cwd,
      env: { ...place.environment, ...variables, ...(options.reads === true ? { GIT_OPTIONAL_LOCKS: '0' } : {}) },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const group = new StartedGroup(child);
    const out = collect(maxBytes);
    const err = collect(maxErrorBytes);
    let ended: 'TIMEOUT' | 'CANCELLED' | undefined;
    let killer: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;
    const end = (why: 'TIMEOUT' | 'CANCELLED'): void => {
      ended ??= why;
      group.signal('SIGTERM');
      killer ??= setTimeout(() => group.signal('SIGKILL'), graceMs);
    };
    const stop = (): void => end('CANCELLED');
    const limit = setTimeout(() => end('TIMEOUT'), timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    const settle = (result: Result<GitOutput>): void => {
      clearTimeout(limit);
      clearTimeout(killer);
      clearTimeout(drain);
      signal?.removeEventListener('abort', stop);
      resolve(result);
    };
    child.stdout.on('data', out.add);
    child.stderr.on('data', err.add);
    child.stdin.on('error', () => undefined).end(options.input ?? ''); // git may end without reading
    child.on('error', (error) => settle(fail('UNAVAILABLE', `git cannot be started (${error.message}). Install git.`)));
    child.on('exit', () => {
      drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, drainMs);
    });
    child.on('close', (code) => {
      if (ended === 'CANCELLED') return settle(fail('CANCELLED', 'git was stopped.'));
      if (ended === 'TIMEOUT') return settle(fail('TIMEOUT', `git ${args[0] ?? ''} was ended after ${timeoutMs} ms.`));
      const output = { stdout: out.text(), stderr: err.text(), code: code ?? -1, truncated: out.cut() };
      settle(codes.includes(output.code) ? ok(output) : gitError(args, output));
    });
  });
}

/** `-c` ends a name at its first `=`; a name that has one of its own goes by the environment (git 2.31). */
function settingsOf(settings: readonly string[]) {
  const words: string[] = [];
  const variables: Record<string, string> = {};
  let count = 0;
  for (const setting of settings) {
    const end = setting.lastIndexOf('=');
    if (setting.indexOf('=') === end) words.push('-c', setting);
    else {
      variables[`GIT_CONFIG_KEY_${count}`] = setting.slice(0, end);
      variables[`GIT_CONFIG_VALUE_${count}`] = setting.slice(end + 1);
      count += 1;
      variables['GIT_CONFIG_COUNT'] = String(count);
    }
  }
  return { words, variables };
}

/** GIT_ERROR with what git said. */
export function gitError(args: readonly string[], { stdout, stderr, code }: GitOutput): Result<never> {
  const said = stderr.trim() || stdout.trim().slice(0, 2_000);
  const lines = said.split('\n').filter((line) => !line.startsWith('hint:'));
  const message = lines.slice(0, 5).join('\n') || `exit code ${code}`;
  return fail('GIT_ERROR', `git ${args[0] ?? ''} failed: ${message}`, { exitCode: code, stderr: said });
}

function collect(limit: number) {
  const pieces: Buffer[] = [];
  let size = 0;
  let isCut = false;
  return {
    add(piece: Buffer): void {
      const room = limit - size;
      if (piece.length > room) isCut = true;
      if (room <= 0) return;
      const kept = piece.length > room ? piece.subarray(0, room) : piece;
      pieces.push(kept);
      size += kept.length;
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
    cut: () => isCut,
  };
}
