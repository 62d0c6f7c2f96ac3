import type { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createDeferred } from '../../base/deferred.ts';
import { markOf, type ProcessMark } from '../../base/processMark.ts';
import { groupRuns, membersOf } from '../../base/signals.ts';
import { findProcesses, type TaskProcesses } from '../processes/processTree.ts';
import { OutputStore, type StreamName } from './outputStore.ts';
import type { Exit, FromHost, HostTask, StartOrder } from './protocol.ts';
import type { ProcessListener, RunningProcess } from './runningProcess.ts';
import type { ProcessStarter } from './startProcess.ts';

/** After the exit, the end of the streams is waited for this long; then something in the background holds them. */
const quietMs = 60;
/** What was written before the exit is waited for no longer than this; only a stopped terminal takes as long. */
const graceMs = 5_000;
/** The same where only silence can tell. */
const silenceMs = 400;
const tickMs = 200;
/** What ends before is told with its end alone. */
const firstTickMs = 30;
const tailBytes = 4096;

export interface TaskSurroundings {
  readonly starter: ProcessStarter;
  /** Tells the engine; false when there is none to hear it. */
  send(message: FromHost): boolean;
  /** Output has come: `settle` is wanted before the next round of the event loop. */
  dirty(task: RunningTask): void;
  /** The command has ended; what it left behind is looked for. */
  ended(task: RunningTask): void;
  /** Nothing can come any more. */
  closed(task: RunningTask): void;
}

/** One command in the host, from its start to the last byte of what it left running. */
export class RunningTask implements ProcessListener {
  readonly order: StartOrder;
  readonly store: OutputStore;
  readonly #around: TaskSurroundings;
  #process: RunningProcess | undefined;
  #pid = 0;
  #pidStart: string | undefined;
  /** Who was left of its group when it had just ended. */
  #left: readonly ProcessMark[] = [];
  #exited: { readonly exitCode: number | null; readonly signal: string | null; readonly at: number } | undefined;
  #exit: Exit | undefined;
  #ending = false;
  #refused = false;
  #orphaned = false;
  #closed = false;
  readonly #begun = createDeferred<void>();
  readonly #read = createDeferred<void>();
  readonly #ended = createDeferred<void>();
  #lastOutputAt: number | undefined;
  #ticked = 0;
  #tickAt = 0;
  #tickTimer: NodeJS.Timeout | undefined;

  constructor(order: StartOrder, around: TaskSurroundings) {
    this.order = order;
    this.#around = around;
    this.store = new OutputStore(order.base, order.maxLogBytes, order.maxCaptureBytes);
  }

  get pid(): number {
    return this.#pid;
  }

  get pidStart(): string | undefined {
    return this.#pidStart;
  }

  /** Where its processes are found. */
  get processes(): TaskProcesses {
    return { task: this.order.id, leader: this.#pid, leaderStart: this.#pidStart, left: this.#left };
  }

  get hasEnded(): boolean {
    return this.#exit !== undefined || this.#refused;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves when the start has succeeded or failed: before that there is no process to stop. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Resolves when all that was written to the terminals has been read and nobody holds them any more. */
  get read(): Promise<void> {
    return this.#read.promise;
  }

  /** Resolves when its end has been told, or left as word for an engine that comes later. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    await this.#startProcess();
    this.#begun.resolve();
  }

  async #startProcess(): Promise<void> {
    const { id } = this.order;
    try {
      this.#process = await this.#around.starter.start(this.order, this);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.#refused = true;
      this.#closed = true;
      this.#read.resolve();
      this.#around.send({ t: 'refused', id, code: code ?? '', message });
      this.#around.closed(this);
      return;
    }
    this.#pid = this.#process.pid;
    this.#pidStart = markOf(this.#pid).startedAt || undefined;
    this.#around.send({ t: 'started', id, pid: this.#pid, pidStart: this.#pidStart });
    this.store.open();
    if (this.#exited !== undefined) this.#settleWhenQuiet();
  }

  output(stream: StreamName, chunk: Buffer): void {
    this.store.gather(stream, chunk);
    const now = Date.now();
    if (this.#lastOutputAt === undefined) this.#tickAt = now - tickMs + firstTickMs;
    this.#lastOutputAt = now;
    this.#around.dirty(this);
  }

  /** Writes what was read, and tells the engine now and then that there is output. */
  settle(): void {
    this.store.flush();
    if (this.#tickTimer !== undefined || this.store.ring.total === this.#ticked) return;
    const wait = this.#tickAt + tickMs - Date.now();
    if (wait <= 0) this.#tick();
    else this.#tickTimer = setTimeout(() => this.#tick(), wait);
  }

  exited(exitCode: number | null, signal: string | null): void {
    this.#exited = { exitCode, signal, at: Date.now() };
    this.#left = membersOf(this.#pid);
    if (this.#process !== undefined) this.#settleWhenQuiet();
  }

  closed(): void {
    this.#closed = true;
    this.#read.resolve();
    if (this.#exited !== undefined) this.#end();
    else this.#finish();
  }

  /** What is typed before the command runs waits for it. */
  async input(data: string): Promise<void> {
    await this.begun;
    this.#process?.input(data);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.begun;
    this.#process?.resize(columns, rows);
  }

  /** It is about to be ended for want of an engine. */
  orphan(): void {
    this.#orphaned = !this.hasEnded;
  }

  /** Lets the terminals go, for what is never going to. */
  close(): void {
    this.#process?.close();
  }

  state(): HostTask {
    return {
      id: this.order.id,
      pid: this.#pid,
      pidStart: this.#pidStart,
      bytes: this.store.ring.total,
      lastOutputAt: this.#lastOutputAt,
      exit: this.#exit,
      ...(this.#orphaned ? { orphaned: true } : {}),
      record: this.order.record,
    };
  }

  #tick(): void {
    clearTimeout(this.#tickTimer);
    this.#tickTimer = undefined;
    const { ring } = this.store;
    const fresh = ring.total - this.#ticked;
    if (fresh === 0 || this.#lastOutputAt === undefined) return;
    const size = Math.min(fresh, tailBytes, ring.total - ring.start);
    const tail = ring.pieces(ring.total - size, ring.total).map((piece) => piece.toString('latin1'));
    this.#ticked = ring.total;
    this.#tickAt = Date.now();
    this.#around.send({
      t: 'tick',
      id: this.order.id,
      bytes: ring.total,
      at: this.#lastOutputAt,
      tail: tail.join(''),
      before: fresh - size,
    });
  }

  /** Both streams closed is the end; if something in the background holds them, all that the command wrote is. */
  #settleWhenQuiet(): void {
    const drained = this.#process?.drained;
    if (this.#closed) this.#end();
    else if (drained === undefined) this.#settleAtSilence();
    else {
      const end = (): void => {
        clearTimeout(timer);
        this.#end();
      };
      let timer = setTimeout(() => {
        if (this.#exit !== undefined) return;
        timer = setTimeout(end, graceMs);
        void drained().then(end);
      }, quietMs);
    }
  }

  #settleAtSilence(): void {
    const started = Date.now();
    let seen = -1;
    const look = (): void => {
      if (this.#exit !== undefined) return;
      const { total } = this.store.ring;
      if (total === seen || Date.now() - started >= silenceMs) {
        this.#end();
        return;
      }
      seen = total;
      // A timer that is late runs before what waits to be read: two rounds let that in first.
      setTimeout(() => setImmediate(() => setImmediate(look)), quietMs);
    };
    look();
  }

  #end(): void {
    if (this.#ending || this.#exited === undefined) {
      if (this.#exit !== undefined && this.#closed) this.#finish();
      return;
    }
    this.#ending = true;
    if (this.#closed && !groupRuns(this.#pid)) this.#tellEnd([]);
    else void this.#survivors().then((pids) => this.#tellEnd(pids));
  }

  /** What it left running; what only takes a moment longer to end is none of that. */
  async #survivors(): Promise<readonly number[]> {
    const look = async (): Promise<readonly number[]> => [...(await findProcesses([this.processes])).values()].flat();
    if ((await look()).length === 0) return [];
    await delay(quietMs);
    return look();
  }

  #tellEnd(survivors: readonly number[]): void {
    if (this.#exited !== undefined) {
      clearTimeout(this.#tickTimer);
      this.#tickTimer = undefined;
      const { fault } = this.store;
      this.#exit = {
        ...this.#exited,
        stdout: this.store.state('stdout'),
        stderr: this.store.state('stderr'),
        ...(survivors.length === 0 ? {} : { survivors, left: this.#left }),
        logFault: fault,
      };
      if (!this.#around.send({ t: 'ended', id: this.order.id, exit: this.#exit })) this.leaveWord();
      this.#around.ended(this);
      this.#ended.resolve();
    }
    if (this.#closed) this.#finish();
  }

  /** How it ended, for an engine that comes later, after this host has gone too. */
  leaveWord(): void {
    if (this.#exit === undefined) return;
    try {
      writeFileSync(`${this.order.base}.json`, JSON.stringify(this.state()), { mode: 0o600 });
    } catch {
      // without a disk the task will be reported as lost, which it is
    }
  }

  #finish(): void {
    clearTimeout(this.#tickTimer);
    if (this.#exited === undefined) return; // the streams were closed by a command that lives on
    this.store.close();
    this.#around.closed(this);
  }
}
