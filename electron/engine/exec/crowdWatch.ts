import { readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { findProcesses } from './processes/processTree.ts';
import type { TaskBoard } from './taskBoard.ts';
import { processesOf, type TaskRecord } from './taskRecord.ts';

/** A fork bomb makes thousands a second; the largest builds and test runs stay far below. */
export const maxProcesses = 2_000;
/** The count of the whole machine is one short line; only where it has grown are processes looked at. */
const everyMs = 500;

export interface CrowdWatchDeps {
  readonly clock: Clock;
  readonly board: TaskBoard;
  /** Of one command. */
  readonly limit: number;
  readonly stop: (record: TaskRecord, why: string) => void;
  readonly find?: typeof findProcesses;
  /** Processes and threads of the machine; undefined where it does not tell. */
  readonly count?: () => number | undefined;
}

/** Ends a command that has more processes at once than the limit, before the machine has none left (Linux). Asleep while nothing runs. */
export class CrowdWatch implements Disposable {
  readonly #deps: Required<CrowdWatchDeps>;
  #timer: Disposable | undefined;
  /** Of the machine: the fewest since something runs, or since it was last looked at. */
  #base = Number.POSITIVE_INFINITY;
  #disposed = false;

  constructor(deps: CrowdWatchDeps) {
    this.#deps = { find: findProcesses, count: countOfMachine, ...deps };
    deps.board.on(({ type }) => type === 'started' && this.#wake());
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #running(): readonly TaskRecord[] {
    return this.#deps.board.all().filter(({ task }) => task.state === 'running' && task.pid !== undefined);
  }

  #wake(): void {
    if (this.#timer !== undefined || this.#disposed) return;
    const { clock, count } = this.#deps;
    const now = count();
    if (now === undefined) return;
    this.#base = Math.min(this.#base, now);
    this.#timer = clock.after(everyMs, () => {
      void this.#look().finally(() => {
        this.#timer = undefined;
        if (this.#running().length > 0) this.#wake();
        else this.#base = Number.POSITIVE_INFINITY;
      });
    });
  }

  async #look(): Promise<void> {
    const { count, limit, find, stop } = this.#deps;
    const now = count() ?? 0;
    this.#base = Math.min(this.#base, now);
    // Half: what grows while it is looked at is looked at again.
    if (now - this.#base < limit / 2) return;
    const running = this.#running();
    const found = await find(running.map(processesOf));
    for (const record of running) {
      if ((found.get(record.task.id)?.length ?? 0) > limit)
        stop(record, `It was ended: it had more than ${limit} processes at once.`);
    }
    this.#base = now;
  }
}

/** `0.00 0.01 0.05 1/234 5678`: of 234 threads one runs. */
function countOfMachine(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1]);
  } catch {
    return undefined; // no descriptor is left, or no /proc is there
  }
}
