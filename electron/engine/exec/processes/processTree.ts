import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Names it under every process of a task, so that one which left its session and its parents is still found. */
export const taskMark = 'VISE_TASK_ID';

/** What is needed to find the processes of one task. */
export interface TaskProcesses {
  readonly task: string;
  /** The process that was started; it leads a session and a group of its own. */
  readonly leader: number;
  /** Its start time as the kernel counts it, to notice that the number was given away again. */
  readonly leaderStart?: string | undefined;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: string;
}

/** Start time of a process in the kernel's ticks since boot, or undefined when it is gone or the platform has no /proc. */
export function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? readRow(pid)?.start : undefined;
}

/** Whether a process runs; on Linux one that only waits to be counted by its parent does not. */
export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return readRow(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether a process is left of the group that this one led. False for one that left the group, and on Windows. */
export function groupRuns(leader: number): boolean {
  if (leader <= 1 || process.platform === 'win32') return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * The living processes of each task: by session and group of the leader, by descent, and by the mark in the environment,
 * which `setsid` and double forks keep. Zombies do not count. Never this process.
 */
export async function findProcesses(tasks: readonly TaskProcesses[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, Set<number>>(tasks.map(({ task }) => [task, new Set()]));
  const rows = process.platform === 'linux' ? linuxRows() : process.platform === 'win32' ? [] : await psRows();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  // What carries the mark of a task was begun after its leader: reading the environment of all others is spared.
  const oldest = Math.min(...tasks.map(({ leaderStart }) => Number(leaderStart ?? 0)));
  for (const { task, leader, leaderStart } of tasks) {
    const mine = found.get(task);
    const now = byPid.get(leader);
    const givenAway = leaderStart !== undefined && now !== undefined && now.start !== leaderStart;
    // Group and session 0 hold what began outside our pid namespace, 1 is the system's: only a true leader leads a task.
    if (mine === undefined || givenAway || !(leader > 1)) continue;
    for (const { pid, group, session } of rows) if (group === leader || session === leader) mine.add(pid);
  }
  if (process.platform === 'linux') {
    for (const { pid, start } of rows) {
      const task = Number(start) < oldest ? undefined : markOf(pid);
      if (task !== undefined) found.get(task)?.add(pid);
    }
  }
  const kept = ownLine(byPid);
  const children = Map.groupBy(rows, ({ parent }) => parent);
  for (const mine of found.values()) {
    for (const pid of kept) mine.delete(pid); // before their children are taken for the task's
    for (const pid of mine) {
      for (const child of children.get(pid) ?? []) if (!kept.has(child.pid)) mine.add(child.pid); // a set grows while it is walked
    }
  }
  return new Map([...found].map(([task, pids]) => [task, [...pids]]));
}

/** This process, its ancestors, init and the kernel: whatever the rows say, these are never a task's. */
function ownLine(byPid: ReadonlyMap<number, ProcessRow>): ReadonlySet<number> {
  const line = new Set([0, 1, 2]);
  for (let pid = process.pid; pid > 1 && !line.has(pid); pid = byPid.get(pid)?.parent ?? 0) line.add(pid);
  return line;
}

export interface StopOptions {
  /** Between TERM and KILL. */
  readonly graceMs: number;
}

/** TERM to everything, KILL to what is left after the grace, and again until nothing is left. Returns the survivors of all tasks, normally none. */
export async function stopProcesses(
  tasks: readonly TaskProcesses[],
  { graceMs }: StopOptions,
): Promise<readonly number[]> {
  if (tasks.length === 0) return [];
  if (process.platform === 'win32') return (await Promise.all(tasks.map(({ leader }) => stopOnWindows(leader)))).flat();
  const look = async (): Promise<readonly number[]> => [...(await findProcesses(tasks)).values()].flat();
  let left = await look();
  send(left, 'SIGTERM');
  send(left, 'SIGCONT'); // a stopped process does not hear TERM
  for (let waited = 0, step = 10; left.length > 0 && waited < graceMs; waited += step, step = Math.min(step * 2, 100)) {
    await delay(Math.min(step, graceMs - waited));
    left = await look();
  }
  // Forks race with the look; each round finds what was born since.
  for (let round = 0; left.length > 0 && round < 100; round += 1) {
    send(left, 'SIGKILL');
    await delay(Math.min(5 * (round + 1), 50));
    left = await look();
  }
  return left;
}

export function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    if (pid <= 1) continue; // 0 and below mean groups
    try {
      process.kill(pid, signal);
    } catch {
      // gone in the meantime
    }
  }
}

function linuxRows(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const row = readRow(pid);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function readRow(pid: number): ProcessRow | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name stands in brackets and may hold anything, brackets and blanks included.
  const [state, parent, group, session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), start: rest[15] ?? '' };
}

function markOf(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    const at = environment.startsWith(`${taskMark}=`) ? 0 : environment.indexOf(`\0${taskMark}=`) + 1;
    if (at === 0 && !environment.startsWith(`${taskMark}=`)) return undefined;
    const end = environment.indexOf('\0', at);
    return environment.slice(at + taskMark.length + 1, end < 0 ? undefined : end);
  } catch {
    return undefined; // gone, or another user's
  }
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 16_000_000, windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}

async function psRows(): Promise<ProcessRow[]> {
  return parsePs(await run('ps', ['-axo', 'pid=,ppid=,pgid=,sess=,stat=']));
}

/** Rows of `ps -axo pid=,ppid=,pgid=,sess=,stat=` (macOS gives the session as an address: only the group is used there). */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, session, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), start: '' }];
  });
}

async function stopOnWindows(leader: number): Promise<readonly number[]> {
  await run('taskkill', ['/pid', String(leader), '/T', '/F']);
  try {
    process.kill(leader, 0);
    return [leader];
  } catch {
    return [];
  }
}
