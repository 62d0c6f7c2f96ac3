import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import tty from 'node:tty';
import { EndMark } from './endMark.ts';
import { InputQueue } from './inputQueue.ts';
import { Keeper } from './keeper.ts';
import { LineEnds } from './lineEnds.ts';
import { type LoadedPty, loadNodePty } from './nodePty.ts';
import type { StreamName } from './outputStore.ts';
import type { StartOrder } from './protocol.ts';
import { type Pty, PtyPool } from './ptyPool.ts';

export interface ProcessListener {
  /** `chunk` is overwritten after the call. */
  output(stream: StreamName, chunk: Buffer): void;
  exited(exitCode: number | null, signal: string | null): void;
  /** From now on a process saves the output should this one be killed. */
  kept(keeper: number): void;
  /** Nobody holds the streams any more: nothing will come. */
  closed(): void;
}

export interface RunningProcess {
  readonly pid: number;
  input(data: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when all that was written so far was told. Missing where only silence can say so. */
  readonly drained?: () => Promise<unknown>;
  /** Stops listening and lets the terminals go. */
  close(): void;
}

export const defaultColumns = 200;
export const defaultRows = 50;

/** Gives a command a controlling terminal; without it there is none, and the keys that send signals do nothing. */
const setsid =
  process.platform === 'linux' ? ['/usr/bin/setsid', '/bin/setsid'].find((file) => existsSync(file)) : undefined;

/** One read gives this at most; that of a pseudo-terminal seldom more than 4 KB, 18 KB were seen. One buffer serves all, since reads are handled one after the other. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);
/** A command that is over by then does not pay for a keeper. */
const keepMs = 50;

/** Starts programs under the terminal they are to see. One for the whole host. */
export class ProcessStarter {
  #pty: LoadedPty | undefined;
  #pool: PtyPool | undefined;
  #nothing: number | undefined;
  /** Open masters, and the channel to the engine (3): inherited by a child unless something else is put in their place. */
  readonly #inherited = new Set<number>([3]);

  /** Throws the system's error when the program cannot be started. */
  async start(order: StartOrder, listener: ProcessListener): Promise<RunningProcess> {
    if (order.terminal === 'none' || (process.platform === 'win32' && order.terminal !== 'merged'))
      return this.#onPipes(order, listener);
    if (process.platform !== 'linux' && order.terminal === 'merged') return this.#onNodePty(order, listener);
    return this.#onTerminals(order, listener);
  }

  /** Opens terminals ahead, so that the first command need not wait for them. */
  warm(): void {
    if (process.platform !== 'win32') this.#usePool();
  }

  close(): void {
    this.#pool?.close();
  }

  #usePool(): { readonly pool: PtyPool; readonly pty: LoadedPty } {
    this.#pty ??= loadNodePty();
    if (this.#pty.native === null) throw new Error('pseudo-terminals are not available on this platform');
    if (this.#pool === undefined) {
      const mask = (from: number): readonly number[] => this.#mask(from);
      this.#pool = new PtyPool(this.#pty.native, defaultColumns, defaultRows, this.#inherited, mask);
      this.#pool.warm();
    }
    return { pool: this.#pool, pty: this.#pty };
  }

  async #onTerminals(order: StartOrder, listener: ProcessListener): Promise<RunningProcess> {
    const { pool, pty } = this.#usePool();
    const merged = order.terminal === 'merged';
    const out = merged ? pool.takePlain() : await pool.take();
    const err = merged ? undefined : await pool.take();
    const terminals = err === undefined ? [out] : [out, err];
    const resize = (columns: number, rows: number): void => {
      // stderr first: the window-size signal comes from the controlling terminal, and then both must be right.
      for (const { master } of terminals.toReversed()) pty.native?.resize(master, columns, rows);
    };
    const streams = new Set<tty.ReadStream>();
    let child: ChildProcess;
    try {
      if (order.columns !== defaultColumns || order.rows !== defaultRows) resize(order.columns, order.rows);
      const interactive = order.terminal !== 'output';
      const controlled = interactive && setsid !== undefined;
      const [file, args] = controlled ? [setsid, ['-c', '--', order.file, ...order.args]] : [order.file, order.args];
      child = spawnLinked(file, args, order, {
        // `setsid -c` makes the session itself, which it can only as long as it leads no group yet.
        detached: !controlled,
        stdio: this.#stdio(interactive ? out.slave : this.#emptyInput(), out.slave, (err ?? out).slave),
      });
    } catch (error) {
      for (const { master, slave } of terminals) {
        closeSync(slave);
        closeSync(master);
        this.#inherited.delete(master);
      }
      throw error;
    }
    const marks: EndMark[] = [];
    let keeper: Keeper | undefined;
    let keep: NodeJS.Timeout | undefined;
    const letKeeperGo = (): void => {
      clearTimeout(keep);
      keeper?.release();
      keeper = undefined;
    };
    const closeOne = (stream: tty.ReadStream, master: number): void => {
      this.#inherited.delete(master);
      streams.delete(stream);
      if (streams.size > 0) return;
      letKeeperGo();
      listener.closed();
    };
    for (const [terminal, name] of [
      [out, 'stdout'],
      [err, 'stderr'],
    ] as const) {
      if (terminal === undefined) continue;
      const mark = new EndMark(terminal.path);
      marks.push(mark);
      const told = (chunk: Buffer): void => {
        if (chunk.length > 0) listener.output(name, chunk);
      };
      const stream = this.#read(terminal, merged, (chunk) => told(mark.filter(chunk)));
      streams.add(stream);
      stream.on('close', () => {
        told(mark.close());
        closeOne(stream, terminal.master);
      });
    }
    const pid = await started(child, listener).catch((error: unknown) => {
      for (const stream of streams) stream.destroy();
      throw error;
    });
    for (const { slave } of terminals) closeSync(slave);
    const input = new InputQueue(out.master);
    if (err !== undefined && streams.size > 0) {
      keep = setTimeout(() => {
        // A stream that has ended has closed its terminal: the number may be another's by now.
        if (streams.size < 2 || [...streams].some(({ destroyed }) => destroyed)) return;
        keeper = new Keeper(order.base, out.master, err.master, (from) => this.#mask(from));
        if (keeper.pid !== undefined) listener.kept(keeper.pid);
      }, keepMs);
    }
    return {
      pid,
      input: (data) => streams.size > 0 && input.write(data),
      resize: (columns, rows) => streams.size > 0 && resize(columns, rows),
      drained: () => Promise.all(marks.map((mark) => mark.passed())),
      close: () => {
        input.close();
        letKeeperGo();
        for (const stream of streams) stream.destroy();
      },
    };
  }

  #read(terminal: Pty, asItIs: boolean, listen: (chunk: Buffer) => void): tty.ReadStream {
    const convert = terminal.raw || asItIs ? undefined : new LineEnds();
    // `onread` is passed through to net.Socket: reading into one buffer is what makes the reader faster than the kernel.
    const options = {
      onread: {
        buffer: readBuffer,
        callback: (size: number): boolean => {
          const chunk = readBuffer.subarray(0, size);
          listen(convert ? convert.push(chunk) : chunk);
          return true;
        },
      },
    };
    const stream = new tty.ReadStream(terminal.master, options);
    stream.on('error', () => stream.destroy()); // EIO: the last holder of the other side is gone
    stream.resume();
    return stream;
  }

  async #onPipes(order: StartOrder, listener: ProcessListener): Promise<RunningProcess> {
    const hasInput = order.terminal === 'full' || order.input !== undefined;
    const child = spawnLinked(order.file, order.args, order, {
      detached: process.platform !== 'win32',
      stdio: this.#stdio(hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'),
    });
    let open = 2;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => listener.output(name, chunk));
      child[name]?.on('close', () => {
        open -= 1;
        if (open === 0) listener.closed();
      });
    }
    child.stdin?.on('error', () => undefined); // the command closed its input
    if (order.input !== undefined) child.stdin?.end(order.input);
    const pid = await started(child, listener);
    return {
      pid,
      input: (data) => child.stdin?.write(data),
      resize: () => undefined,
      close: () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      },
    };
  }

  /** macOS and Windows: a person's shell through node-pty's own class, which knows how those systems open a session. */
  async #onNodePty(order: StartOrder, listener: ProcessListener): Promise<RunningProcess> {
    this.#pty ??= loadNodePty();
    const terminal = this.#pty.spawn(order.file, [...order.args], {
      name: order.env['TERM'] ?? 'xterm-256color',
      cols: order.columns,
      rows: order.rows,
      cwd: order.cwd,
      env: { ...order.env },
      encoding: null,
    });
    terminal.onData((data) => listener.output('stdout', Buffer.from(data)));
    terminal.onExit(({ exitCode, signal }) => {
      listener.exited(exitCode, signal ? String(signal) : null);
      listener.closed();
    });
    return {
      pid: terminal.pid,
      input: (data) => terminal.write(data),
      resize: (columns, rows) => {
        try {
          terminal.resize(columns, rows);
        } catch {
          // it throws when the process is gone
        }
      },
      close: () => terminal.kill(),
    };
  }

  #emptyInput(): number {
    this.#nothing ??= openSync('/dev/null', 'r+');
    return this.#nothing;
  }

  /** Puts /dev/null wherever the child would inherit a terminal of another task or our channel: neither is marked close-on-exec. */
  #stdio(
    stdin: number | 'pipe' | 'ignore',
    stdout: number | 'pipe',
    stderr: number | 'pipe',
  ): (number | 'pipe' | 'ignore')[] {
    return process.platform === 'win32' ? [stdin, stdout, stderr] : [stdin, stdout, stderr, ...this.#mask(3)];
  }

  #mask(from: number): number[] {
    const count = Math.max(0, Math.max(...this.#inherited) + 1 - from);
    return Array.from({ length: count }, () => this.#emptyInput());
  }
}

function spawnLinked(file: string, args: readonly string[], order: StartOrder, options: SpawnOptions): ChildProcess {
  return spawn(file, args, {
    ...options,
    cwd: order.cwd,
    env: order.env,
    windowsHide: true,
    windowsVerbatimArguments: order.verbatim === true,
  });
}

/** Resolves with the process id once the program runs; rejects with the system's error. */
function started(child: ChildProcess, listener: ProcessListener): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => listener.exited(code, signal));
    child.on('error', reject);
    if (child.pid !== undefined) resolve(child.pid);
  });
}
