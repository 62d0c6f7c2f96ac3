import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '../../../shared/model/task.ts';
import { isRunning } from '../base/processMark.ts';
import type { CommandRequest } from './executor.ts';
import { hostSockets } from './host/hostSockets.ts';
import type { FromHost, HostTask, StartOrder } from './host/protocol.ts';
import type { HostLink } from './hostLink.ts';
import type { HostLinks } from './hostLinks.ts';
import { stopProcesses } from './processes/processTree.ts';
import { isFinal, type TaskBoard } from './taskBoard.ts';
import { taskBase } from './taskFiles.ts';
import { hostWasKilled, type TaskLife } from './taskLife.ts';
import { createRecord } from './taskRecord.ts';

export interface Recovery {
  readonly known: readonly { readonly owner: string; readonly task: Task }[];
  readonly socketFolder: string;
  readonly taskFolder: string;
  readonly board: TaskBoard;
  readonly links: HostLinks;
  readonly life: TaskLife;
}

/** A host that does not say who it is within this time is left alone. */
const answerMs = 10_000;

const endedWithUs = 'The workbench ended while this command ran.';

interface HostWord {
  readonly owner: string;
  readonly task: Task;
  readonly request?: CommandRequest;
}

/** See `Executor.recover`. */
export async function recoverTasks(recovery: Recovery): Promise<void> {
  const { board, life, known, taskFolder } = recovery;
  const paths = await hostSockets(recovery.socketFolder);
  await Promise.all(paths.map((path) => adoptFrom(path, recovery)));
  for (const { owner, task } of known) {
    if (isFinal(task)) continue;
    const adopted = board.get(task.id);
    if (adopted !== undefined) {
      // Taken over before its session was there to hear what became of it.
      board.tell(isFinal(adopted.task) ? 'ended' : 'changed', adopted);
      continue;
    }
    const order = orderOf(task, taskBase(taskFolder, owner, task.id));
    const left = readWord(order.base);
    const word = left?.record as HostWord | undefined;
    const record = createRecord(owner, task, order, word?.request, {});
    board.add(record);
    if (left?.exit !== undefined) {
      record.exit = left.exit;
      const change = life.exitChange(left.exit);
      if (left.orphaned) life.settleAs(record, 'lost', { ...change, error: endedWithUs });
      else life.settleAs(record, 'completed', change);
      continue;
    }
    // What was only queued is dropped with its engine, unless it had begun unnoticed.
    const survivors = await stopProcesses([{ task: task.id, leader: -1 }], { graceMs: 1_000 });
    const rest = survivors.length === 0 ? {} : { survivors };
    if (task.state === 'queued') life.settleAs(record, 'cancelled', rest);
    else life.settleAs(record, 'lost', { error: `${endedWithUs} ${hostWasKilled}`, ...rest }); // else it had left word
  }
}

/**
 * Takes over the tasks of one host, unless a living engine has it. It may not have noticed yet that its engine is gone; then it
 * is busy, and asked again.
 */
async function adoptFrom(path: string, recovery: Recovery): Promise<void> {
  for (let waited = 0; waited < answerMs; waited += 50) {
    let link: HostLink;
    try {
      link = await recovery.links.reach(path);
    } catch {
      if (process.platform !== 'win32') rmSync(path, { force: true }); // its host is gone
      return;
    }
    link.hold(true); // the caller says later whether it keeps the process alive
    const silence = new AbortController();
    const first = new Promise<FromHost | undefined>((resolve) => {
      recovery.links.greet(link, (message) => {
        // At once: what the host says next may be about these tasks already.
        if (message?.t === 'welcome') for (const found of message.tasks) adopt(found, link, recovery);
        resolve(message);
      });
    });
    const late = delay(answerMs, undefined, { signal: silence.signal }).catch(() => undefined);
    const message = await Promise.race([first, late]);
    silence.abort();
    if (message?.t !== 'busy' || isRunning(message.engine)) return;
    await delay(50);
  }
}

function adopt(found: HostTask, link: HostLink, { board, life }: Recovery): void {
  const { owner, task, request } = found.record as HostWord; // the host gives back what this program gave it
  if (board.get(task.id) !== undefined) return;
  const pid = found.pid > 0 ? { pid: found.pid } : {};
  const known = { ...task, ...pid, outputBytes: found.bytes };
  const record = createRecord(owner, known, orderOf(task, baseOf(task)), request, {});
  record.pidStart = found.pidStart;
  board.add(record);
  life.adopt(record, link);
  board.tell('changed', record);
  if (found.exit !== undefined) life.receive(link, { t: 'ended', id: task.id, exit: found.exit });
}

/** What the host left on the disk about a task that ended while nobody listened. */
function readWord(base: string): HostTask | undefined {
  const path = `${base}.json`;
  try {
    const word = JSON.parse(readFileSync(path, 'utf8')) as HostTask; // written by the host, whole or not at all readable
    rmSync(path, { force: true });
    return word;
  } catch {
    return undefined;
  }
}

function baseOf(task: Task): string {
  return (task.logPath ?? '').replace(/\.log$/, '');
}

/** As much of the order as is of use after the start. */
function orderOf(task: Task, base: string): StartOrder {
  return {
    id: task.id,
    file: '',
    args: task.argv ?? [],
    cwd: task.cwd,
    env: {},
    terminal: task.kind === 'user' ? 'merged' : task.background === 'explicit' ? 'full' : 'output',
    columns: 200,
    rows: 50,
    base,
    maxLogBytes: 0,
    maxCaptureBytes: 0,
    record: undefined,
  };
}
