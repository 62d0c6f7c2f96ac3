import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Inherited } from './inherited.ts';
import type { NativePty } from './nodePty.ts';

/** An open pseudo-terminal. The one who takes it closes both. */
export interface Terminal {
  readonly master: number;
  readonly slave: number;
  readonly path: string;
  /** Whether the kernel passes LF as it is; else each arrives as CR LF. */
  readonly raw: boolean;
}

const ready = 3;
/** Commands that follow one another faster than this print little: they take terminals as they are, and pay for no other process. */
const refillMs = 250;
const script = 'while read -r tty; do stty -onlcr <"$tty" && echo y || echo n; done';

/**
 * Terminals made ready ahead without the conversion of line ends, which takes a process each (`stty`, run by one small shell)
 * and is worth it for a flood: the kernel moves lines two to four times as fast.
 */
export class TerminalPool {
  readonly #native: NativePty;
  readonly #size: readonly [columns: number, rows: number];
  readonly #inherited: Inherited;
  readonly #ready: Terminal[] = [];
  #preparing: Terminal[] = [];
  #shell: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(native: NativePty, size: readonly [columns: number, rows: number], inherited: Inherited) {
    this.#native = native;
    this.#size = size;
    this.#inherited = inherited;
  }

  /** Makes some ready. */
  warm(): void {
    try {
      while (!this.#closed && this.#ready.length + this.#preparing.length < ready) {
        const terminal = this.open();
        this.#preparing.push(terminal);
        this.#helper().stdin?.write(`${terminal.path}\n`);
      }
    } catch {
      // no more terminals or processes to be had now: who takes one is told
    }
  }

  /** One that is ready, else one as it is. Throws the system's error. */
  take(): Terminal {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.warm();
    }, refillMs);
    this.#timer.refresh();
    return this.#ready.shift() ?? this.open();
  }

  /** One with the usual settings. Throws the system's error. */
  open(): Terminal {
    const { master, slave, pty: path } = this.#native.open(...this.#size);
    try {
      // The native slave does not block and is inherited; commands need one that blocks, and only where it is meant.
      const blocking = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
      this.#inherited.add(master);
      return { master, slave: blocking, path, raw: false };
    } catch (error) {
      closeSync(master);
      throw error;
    } finally {
      closeSync(slave);
    }
  }

  /** Closes one that nobody reads. */
  discard({ master, slave }: Terminal): void {
    closeSync(slave);
    closeSync(master);
    this.#inherited.delete(master);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#shell?.kill('SIGKILL');
    for (const terminal of [...this.#ready.splice(0), ...this.#preparing.splice(0)]) this.discard(terminal);
  }

  #helper(): ChildProcess {
    if (this.#shell !== undefined) return this.#shell;
    const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore', ...this.#inherited.mask(3)] });
    this.#shell = shell;
    const lost = (): void => {
      if (this.#shell !== shell) return;
      this.#shell = undefined;
      this.#ready.push(...this.#preparing.splice(0)); // as they are
    };
    shell.on('error', lost);
    shell.on('exit', lost);
    shell.stdin?.on('error', lost);
    shell.stdout?.on('data', (answers: Buffer) => {
      for (const answer of answers.toString('latin1').replaceAll('\n', '')) {
        const terminal = this.#preparing.shift();
        if (terminal !== undefined) this.#ready.push({ ...terminal, raw: answer === 'y' });
      }
    });
    return shell;
  }
}
