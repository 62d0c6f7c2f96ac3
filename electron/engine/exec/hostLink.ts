import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isProcessAlive, markOf, type ProcessMark } from '../base/processMark.ts';
import { FrameReader, jsonFrame } from './host/frames.ts';
import type { FromHost, ToHost } from './host/protocol.ts';

export interface HostLinkListener {
  message(message: FromHost): void;
  bytes(view: number, bytes: Buffer): void;
  /** The host is gone, or cannot be understood. Told once. */
  lost(): void;
}

/** A host that is stopped does not notice anything: it is not waited for longer. */
const noticeMs = 1_000;
/** A host needs no longer to end what runs: TERM, KILL, and the rest of the output. */
const endMs = 10_000;

/** How the host's process is started. */
export interface HostProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The engine's end of the channel to one PTY host. */
export class HostLink {
  readonly #socket: Socket;
  readonly #child: ChildProcess | undefined;
  readonly #exited: Promise<void> | undefined;
  #host: ProcessMark | undefined;
  #over = false;

  private constructor(socket: Socket, child: ChildProcess | undefined, listener: HostLinkListener) {
    this.#socket = socket;
    this.#child = child;
    this.#host = child?.pid === undefined ? undefined : markOf(child.pid);
    this.#exited =
      child &&
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.once('error', () => resolve());
      });
    const lose = (): void => {
      if (this.#over) return;
      this.#over = true;
      socket.destroy();
      listener.lost();
    };
    const reader = new FrameReader({
      json: (frame) => {
        const message = frame as FromHost; // the host is the same program: its frames are typed, not validated
        if (message.t === 'welcome') this.#host = markOf(message.pid);
        listener.message(message);
      },
      bytes: (view, bytes) => listener.bytes(view, bytes),
    });
    socket.on('data', (chunk: Buffer) => {
      if (this.#over) return;
      try {
        reader.push(chunk);
      } catch {
        lose(); // not our host's language: whoever it is, nothing of it is to be trusted
      }
    });
    socket.on('error', lose);
    socket.on('close', lose);
    child?.once('exit', lose);
    child?.once('error', lose);
  }

  /** Starts a host in a session of its own, so that Ctrl-C in the engine's terminal does not reach it. */
  static start(program: HostProgram, listener: HostLinkListener, run: typeof spawn = spawn): HostLink {
    const child = run(program.file, program.args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: program.env,
      windowsHide: true,
    });
    // Without descriptors for it Node gives a child that has no streams at all, and tells the reason after this.
    const channel = (child.stdio as ChildProcess['stdio'] | undefined)?.[3];
    if (channel === undefined) {
      child.once('error', () => undefined);
      throw new Error('no descriptor is left for its channel. Stop some tasks, or raise the limit (ulimit -n).');
    }
    child.unref();
    return new HostLink(channel as Socket, child, listener); // a `pipe` is a socket
  }

  /** Connects to a host that an earlier engine left. Rejects when nobody listens there. */
  static reach(path: string, listener: HostLinkListener): Promise<HostLink> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HostLink(socket, undefined, listener));
      });
    });
  }

  get pid(): number | undefined {
    return this.#host?.pid;
  }

  post(message: ToHost): void {
    if (!this.#over) this.#socket.write(jsonFrame(message));
  }

  /** Whether the channel keeps this process alive: it does while something runs. */
  hold(active: boolean): void {
    if (active) this.#socket.ref();
    else this.#socket.unref();
  }

  /**
   * Lets the host go. It ends what runs and then itself, and this resolves when its process has ended; or it keeps what runs,
   * and this resolves when it has noticed that it is free for another engine.
   */
  async leave(keeps: boolean): Promise<void> {
    this.#over = true;
    if (keeps) {
      const closed = new Promise((resolve) => this.#socket.once('close', resolve));
      this.#socket.ref();
      this.#socket.end();
      this.#socket.setTimeout(noticeMs, () => this.#socket.destroy());
      await closed;
      return;
    }
    this.#socket.destroy();
    this.#child?.ref();
    await this.#exited;
    // Of one that another engine started only its number is known.
    for (let waited = 0; this.#host && isProcessAlive(this.#host) && waited < endMs; waited += 20) await delay(20);
  }
}
