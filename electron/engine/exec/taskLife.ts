import type { Task, TaskState } from '../../../shared/model/task.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Exit, FromHost } from './host/protocol.ts';
import { looksLikePrompt } from './looksLikePrompt.ts';
import { plainText } from './plainText.ts';
import type { PortWatch } from './portWatch.ts';
import { stopProcesses } from './processes/processTree.ts';
import { isFinal, type TaskBoard } from './taskBoard.ts';
import { processesOf, type StopReason, type TaskHost, type TaskRecord } from './taskRecord.ts';

/** Silence after which a last line that looks like a question is shown as one. */
const stallMs = 45_000;

/** Between TERM and KILL. */
export const stopGraceMs = 3_000;

/** A host that is killed takes along what it had read and not yet written, and what it had yet to read. */
export const hostWasKilled = 'The log is incomplete: what was printed last may be missing.';

/** What happens to a task from its start to its end: the only place where states change after `queued`. */
export class TaskLife {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #board: TaskBoard;
  readonly #ports: PortWatch;
  readonly #placeFree: () => void;
  readonly #endings = new Set<Promise<void>>();
  #closing = false;

  constructor(clock: Clock, log: Log, board: TaskBoard, ports: PortWatch, placeFree: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#board = board;
    this.#ports = ports;
    this.#placeFree = placeFree;
  }

  start(record: TaskRecord, link: TaskHost, timeoutMs: number | undefined): void {
    const { place: _, ...task } = record.task;
    record.task = { ...task, state: 'running', startedAt: isoTime(this.#clock) };
    record.link = link;
    link.post({
      t: 'start',
      order: { ...record.order, record: { owner: record.owner, task: record.task, request: record.request } },
    });
    if (timeoutMs !== undefined) {
      record.timers.timeout = this.#clock.after(timeoutMs, () => void this.stop(record, 'timeout', stopGraceMs));
    }
  }

  /** Takes over one that a host was already running. */
  adopt(record: TaskRecord, link: TaskHost): void {
    record.link = link;
    record.started.resolve(true);
    this.#watchSilence(record);
  }

  receive(link: TaskHost, message: FromHost): void {
    if (!('id' in message)) return;
    const record = this.#board.get(message.id);
    if (record === undefined || record.link !== link) return;
    switch (message.t) {
      case 'started':
        record.pidStart = message.pidStart;
        this.#board.set(record, { pid: message.pid });
        this.#board.tell('started', record);
        record.started.resolve(true);
        this.#ports.wake();
        return;
      case 'refused':
        this.refused(record, message.message);
        return;
      case 'tick':
        this.#output(record, message.bytes, message.at, message.tail, message.before);
        return;
      case 'ended':
        record.exit = message.exit;
        this.#settle(record);
        return;
      case 'stopped':
        record.stopped = { survivors: message.survivors };
        this.#settle(record);
        return;
      case 'survivors':
        if (record.stopping !== undefined) return; // the stop is at it, and says itself what was left
        if (String(message.pids) === String(record.task.survivors)) return;
        this.#board.set(record, { survivors: message.pids });
        this.#board.tell('changed', record);
        this.#ports.wake();
        return;
      default:
    }
  }

  /** The command never ran. */
  refused(record: TaskRecord, message: string): void {
    record.started.resolve(false);
    this.#end(record, 'failed', { error: message });
  }

  /** Resolves when the task is final. Asking twice is harmless. */
  async stop(record: TaskRecord, reason: StopReason, graceMs: number): Promise<void> {
    if (!isFinal(record.task) && record.stopping === undefined) {
      record.stopping = reason;
      record.stopAskedAt = Date.now();
      if (record.task.state === 'queued') {
        record.started.resolve(false);
        this.#end(record, reason, {});
      } else {
        record.link?.post({ t: 'stop', id: record.task.id, graceMs });
      }
    }
    await record.ended.promise;
  }

  /** Something was typed: a question may have been answered. */
  answered(record: TaskRecord): void {
    record.lastLine = '';
    this.#clearStall(record);
    this.#watchSilence(record);
  }

  /** Its tasks have no host any more: what is left of them is ended. */
  hostLost(link: TaskHost): void {
    const mine = this.#board.all().filter((record) => record.link === link);
    for (const record of mine) {
      record.link = undefined;
      if (isFinal(record.task)) continue;
      const ending = this.#lose(record).finally(() => this.#endings.delete(ending));
      this.#endings.add(ending);
    }
  }

  async #lose(record: TaskRecord): Promise<void> {
    await this.#endLeftovers(record);
    record.started.resolve(true);
    this.#end(record, 'lost', { error: `The process that ran this command ended unexpectedly. ${hostWasKilled}` });
  }

  /** Resolves when nothing of lost tasks is being ended any more. */
  async leftoversEnded(): Promise<void> {
    await Promise.all(this.#endings);
  }

  /** From now on a lost host is what was asked for. */
  closing(keep: boolean): void {
    this.#closing = true;
    for (const record of this.#board.all()) {
      record.timers.stall?.dispose();
      record.timers.timeout?.dispose();
      if (!keep && record.task.state === 'queued') this.#end(record, 'cancelled', {});
    }
  }

  closed(keep: boolean): void {
    for (const record of this.#board.all()) {
      record.link = undefined;
      if (!keep && !isFinal(record.task)) this.#end(record, 'cancelled', {});
    }
  }

  /** A final state from outside: an earlier host's word, or none at all. */
  settleAs(record: TaskRecord, state: TaskState, change: Partial<Task>): void {
    record.started.resolve(true);
    this.#end(record, state, change);
  }

  exitChange(exit: Exit): Partial<Task> {
    return {
      ...(exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
      ...(exit.signal === null ? {} : { signal: exit.signal }),
      outputBytes: exit.stdout.bytes + exit.stderr.bytes,
      ...(exit.survivors?.length ? { survivors: exit.survivors } : {}),
      endedAt: new Date(exit.at).toISOString(),
      ...(exit.logFault === undefined ? {} : { error: `The log is incomplete: ${exit.logFault}` }),
    };
  }

  async #endLeftovers(record: TaskRecord): Promise<void> {
    try {
      const survivors = await stopProcesses([processesOf(record)], { graceMs: 1_000 });
      if (survivors.length === 0) return;
      this.#board.set(record, { survivors });
      this.#board.tell('changed', record);
    } catch (error) {
      this.#log.warn('what a lost task left could not be ended', error);
    }
  }

  /** While a stop is under way the state waits until everything is gone. */
  #settle(record: TaskRecord): void {
    if (isFinal(record.task)) return;
    const { exit, stopped, stopping } = record;
    if (stopping === undefined) {
      if (exit !== undefined) this.#end(record, 'completed', this.exitChange(exit));
      return;
    }
    if (stopped === undefined || (exit === undefined && stopped.survivors.length === 0)) return;
    // What had ended by itself was not stopped: the word of it was on its way.
    const byItself = exit !== undefined && exit.at < record.stopAskedAt;
    this.#end(record, byItself ? 'completed' : stopping, {
      ...(exit === undefined ? {} : this.exitChange({ ...exit, survivors: [] })),
      ...(stopped.survivors.length === 0 ? {} : { survivors: stopped.survivors }),
      ...(byItself || record.stopError === undefined ? {} : { error: record.stopError }),
    });
  }

  #end(record: TaskRecord, state: TaskState, change: Partial<Task>): void {
    if (isFinal(record.task)) return;
    record.timers.stall?.dispose();
    record.timers.timeout?.dispose();
    const { stalledOn: _, place: __, ports: ___, ...task } = record.task;
    record.task = { ...task, endedAt: isoTime(this.#clock), ...change, state };
    record.ended.resolve(record.task);
    this.#board.tell('ended', record);
    this.#placeFree();
    this.#ports.wake();
  }

  #output(record: TaskRecord, bytes: number, at: number, tail: string, before: number): void {
    const text = Buffer.from(tail, 'latin1').toString('utf8');
    const plain = plainText((before > 0 ? '' : record.lastLine) + text);
    record.lastLine = plain.slice(plain.lastIndexOf('\n') + 1).slice(-500);
    this.#clearStall(record);
    this.#board.set(record, { outputBytes: bytes, lastOutputAt: new Date(at).toISOString() });
    this.#board.tell('changed', record);
    this.#watchSilence(record);
    if (record.task.background === undefined && !isFinal(record.task)) {
      record.context.output?.(before > 0 ? `[… ${before} bytes …]\n${plainText(text)}` : plainText(text));
    }
  }

  #clearStall(record: TaskRecord): void {
    if (record.task.stalledOn === undefined) return;
    const { stalledOn: _, ...task } = record.task;
    record.task = task;
    this.#board.tell('changed', record);
  }

  #watchSilence(record: TaskRecord): void {
    record.timers.stall?.dispose();
    if (isFinal(record.task) || this.#closing || record.task.kind === 'user') return;
    record.timers.stall = this.#clock.after(stallMs, () => {
      if (isFinal(record.task) || !looksLikePrompt(record.lastLine)) return;
      this.#board.set(record, { stalledOn: record.lastLine.trim() });
      this.#board.tell('changed', record);
    });
  }
}
