import { once } from 'node:events';
import { findLeftovers } from '../../.setup/leftovers.ts';
import { programEnvironment, startProgram, textOf } from './program.ts';
import { until } from './until.ts';

/** A running `vise serve`. */
export interface Server {
  /** With the token: opens the workbench. */
  readonly url: string;
  readonly pid: number;
  /** What it has written to stderr so far. */
  readonly diagnostics: () => string;
  /** Asks it to end (TERM) and waits; throws if it does not within 10 s, or if anything that it started is left. */
  readonly stop: () => Promise<void>;
  /** Kills it alone, as a crash would. What it had started lives on until `stop`, which then does not complain. */
  readonly kill: () => Promise<void>;
}

/** How long children that were told to end (TERM, and KILL after 5 s) may take on a busy machine, ms. */
const childGraceMs = 60_000;

let started = 0;

function endLeftovers(mark: string): void {
  for (const { pid } of findLeftovers(0, mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Starts the built product's loopback host without opening a browser, and waits for its first line. */
export async function startServer(options: {
  readonly home: string;
  readonly project?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}): Promise<Server> {
  started += 1;
  const markValue = `${options.home}#${started}`;
  const mark = `TEST_FILE_MARK=${markValue}`;
  const env = { ...programEnvironment(options.home, options.env), TEST_FILE_MARK: markValue };
  const { project, args = [] } = options;
  const words = ['serve', ...(project ? [project] : []), '--no-open', ...args];
  const child = startProgram(words, env, project ?? options.home);
  const exited = once(child, 'exit');
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (!hasEnded()) child.kill('SIGKILL');
    await exited;
  };
  const left = (): readonly string[] => findLeftovers(0, mark).map(({ pid, command }) => `${pid} ${command}`);
  const report = stderr;

  /** Ends it as a user would; what was killed before has nothing to answer for. */
  const stop = async (): Promise<void> => {
    try {
      if (hasEnded()) return;
      child.kill('SIGTERM');
      await until('vise serve to end after TERM', hasEnded, { report });
      if (child.exitCode !== 130) throw new Error(`vise serve ended with ${String(child.exitCode)}:\n${stderr()}`);
      const gone = (): boolean => left().length === 0;
      await until('what it started to end', gone, { limitMs: childGraceMs, report: () => left().join('\n') });
    } finally {
      await kill();
      endLeftovers(mark);
    }
  };

  try {
    const spoke = (): boolean => stdout().includes('\n') || hasEnded();
    await until('the first line of vise serve', spoke, { report });
    if (!stdout().includes('\n')) throw new Error(`vise serve ended at once (${String(child.exitCode)}):\n${stderr()}`);
    const first: unknown = JSON.parse(stdout().slice(0, stdout().indexOf('\n')));
    const { url, pid } = first as { readonly url: string; readonly pid: number };
    return { url, pid, diagnostics: report, stop, kill };
  } catch (error) {
    await kill();
    endLeftovers(mark);
    throw error;
  }
}
