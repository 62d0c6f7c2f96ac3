import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { NativePty } from './nodePty.ts';

/** An open pseudo-terminal. The one who takes it closes `slave`, and `master` by closing the stream on it. */
export interface Pty {
  readonly master: number;
  readonly slave: number;
  readonly path: string;
  /** Whether the kernel passes LF as it is; else each arrives as CR LF. */
  readonly raw: boolean;
}

/** Enough for two commands with two streams each. */
const ready = 4;
const script = 'while read -r tty; do if stty -onlcr <"$tty" 2>/dev/null; then echo y; else echo n; fi; done';

/**
 * Pseudo-terminals made ready ahead: turning a terminal's conversion of line ends off takes a process, and is worth it, since
 * the kernel moves lines nearly twice as fast without. One small shell does it for all, off the way of the command.
 */
export class PtyPool {
  readonly #native: NativePty;
  readonly #columns: number;
  readonly #rows: number;
  readonly #masters: Set<number>;
  readonly #mask: (from: number) => readonly number[];
  readonly #ready: Pty[] = [];
  readonly #preparing: { readonly pty: Omit<Pty, 'raw'> }[] = [];
  readonly #takers: ((pty: Pty) => void)[] = [];
  #shell: ChildProcess | undefined;
  #closed = false;

  /** `masters` is told of every open master: they are inherited by what is started unless `mask` puts something in their place. */
  constructor(
    native: NativePty,
    columns: number,
    rows: number,
    masters: Set<number>,
    mask: (from: number) => readonly number[],
  ) {
    this.#native = native;
    this.#columns = columns;
    this.#rows = rows;
    this.#masters = masters;
    this.#mask = mask;
  }

  /** Makes some ready. */
  warm(): void {
    this.#refill();
  }

  take(): Promise<Pty> {
    const pty = this.#ready.shift();
    setImmediate(() => this.#refill());
    if (pty !== undefined) return Promise.resolve(pty);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#refill();
    });
  }

  /** One with the usual settings, for a shell that makes its own. */
  takePlain(): Pty {
    return { ...this.#open(), raw: false };
  }

  close(): void {
    this.#closed = true;
    this.#shell?.stdin?.end();
    for (const pty of [...this.#ready, ...this.#preparing.map((one) => one.pty)]) {
      closeSync(pty.slave);
      closeSync(pty.master);
    }
    this.#ready.length = 0;
    this.#preparing.length = 0;
  }

  #refill(): void {
    while (!this.#closed && this.#ready.length + this.#preparing.length < ready + this.#takers.length) {
      const pty = this.#open();
      this.#preparing.push({ pty });
      this.#helper().stdin?.write(`${pty.path}\n`);
    }
  }

  #open(): Omit<Pty, 'raw'> {
    const { master, slave, pty: path } = this.#native.open(this.#columns, this.#rows);
    this.#masters.add(master);
    // The native slave does not block and is inherited; commands need one that blocks, and only where it is meant.
    const blocking = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    closeSync(slave);
    return { master, slave: blocking, path };
  }

  #helper(): ChildProcess {
    if (this.#shell !== undefined) return this.#shell;
    const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore', ...this.#mask(3)] });
    shell.stdout?.on('data', (answers: Buffer) => {
      for (const answer of answers.toString('latin1').replaceAll('\n', '')) this.#prepared(answer === 'y');
    });
    const lost = (): void => {
      if (this.#shell !== shell) return;
      this.#shell = undefined;
      while (this.#preparing.length > 0) this.#prepared(false);
    };
    shell.on('error', lost);
    shell.on('exit', lost);
    shell.stdin?.on('error', lost);
    this.#shell = shell;
    return shell;
  }

  #prepared(raw: boolean): void {
    const next = this.#preparing.shift();
    if (next === undefined) return;
    const pty = { ...next.pty, raw };
    const taker = this.#takers.shift();
    if (taker) taker(pty);
    else this.#ready.push(pty);
  }
}
