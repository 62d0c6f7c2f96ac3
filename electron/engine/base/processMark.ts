import { readFileSync } from 'node:fs';
import { errnoOf } from './log.ts';

/** A process that is told apart from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks since boot (proc(5), field 22); empty where there is no /proc. */
  readonly startedAt: string;
}

/** One line of the system's process table. */
export interface ProcessRow extends ProcessMark {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It has ended, and only waits for its parent to ask for the exit code; its number is still its own. */
  readonly hasEnded: boolean;
}

export function thisProcess(): ProcessMark {
  return markOf(process.pid);
}

/** The process that has this number now. */
export function markOf(pid: number): ProcessMark {
  return { pid, startedAt: rowOf(pid)?.startedAt ?? '' };
}

/** From /proc; undefined when there is no such process, and on systems without it. */
export function rowOf(pid: number): ProcessRow | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name stands in brackets and may hold anything, brackets and blanks included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  return {
    pid,
    startedAt: fields[19] ?? '',
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    hasEnded: state === 'Z' || state === 'X',
  };
}

/** Whether some process with this number runs. Where one that was known before is meant, ask `isProcessAlive`. */
export function isRunning(pid: number): boolean {
  return isProcessAlive({ pid, startedAt: '' });
}

/** Whether this very process still runs. Where its start is not known, its number decides. */
export function isProcessAlive({ pid, startedAt }: ProcessMark): boolean {
  if (!(pid > 0)) return false;
  const now = rowOf(pid);
  if (now !== undefined) return !now.hasEnded && (startedAt === '' || now.startedAt === startedAt);
  if (startedAt !== '') return false; // there is a /proc, and it is not there
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
