import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { isProcessAlive, markOf, type ProcessMark, type ProcessRow, rowOf } from './processMark.ts';

// The only place of the product that signals (held by signals.test.ts). Numbers are given away again, some within seconds: a
// signal goes to a process that is known by its start, and to a group only while it is known to be the one that we began.

const windows = process.platform === 'win32';
const linux = process.platform === 'linux';

/**
 * Signals this very process. False, and nothing sent, when it has ended or its number is another's, and for 0, 1, negative
 * numbers, this process and its parent, whatever the caller believes. Only where no system tells a start, the number decides.
 */
export function signalProcess(mark: ProcessMark, how: NodeJS.Signals): boolean {
  if (!mayBeSignalled(mark.pid) || (linux && mark.startedAt === '') || !isProcessAlive(mark)) return false;
  return send(mark.pid, how);
}

/** Signals the group that this process leads, while it does; also when it has ended and its parent has not asked for it yet. */
export function signalGroup(leader: ProcessMark, how: NodeJS.Signals): boolean {
  if (!mayBeSignalled(leader.pid)) return false;
  if (windows) return signalProcess(leader, how);
  if (linux) {
    const now = rowOf(leader.pid);
    const leads = now !== undefined && now.startedAt === leader.startedAt && now.group === leader.pid;
    if (!leads || now.group === rowOf(process.pid)?.group) return false;
  }
  return send(-leader.pid, how);
}

/** The process group of a child that was started `detached`, and what the child leaves in it. */
export class StartedGroup {
  readonly #child: ChildProcess;
  readonly #leader: ProcessMark | undefined;
  #left: readonly ProcessMark[] = [];

  /** At once after the start, while the number cannot have been given away. */
  constructor(child: ChildProcess) {
    this.#child = child;
    this.#leader = child.pid === undefined ? undefined : markOf(child.pid);
    // The first to hear of the end: the number is given away no sooner than the group is empty too.
    child.once('exit', () => {
      if (this.#leader !== undefined) this.#left = membersOf(this.#leader.pid);
    });
  }

  /** False when nothing is left of it. */
  signal(how: NodeJS.Signals): boolean {
    if (this.#leader === undefined) return false;
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return signalGroup(this.#leader, how);
    return isGroupOf(this.#leader.pid, this.#left) && send(-this.#leader.pid, how);
  }
}

/**
 * Who is in the group that this number names: right after its leader has ended, those it left. Where the process table cannot
 * be read, the group stands for them.
 */
export function membersOf(leader: number): readonly ProcessMark[] {
  if (!groupRuns(leader)) return [];
  if (!linux) return [{ pid: leader, startedAt: '' }];
  return processRows().flatMap(({ pid, startedAt, group, hasEnded }) =>
    group === leader && !hasEnded ? { pid, startedAt } : [],
  );
}

/** Whether a group is still the one that had these members: while one of them lives in it, nobody else is given its number. */
function isGroupOf(leader: number, members: readonly ProcessMark[]): boolean {
  if (!linux) return members.length > 0 && groupRuns(leader);
  return members.some((mark) => isProcessAlive(mark) && rowOf(mark.pid)?.group === leader);
}

/** Whether a process is left of the group that has this number. False on Windows. */
export function groupRuns(leader: number): boolean {
  return !windows && mayBeSignalled(leader) && send(-leader, 0);
}

/** The process table of Linux, what has ended included. */
function processRows(): readonly ProcessRow[] {
  return processNumbers().flatMap((pid) => rowOf(pid) ?? []);
}

/** The numbers in it. */
export function processNumbers(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** 0 and below mean groups, 1 is the system's. */
function mayBeSignalled(pid: number): boolean {
  return Number.isInteger(pid) && pid > 1 && pid !== process.pid && pid !== process.ppid;
}

function send(pid: number, how: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, how);
  } catch {
    return false; // gone meanwhile, or another user's
  }
}
