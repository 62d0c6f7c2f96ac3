import { closeSync, constants, openSync } from 'node:fs';
import { Keeper } from './keeper.ts';
import type { NativePty } from './nodePty.ts';
import type { Terminal, TerminalPaths } from './terminal.ts';

/** A terminal for each stream of a command. */
export interface TerminalPair extends TerminalPaths {
  readonly keeper: Keeper;
  /** Whether the kernel passes LF as it is; else each arrives as CR LF. */
  readonly raw: boolean;
}

/** Enough for two commands. */
const readyPairs = 2;

/** Pairs of terminals made ready ahead, off the way of the command. */
export class TerminalPairs {
  readonly #native: NativePty;
  readonly #columns: number;
  readonly #rows: number;
  readonly #masters: Set<number>;
  readonly #mask: (from: number) => readonly number[];
  readonly #pairs: Promise<TerminalPair>[] = [];
  #lastTurn: Promise<unknown> = Promise.resolve();
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

  warm(): void {
    while (!this.#closed && this.#pairs.length < readyPairs) {
      const pair = this.#prepare();
      pair.catch(() => undefined); // told to the one who takes it
      this.#pairs.push(pair);
    }
  }

  /** Given in the order in which they were asked for. Rejects with the system's error. */
  take(): Promise<TerminalPair> {
    const pair = this.#pairs.shift() ?? this.#prepare();
    setImmediate(() => this.warm());
    const turn = this.#lastTurn.then(() => pair);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** One with the usual settings and nobody beside it, for a shell that makes its own. */
  open(): Terminal {
    const { master, slave, pty: path } = this.#native.open(this.#columns, this.#rows);
    this.#masters.add(master);
    // The native slave does not block and is inherited; commands need one that blocks, and only where it is meant.
    const blocking = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    closeSync(slave);
    return { master, slave: blocking, path };
  }

  /** Lets go what was made ready. */
  close(): void {
    this.#closed = true;
    for (const pair of this.#pairs.splice(0)) {
      const letGo = ({ out, err, keeper }: TerminalPair): void => {
        keeper.release();
        for (const { master, slave } of [out, err]) {
          closeSync(slave);
          closeSync(master);
          this.#masters.delete(master);
        }
      };
      pair.then(letGo, () => undefined);
    }
  }

  async #prepare(): Promise<TerminalPair> {
    const pair = { out: this.open(), err: this.open() };
    const keeper = new Keeper(pair, this.#mask);
    return { ...pair, keeper, raw: await keeper.raw() };
  }
}
