import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inSteps } from '../../base/inSteps.ts';
import { isRunning, type ProcessMark, type ProcessRow, rowOf } from '../../base/processMark.ts';
import { processNumbers, signalProcess } from '../../base/signals.ts';

const linux = process.platform === 'linux';

/** Names it under every process of a task, so that one which left its session and its parents is still found. */
export const taskMark = 'VISE_TASK_ID';

/** What is needed to find the processes of one task. */
export interface TaskProcesses {
  readonly task: string;
  /** The process that was started; it leads a session and a group of its own. */
  readonly leader: number;
  /** Its start time as the kernel counts it, to notice that the number was given away again. */
  readonly leaderStart?: string | undefined;
  /** Who was left of its group when the leader had just ended. */
  readonly left?: readonly ProcessMark[] | undefined;
}

/** The numbers of the living processes of each task; see `lookAt`. */
export async function findProcesses(tasks: readonly TaskProcesses[]): Promise<ReadonlyMap<string, readonly number[]>> {
  return new Map([...(await lookAt(tasks))].map(([task, rows]) => [task, rows.map(({ pid }) => pid)]));
}

/**
 * The living processes of each task: by session and group of the leader, by descent, and by the mark in the environment,
 * which `setsid` and double forks keep. Zombies do not count. Never this process.
 *
 * The number of a leader that has ended may be another's by now. It is the task's while it leads, or while one of its group
 * carries the task's mark or was left there by it: as long as such a one lives, the system gives the number to nobody.
 */
async function lookAt(tasks: readonly TaskProcesses[]): Promise<ReadonlyMap<string, readonly ProcessRow[]>> {
  const table = linux ? await tableInSteps() : process.platform === 'win32' ? [] : await psRows();
  const byPid = new Map(table.map((row) => [row.pid, row]));
  const rows = table.filter(({ hasEnded }) => !hasEnded);
  // What carries the mark of a task was begun after its leader: reading the environment of all others is spared.
  const oldest = Math.min(...tasks.map(({ leaderStart }) => Number(leaderStart ?? 0)));
  const marked = await byMark(linux ? rows.filter(({ startedAt }) => Number(startedAt) >= oldest) : []);
  const kept = ownLine(byPid);
  const children = Map.groupBy(rows, ({ parent }) => parent);
  return new Map(
    tasks.map((task) => {
      const own = marked.get(task.task) ?? [];
      const mine = new Set(own);
      for (const row of ownGroup(task, { rows, byPid, own })) mine.add(row);
      for (const row of mine) if (kept.has(row.pid)) mine.delete(row); // before their children are taken for the task's
      for (const { pid } of mine) {
        for (const child of children.get(pid) ?? []) if (!kept.has(child.pid)) mine.add(child); // a set grows while it is walked
      }
      return [task.task, [...mine]];
    }),
  );
}

interface Seen {
  readonly rows: readonly ProcessRow[];
  readonly byPid: ReadonlyMap<number, ProcessRow>;
  /** Those that carry the task's mark. */
  readonly own: readonly ProcessRow[];
}

/** Who is in the group or session that the leader began. */
function ownGroup(
  { leader, leaderStart, left = [] }: TaskProcesses,
  { rows, byPid, own }: Seen,
): readonly ProcessRow[] {
  // Group and session 0 hold what began outside our pid namespace, 1 is the system's: only a true leader leads a task.
  if (!(leader > 1)) return [];
  const members = rows.filter(({ group, session }) => group === leader || session === leader);
  const now = byPid.get(leader);
  if (now !== undefined && leaderStart !== undefined && now.startedAt !== leaderStart) return [];
  if (!linux || (now !== undefined && leaderStart !== undefined)) return members;
  const isLeft = (row: ProcessRow): boolean =>
    left.some(({ pid, startedAt }) => pid === row.pid && startedAt === row.startedAt);
  return members.some((row) => own.includes(row) || isLeft(row)) ? members : [];
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
  const look = async (): Promise<readonly ProcessRow[]> => [...(await lookAt(tasks)).values()].flat();
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
  return left.map(({ pid }) => pid);
}

function send(processes: readonly ProcessMark[], signal: NodeJS.Signals): void {
  for (const one of processes) signalProcess(one, signal);
}

async function tableInSteps(): Promise<readonly ProcessRow[]> {
  const rows: ProcessRow[] = [];
  const pause = inSteps();
  for (const pid of processNumbers()) {
    await pause();
    const row = rowOf(pid);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Those that carry the mark of a task, by the task. */
async function byMark(rows: readonly ProcessRow[]): Promise<ReadonlyMap<string, readonly ProcessRow[]>> {
  const found = new Map<string, ProcessRow[]>();
  const pause = inSteps();
  for (const row of rows) {
    await pause();
    const task = markOf(row.pid);
    if (task !== undefined) found.set(task, [...(found.get(task) ?? []), row]);
  }
  return found;
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
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) };
    return [{ ...numbers, startedAt: '', hasEnded: false }];
  });
}

async function stopOnWindows(leader: number): Promise<readonly number[]> {
  await run('taskkill', ['/pid', String(leader), '/T', '/F']);
  return isRunning(leader) ? [leader] : [];
}
