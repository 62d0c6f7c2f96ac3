import { Inherited } from './inherited.ts';
import { type LoadedPty, loadNodePty } from './nodePty.ts';
import type { StartOrder } from './protocol.ts';
import type { ProcessListener, RunningProcess } from './runningProcess.ts';
import { startOnNodePty } from './startOnNodePty.ts';
import { startOnPipes } from './startOnPipes.ts';
import { defaultColumns, defaultRows, startOnTerminals, type TerminalSurroundings } from './startOnTerminals.ts';
import { TerminalPool } from './terminalPool.ts';

/** Starts programs under the terminal they are to see. One for the whole host. */
export class ProcessStarter {
  readonly #inherited = new Inherited();
  #pty: LoadedPty | undefined;
  #terminals: TerminalSurroundings | undefined;

  /** Throws the system's error when the program cannot be started. */
  async start(order: StartOrder, listener: ProcessListener): Promise<RunningProcess> {
    const { terminal } = order;
    if (terminal === 'none' || (process.platform === 'win32' && terminal !== 'merged'))
      return startOnPipes(order, listener, process.platform === 'win32' ? [] : this.#inherited.mask(3));
    if (process.platform !== 'linux' && terminal === 'merged') {
      this.#pty ??= loadNodePty();
      return startOnNodePty(this.#pty, order, listener);
    }
    return startOnTerminals(this.#useTerminals(), order, listener);
  }

  /** Opens terminals ahead, so that the first command need not wait for them. */
  warm(): void {
    if (process.platform !== 'win32') this.#useTerminals();
  }

  close(): void {
    this.#terminals?.pool.close();
  }

  #useTerminals(): TerminalSurroundings {
    if (this.#terminals !== undefined) return this.#terminals;
    this.#pty ??= loadNodePty();
    const { native } = this.#pty;
    if (native === null) throw new Error('pseudo-terminals are not available on this platform');
    const pool = new TerminalPool(native, [defaultColumns, defaultRows], this.#inherited);
    pool.warm();
    this.#terminals = { native, pool, inherited: this.#inherited };
    return this.#terminals;
  }
}
