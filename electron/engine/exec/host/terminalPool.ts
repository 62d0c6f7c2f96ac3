import { closeSync, constants, openSync } from 'node:fs';
import { Copier } from './copier.ts';
import type { CopyFolder } from './copyFolder.ts';
import type { Inherited } from './inherited.ts';
import type { NativePty } from './nodePty.ts';

/** An open pseudo-terminal. The one who takes it closes both. */
export interface Terminal {
  readonly master: number;
  readonly slave: number;
  readonly path: string;
}

/** The terminals of one command, for stdout and for stderr. */
export interface TerminalPair {
  readonly out: Terminal;
  readonly err: Terminal;
  /** Whether the kernel passes LF as it is on stdout; else, and on stderr, each arrives as CR LF. */
  readonly raw: boolean;
  /** Reads them; missing where the one who takes them must. */
  readonly copier: Copier | undefined;
}

const ready = 3;
/** What was taken is replaced when a command ends, or else after this: then the one that took it has long been started. */
const refillMs = 50;

/**
 * Pairs of terminals made ready ahead, each with its copier: what they need takes some processes, which the command
 * does not wait for. Without the conversion of line ends the kernel moves lines nearly twice as fast.
 */
export class TerminalPool {
  readonly #native: NativePty;
  readonly #size: readonly [columns: number, rows: number];
  readonly #inherited: Inherited;
  readonly #folder: CopyFolder | undefined;
  readonly #ready: TerminalPair[] = [];
  /** Commands start in the order in which they came. */
  #line: Promise<unknown> = Promise.resolve();
  #taker: ((pair: TerminalPair) => void) | undefined;
  #preparing = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** Without a folder nothing is copied. */
  constructor(
    native: NativePty,
    size: readonly [columns: number, rows: number],
    inherited: Inherited,
    folder: CopyFolder | undefined,
  ) {
    this.#native = native;
    this.#size = size;
    this.#inherited = inherited;
    this.#folder = folder;
  }

  /** Makes some ready. */
  warm(): void {
    try {
      while (this.#folder !== undefined && !this.#closed && this.#ready.length + this.#preparing < ready)
        this.#prepare();
    } catch {
      // no more terminals to be had now: who takes one is told
    }
  }

  /** One that is ready or about to be; else one is made at once, which converts line ends. */
  take(): Promise<TerminalPair> {
    const taken = this.#line.then(() => this.#takeNext());
    this.#line = taken.catch(() => undefined);
    return taken;
  }

  #takeNext(): TerminalPair | Promise<TerminalPair> {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.warm();
    }, refillMs);
    for (let pair = this.#ready.shift(); pair !== undefined; pair = this.#ready.shift()) {
      if (pair.copier?.works) return pair;
      this.#letGo(pair);
    }
    if (this.#preparing > 0) {
      return new Promise((resolve) => {
        this.#taker = resolve;
      });
    }
    const [out, err] = this.#openBoth();
    return { out, err, raw: false, copier: this.#copier(out, err, false) };
  }

  /** One terminal with the usual settings. */
  open(): Terminal {
    const { master, slave, pty: path } = this.#native.open(...this.#size);
    this.#inherited.add(master);
    // The native slave does not block and is inherited; commands need one that blocks, and only where it is meant.
    const blocking = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    closeSync(slave);
    return { master, slave: blocking, path };
  }

  #openBoth(): readonly [Terminal, Terminal] {
    const out = this.open();
    try {
      return [out, this.open()];
    } catch (error) {
      this.#closeOne(out);
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const pair of this.#ready.splice(0)) this.#letGo(pair);
  }

  #prepare(): void {
    const [out, err] = this.#openBoth();
    const copier = this.#copier(out, err, true);
    this.#preparing += 1;
    void (copier?.raw ?? Promise.resolve(false)).then((raw) => {
      this.#preparing -= 1;
      const pair = { out, err, raw, copier };
      const taker = this.#taker;
      this.#taker = undefined;
      if (taker !== undefined) taker(pair);
      else if (this.#closed) this.#letGo(pair);
      else this.#ready.push(pair);
    });
  }

  #copier(out: Terminal, err: Terminal, prepare: boolean): Copier | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return new Copier(this.#folder.next(), [out, err], prepare, (from) => this.#inherited.mask(from));
    } catch {
      return undefined; // no process to be had
    }
  }

  #letGo({ out, err, copier }: TerminalPair): void {
    copier?.close();
    this.#closeOne(out);
    this.#closeOne(err);
  }

  #closeOne({ master, slave }: Terminal): void {
    closeSync(slave);
    closeSync(master);
    this.#inherited.delete(master);
  }
}
