import { readFileSync } from 'node:fs';
import { errnoOf } from './log.ts';

/** A process that is told apart from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks since boot (proc(5), field 22); empty where there is no /proc. */
  readonly startedAt: string;
}

export function thisProcess(): ProcessMark {
  return { pid: process.pid, startedAt: startOf(process.pid) };
}

/** Whether this very process still runs. Where its start is not known, its number decides. */
export function isProcessAlive({ pid, startedAt }: ProcessMark): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === '' || startedAt === '' || now === startedAt;
}

/** The name in field 2 may hold blanks and brackets. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
