import { spawn } from 'node:child_process';
import { describeError } from '../../base/log.ts';
import { StartedGroup } from '../../base/signals.ts';
import { programStart } from './programStart.ts';

/** One program with its words; no shell is involved. */
export interface ProgramRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child, without secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of stdout and of stderr each; what comes beyond ends the program. */
  readonly maxBytes: number;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
}

export interface ProgramOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ended: 'exit' | 'timeout' | 'overflow' | 'cancelled' | 'failed';
  /** Why it could not be started. */
  readonly failure?: string;
}

export type RunProgram = (request: ProgramRequest) => Promise<ProgramOutcome>;

/** After the program is gone, output of children that hold its pipes is waited for this long. */
const graceMs = 250;
/** Between TERM and KILL when the time is over. */
const killAfterMs = 1_000;

/** Runs a program in its own process group and leaves none of the group behind. It never throws. */
export const runProgram: RunProgram = (request) =>
  new Promise((resolve) => {
    const { file, args, cwd, env, timeoutMs, maxBytes, stdin, signal } = request;
    const outputs = { stdout: new Gathered(maxBytes), stderr: new Gathered(maxBytes) };
    let ended: ProgramOutcome['ended'] = 'exit';
    let settled = false;
    const timers: NodeJS.Timeout[] = [];
    if (signal?.aborted) {
      resolve({ stdout: '', stderr: '', exitCode: null, signal: null, ended: 'cancelled' });
      return;
    }
    let child: ReturnType<typeof spawn>;
    const start = programStart(file, args, env);
    try {
      child = spawn(start.file, [...start.args], {
        cwd,
        env: { ...env },
        stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: start.verbatim,
      });
    } catch (error) {
      // NUL in an argument and the like are thrown, not emitted.
      resolve({ stdout: '', stderr: '', exitCode: null, signal: null, ended: 'failed', failure: describeError(error) });
      return;
    }
    const group = new StartedGroup(child);
    const stop = (why: ProgramOutcome['ended']): void => {
      if (settled || ended !== 'exit') return;
      ended = why;
      group.signal(why === 'overflow' ? 'SIGKILL' : 'SIGTERM');
      timers.push(setTimeout(() => group.signal('SIGKILL'), killAfterMs));
    };
    const cancel = (): void => stop('cancelled');
    const settle = (exitCode: number | null, signalName: string | null, failure?: string): void => {
      if (settled) return;
      settled = true;
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      group.signal('SIGKILL'); // what the program left in its group
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({
        stdout: outputs.stdout.text(),
        stderr: outputs.stderr.text(),
        exitCode,
        signal: signalName,
        ended: failure === undefined ? ended : 'failed',
        failure,
      });
    };
    timers.push(setTimeout(() => stop('timeout'), timeoutMs));
    signal?.addEventListener('abort', cancel, { once: true });
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (bytes: Buffer) => {
        if (!outputs[name].add(bytes)) stop('overflow');
      });
    child.stdin?.on('error', () => undefined); // a program need not read its input
    child.stdin?.end(stdin);
    child.on('error', (error) => settle(null, null, describeError(error)));
    child.on('exit', (code, name) => timers.push(setTimeout(() => settle(code, name), graceMs)));
    child.on('close', (code, name) => settle(code, name));
  });

class Gathered {
  readonly #maxBytes: number;
  readonly #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when the limit is passed; what is over it is dropped. */
  add(bytes: Buffer): boolean {
    const room = this.#maxBytes - this.#size;
    this.#size += bytes.length;
    if (room > 0) this.#parts.push(bytes.length <= room ? bytes : bytes.subarray(0, room));
    return bytes.length <= room;
  }

  text(): string {
    return Buffer.concat(this.#parts).toString();
  }
}
