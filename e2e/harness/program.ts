import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { productRoot } from './folders.ts';

const cli = join(productRoot, 'out', 'cli.js');

/**
 * The environment of the product under test: this one's, without anything that would configure it, and with a home,
 * settings and state below `home`. `TEST_FILE_MARK` marks all that descends from it, so that leftovers can be told.
 */
export function programEnvironment(home: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(LLM_|VISE_|OPENAI_|XDG_|npm_|NODE_OPTIONS$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    VISE_HOME: join(home, 'vise'),
    TEST_FILE_MARK: home,
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    // npm asks its registry for news of itself now and then: no test may depend on that.
    npm_config_update_notifier: 'false',
    ...extra,
  };
}

/** Starts `vise` with these arguments on the Node that runs the tests. The caller ends it. */
export function startProgram(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): ChildProcess {
  return spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** What a program has printed so far. */
export function textOf(stream: Readable | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

/** What a program that ran to its end has left. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `vise` to its end; after `limitMs` (2 min) it is killed, which shows in `signal`. */
export function runProgram(
  args: readonly string[],
  options: {
    readonly home: string;
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly stdin?: string;
    readonly limitMs?: number;
  },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = startProgram(args, programEnvironment(options.home, options.env), options.cwd);
    const stdout = textOf(child.stdout);
    const stderr = textOf(child.stderr);
    // It may end without reading what it is given.
    child.stdin?.on('error', () => undefined).end(options.stdin ?? '');
    const limit = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 120_000);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal, stdout: stdout(), stderr: stderr() });
    });
  });
}
