import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses, stopProcesses } from '../processes/processTree.ts';
import { FrameReader, jsonFrame } from './frames.ts';
import { hostIsReady, hostSocket } from './hostSockets.ts';
import { RunningTask, type TaskSurroundings } from './hostTask.ts';
import type { FromHost, ToHost } from './protocol.ts';
import { ProcessStarter } from './startProcess.ts';
import { View } from './view.ts';

/** Between TERM and KILL for what runs when the engine is gone (security.md C7). */
const orphanGraceMs = 2_000;
/** For the rest of the output of what was ended. */
const readMs = 2_000;
/** Looks for left processes are gathered, since each reads the whole process table: at rest, or at the latest after some time. */
const sweepMs = { rest: 150, latest: 1_000 } as const;

/**
 * The host: starts commands for one engine at a time and carries their output. Without an engine it ends everything, or, when
 * the person chose *keep running*, waits at its socket for the next one as long as something runs.
 */
export class PtyHostServer implements TaskSurroundings {
  readonly starter = new ProcessStarter();
  readonly #exit: () => void;
  readonly #tasks = new Map<string, RunningTask>();
  readonly #views = new Map<number, { readonly view: View; readonly task: string }>();
  readonly #dirty = new Set<RunningTask>();
  readonly #toSweep = new Set<RunningTask>();
  /** Who is connected, and who of them has said hello: only then is it told anything. */
  #peer: Socket | undefined;
  #engine: Socket | undefined;
  #server: Server | undefined;
  #socketPath = '';
  /** Process of the engine that said hello last. */
  #engineProcess = 0;
  #keep = false;
  #sweep: NodeJS.Timeout | undefined;
  /** The latest end of the wait, by `Date.now()`. */
  #sweepBy = 0;
  #leaving = false;

  /** `exit` ends the process; it is called when nothing is left to do. */
  constructor(exit: () => void) {
    this.#exit = exit;
  }

  serve(engine: Socket): void {
    this.#peer = engine;
    const reader = new FrameReader({
      json: (message) => this.#receive(message as ToHost), // the engine is the same program: its frames are typed, not validated
      bytes: () => undefined,
    });
    engine.on('data', (chunk: Buffer) => reader.push(chunk));
    engine.on('error', () => engine.destroy());
    engine.on('close', () => {
      if (this.#peer !== engine) return;
      this.#peer = undefined;
      this.#engine = undefined;
      for (const { view } of this.#views.values()) view.dispose();
      this.#views.clear();
      // What was told last may not have been heard.
      if (this.#keep) for (const task of this.#tasks.values()) task.leaveWord();
      void this.#alone();
    });
  }

  /** Ends everything and then the process, whatever was chosen: the system asks for it. */
  shutDown(): void {
    this.#keep = false;
    this.#peer?.destroy();
    if (this.#peer === undefined) void this.#alone();
  }

  send(message: FromHost): boolean {
    return this.#write(jsonFrame(message));
  }

  dirty(task: RunningTask): void {
    if (this.#dirty.size === 0) setImmediate(() => this.#settle());
    this.#dirty.add(task);
  }

  ended(task: RunningTask): void {
    this.#toSweep.add(task);
    const now = Date.now();
    if (this.#sweep === undefined) this.#sweepBy = now + sweepMs.latest;
    clearTimeout(this.#sweep);
    const wait = Math.min(sweepMs.rest, Math.max(0, this.#sweepBy - now));
    this.#sweep = setTimeout(() => void this.#lookForSurvivors(), wait);
    if (this.#peer === undefined) void this.#alone();
  }

  closed(task: RunningTask): void {
    if (this.#peer === undefined) void this.#alone();
    for (const { view, task: id } of this.#views.values()) if (id === task.order.id) view.complete();
    if (![...this.#views.values()].some((one) => one.task === task.order.id)) task.store.ring.free();
  }

  #settle(): void {
    const tasks = [...this.#dirty];
    this.#dirty.clear();
    for (const task of tasks) {
      task.settle();
      for (const { view, task: id } of this.#views.values()) if (id === task.order.id) view.pump();
    }
  }

  #receive(message: ToHost): void {
    switch (message.t) {
      case 'hello':
        this.#keep = message.keep;
        this.#engine = this.#peer;
        this.#engineProcess = message.engine;
        // Not before: writing to an engine that is gone already would lose what it had asked for.
        this.send({ t: 'welcome', pid: process.pid, tasks: [...this.#tasks.values()].map((task) => task.state()) });
        if (message.keep) this.#listen(message.folder);
        this.starter.warm();
        return;
      case 'start': {
        const task = new RunningTask(message.order, this);
        this.#tasks.set(message.order.id, task);
        void task.start();
        return;
      }
      case 'stop':
        void this.#stop(message.id, message.graceMs);
        return;
      case 'input':
        void this.#tasks.get(message.id)?.input(message.data);
        return;
      case 'resize':
        void this.#tasks.get(message.id)?.resize(message.columns, message.rows);
        return;
      case 'attach':
        this.#attach(message.view, message.id);
        return;
      case 'ack':
        this.#views.get(message.view)?.view.acknowledge(message.bytes);
        return;
      case 'detach':
        this.#views.get(message.view)?.view.dispose();
        this.#views.delete(message.view);
        return;
      case 'forget':
        this.#tasks.get(message.id)?.close();
        this.#tasks.delete(message.id);
        return;
    }
  }

  #attach(number: number, id: string): void {
    const task = this.#tasks.get(id);
    const ring = task?.store.ring;
    const open = task !== undefined && !task.isClosed;
    this.send({ t: 'attached', view: number, replay: ring === undefined ? 0 : ring.total - ring.start, open });
    if (task === undefined || ring === undefined) {
      this.send({ t: 'viewEnded', view: number });
      return;
    }
    const view = new View(number, ring, {
      bytes: (frame, done) => void this.#write(frame, done),
      skipped: (bytes) => void this.send({ t: 'skipped', view: number, bytes }),
      ended: () => void this.send({ t: 'viewEnded', view: number }),
    });
    this.#views.set(number, { view, task: id });
    if (open) view.pump();
    else view.complete();
  }

  #write(frame: Buffer, done?: () => void): boolean {
    if (this.#engine === undefined || this.#engine.destroyed) return false;
    this.#engine.write(frame, done);
    return true;
  }

  async #stop(id: string, graceMs: number): Promise<void> {
    const task = this.#tasks.get(id);
    await task?.begun;
    const survivors = task === undefined || task.pid === 0 ? [] : await stopProcesses([task.processes], { graceMs });
    if (task !== undefined && survivors.length === 0) {
      // What they printed last is still to be read; then their terminals close by themselves.
      await Promise.race([task.read, delay(readMs)]);
      task.close();
    }
    this.send({ t: 'stopped', id, survivors });
  }

  async #lookForSurvivors(): Promise<void> {
    const tasks = [...this.#toSweep];
    this.#toSweep.clear();
    this.#sweep = undefined;
    const found = await findProcesses(tasks.map(({ processes }) => processes));
    for (const [id, pids] of found) if (pids.length > 0) this.send({ t: 'survivors', id, pids });
  }

  /** The engine is gone. */
  async #alone(): Promise<void> {
    if (this.#leaving) return;
    const running = [...this.#tasks.values()].filter((task) => !task.hasEnded);
    if (this.#keep && running.length > 0) return;
    this.#leaving = true;
    if (!this.#keep) {
      await Promise.all([...this.#tasks.values()].map((task) => task.begun));
      const all = [...this.#tasks.values()].filter((task) => task.pid > 0);
      for (const task of all) task.orphan();
      await stopProcesses(
        all.map(({ processes }) => processes),
        { graceMs: orphanGraceMs },
      );
      // What they printed last is still to be read; what cannot be ended holds its terminal, and us no longer than this.
      await Promise.race([Promise.all(all.flatMap((task) => [task.read, task.ended])), delay(readMs)]);
    }
    this.#leave();
  }

  #leave(): void {
    for (const task of this.#tasks.values()) task.close();
    this.#server?.close();
    if (this.#socketPath !== '' && process.platform !== 'win32') rmSync(this.#socketPath, { force: true });
    this.starter.close();
    this.#exit();
  }

  #listen(folder: string): void {
    if (this.#server !== undefined) return;
    this.#socketPath = hostSocket(folder, process.pid);
    if (process.platform !== 'win32') rmSync(this.#socketPath, { force: true });
    this.#server = createServer((socket) => {
      if (this.#peer === undefined && !this.#leaving) this.serve(socket);
      else socket.end(jsonFrame({ t: 'busy', engine: this.#engineProcess } satisfies FromHost));
    });
    this.#server.on('error', () => undefined); // without a socket nobody finds us again; the commands run all the same
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#server.listen(this.#socketPath, () => hostIsReady(folder, process.pid));
  }
}
