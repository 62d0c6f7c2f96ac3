import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { StartedGroup } from '../../base/signals.ts';
import type { ProgramOutcome, ProgramRequest, RunProgram } from './program.ts';

/**
 * A small process that starts programs for us, one after the other. To start one from here the system copies the map of
 * a large process, and this one waits until that is done: 200 programs cost 2 s that way, and a fifth of it this way.
 */
export interface Relay {
  /** Both streams of a program come as its stdout; for questions whose answer is looked for in either. */
  readonly run: RunProgram;
  /** Ends the small processes with all that the programs left behind. */
  close(): void;
}

/** The words are read as lines and used as they are; the mark is read too, so that no program sees it in a list of processes. */
const script = `IFS= read -r mark || exit
while IFS= read -r program && IFS= read -r word; do
  "$program" "$word" </dev/null 2>&1
  printf '\\n%s %s\\n' "$mark" "$?"
done`;

/** For programs with one word beside them, in one folder and environment; any other request goes the usual way. */
export function createRelay(
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  otherwise: RunProgram,
): Relay {
  const idle: Helper[] = [];
  const all = new Set<Helper>();
  let closed = false;
  const run: RunProgram = async (request) => {
    const { file, args, cwd, env, stdin, signal } = request;
    const [word = '', ...more] = args;
    const fits =
      args.length === 1 &&
      more.length === 0 &&
      stdin === undefined &&
      cwd === where.cwd &&
      env === where.env &&
      file.startsWith('/') &&
      !/[\n\0]/.test(file + word);
    if (!fits || closed || signal?.aborted) return otherwise(request);
    const helper = idle.pop() ?? new Helper(where);
    all.add(helper);
    const outcome = await helper.ask(file, word, request);
    if (helper.isAlive) idle.push(helper);
    else all.delete(helper);
    // Not started at all: the words about it are the helper's own and may look like anything.
    return outcome === undefined || outcome.exitCode === 126 || outcome.exitCode === 127 ? otherwise(request) : outcome;
  };
  return {
    run,
    close() {
      closed = true;
      for (const helper of all) helper.end();
      all.clear();
    },
  };
}

class Helper {
  readonly #child: ChildProcess;
  readonly #group: StartedGroup;
  readonly #mark = randomBytes(16).toString('hex');
  #hear: ((bytes: Buffer) => void) | undefined;
  #gone: (() => void) | undefined;
  isAlive = true;

  constructor({ cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }) {
    this.#child = spawn('/bin/sh', ['-c', script], {
      cwd,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true, // a group of its own, which ends as a whole
    });
    this.#group = new StartedGroup(this.#child);
    this.#child.stdin?.on('error', () => undefined); // told by its end
    this.#child.stdout?.on('data', (bytes: Buffer) => this.#hear?.(bytes));
    const ended = (): void => {
      this.isAlive = false;
      this.#gone?.();
    };
    this.#child.on('error', ended);
    this.#child.on('exit', ended);
    this.#child.stdin?.write(`${this.#mark}\n`);
  }

  /** Undefined when the helper ended before it answered. */
  ask(
    file: string,
    word: string,
    { timeoutMs, maxBytes, signal }: ProgramRequest,
  ): Promise<ProgramOutcome | undefined> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      let size = 0;
      const settle = (outcome: ProgramOutcome | undefined): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.#hear = undefined;
        this.#gone = undefined;
        resolve(outcome);
      };
      const stop = (ended: 'timeout' | 'overflow' | 'cancelled'): void => {
        const stdout = Buffer.concat(parts).subarray(0, maxBytes).toString();
        this.end();
        settle({ stdout, stderr: '', exitCode: null, signal: null, ended });
      };
      const cancel = (): void => stop('cancelled');
      const timer = setTimeout(() => stop('timeout'), timeoutMs);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#gone = () => settle(undefined);
      this.#hear = (bytes) => {
        parts.push(bytes);
        size += bytes.length;
        const tail = Buffer.concat(parts.slice(-2)).subarray(-64).toString('latin1');
        const [, code] = new RegExp(`\\n${this.#mark} (\\d+)\\n$`).exec(tail) ?? [];
        if (code !== undefined) {
          const whole = Buffer.concat(parts).toString();
          const stdout = whole.slice(0, whole.lastIndexOf(`\n${this.#mark} `));
          settle({ stdout, stderr: '', exitCode: Number(code), signal: null, ended: 'exit' });
        } else if (size > maxBytes) stop('overflow');
      };
      this.#child.stdin?.write(`${file}\n${word}\n`);
    });
  }

  end(): void {
    this.isAlive = false;
    this.#group.signal('SIGKILL');
    this.#child.stdout?.destroy();
  }
}
