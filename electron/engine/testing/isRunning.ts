import { readFileSync } from 'node:fs';

/** Whether a process runs. Zombies do not: whoever should have taken their exit code is gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return error instanceof Error && 'path' in error; // alive, on a system without /proc
  }
}
