import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { StreamName } from './outputStore.ts';
import type { StartOrder } from './protocol.ts';

export interface ProcessListener {
  /** `chunk` is overwritten after the call. */
  output(stream: StreamName, chunk: Buffer): void;
  exited(exitCode: number | null, signal: string | null): void;
  /** Nobody holds the streams any more: nothing will come. */
  closed(): void;
}

export interface RunningProcess {
  readonly pid: number;
  input(data: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when all that was written so far was told. Missing where only silence can say so. */
  readonly drained?: () => Promise<unknown>;
  /** Stops listening and lets the terminals go. */
  close(): void;
}

/** Throws or emits the system's error when the program cannot be started. */
export function spawnLinked(
  file: string,
  args: readonly string[],
  order: StartOrder,
  options: SpawnOptions,
): ChildProcess {
  return spawn(file, args, {
    ...options,
    cwd: order.cwd,
    env: order.env,
    windowsHide: true,
    windowsVerbatimArguments: order.verbatim === true,
  });
}

/** Resolves with the process id once the program runs; rejects with the system's error. */
export function started(child: ChildProcess, listener: ProcessListener): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => listener.exited(code, signal));
    child.on('error', reject);
    if (child.pid !== undefined) resolve(child.pid);
  });
}
