import { spawn } from 'node:child_process';
import { childrenCpuSeconds, watchMemory } from './processTree.ts';

/** What one run of a program has cost. */
export interface Cost {
  readonly wallMs: number;
  /** The program and all its descendants that were waited for; in steps of 0.01 s. */
  readonly cpuSeconds: number;
  /** The highest sum of resident memory over the tree, bytes; 0 where there is no /proc. */
  readonly peakBytes: number;
  readonly code: number | null;
  /** The first 1 MB. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** Sampling costs time itself: leave it off where only the time is asked. */
  readonly memory?: boolean;
  /** Then it is killed and the measurement throws; 120 s unless told. */
  readonly limitMs?: number;
}

const keptCharacters = 1_000_000;

/** Runs a program to its end and tells what it cost. One at a time: CPU time is told apart by when a child ends. */
export function measureChild(program: string, args: readonly string[], options: ChildOptions = {}): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const cpuBefore = childrenCpuSeconds();
    const started = performance.now();
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] });
    const memory = options.memory && child.pid !== undefined ? watchMemory(child.pid) : undefined;
    let wallMs = 0;
    let stdout = '';
    let stderr = '';
    let tooLong = false;
    const limit = setTimeout(() => {
      tooLong = true;
      child.kill('SIGKILL');
    }, options.limitMs ?? 120_000);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < keptCharacters) stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < keptCharacters) stderr += text;
    });
    // It may end without reading what it is given.
    child.stdin.on('error', () => undefined).end(options.stdin ?? '');
    child.on('error', (error) => {
      clearTimeout(limit);
      memory?.stop();
      reject(error);
    });
    child.on('exit', () => {
      wallMs = performance.now() - started;
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      const peakBytes = memory?.stop() ?? 0;
      if (tooLong) reject(new Error(`${program} ${args.join(' ')} took too long:\n${stderr.slice(-2_000)}`));
      else resolve({ wallMs, cpuSeconds: childrenCpuSeconds() - cpuBefore, peakBytes, code, stdout, stderr });
    });
  });
}
