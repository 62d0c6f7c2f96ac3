import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { listeningPorts } from './processes/listeningPorts.ts';
import { findProcesses, type TaskProcesses } from './processes/processTree.ts';
import type { TaskBoard } from './taskBoard.ts';
import { processesOf, type TaskRecord } from './taskRecord.ts';

/** A look reads the process table: often enough for a person who waits for a server. */
const everyMs = 2_000;

/** One look at the system: the processes of each task and the ports of each process. */
export interface ProcessLook {
  readonly processes: ReadonlyMap<string, readonly number[]>;
  readonly ports: ReadonlyMap<number, readonly number[]>;
}

async function lookAtSystem(tasks: readonly TaskProcesses[]): Promise<ProcessLook> {
  const processes = await findProcesses(tasks);
  return { processes, ports: await listeningPorts([...processes.values()].flat()) };
}

/** Keeps ports of background tasks, and what outlived its command, up to date; asleep while there is neither. */
export class PortWatch implements Disposable {
  readonly #clock: Clock;
  readonly #board: TaskBoard;
  readonly #lookAt: typeof lookAtSystem;
  #timer: Disposable | undefined;
  #disposed = false;

  constructor(clock: Clock, board: TaskBoard, lookAt: typeof lookAtSystem = lookAtSystem) {
    this.#clock = clock;
    this.#board = board;
    this.#lookAt = lookAt;
  }

  wake(): void {
    if (this.#timer !== undefined || this.#disposed || this.#watched().length === 0) return;
    this.#timer = this.#clock.after(everyMs, () => void this.#look());
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #watched(): readonly TaskRecord[] {
    return this.#board.all().filter(({ task }) => {
      if (task.pid === undefined) return false;
      if (task.state !== 'running') return (task.survivors ?? []).length > 0;
      return task.kind === 'user' || task.background !== undefined;
    });
  }

  async #look(): Promise<void> {
    const before = this.#watched().map((record) => ({ record, task: record.task }));
    const { processes, ports: listening } = await this.#lookAt(before.map(({ record }) => processesOf(record)));
    for (const { record, task } of before) {
      const pids = processes.get(task.id) ?? [];
      const ports = [...new Set(pids.flatMap((pid) => listening.get(pid) ?? []))].sort((a, b) => a - b);
      // What ended, or had its survivors ended, during the look was seen as it no longer is.
      if (this.#board.get(task.id) !== record) continue; // forgotten in the meantime
      if (record.task.state !== task.state || record.task.survivors !== task.survivors) continue;
      const survivors = task.state === 'running' ? undefined : pids;
      if (String(ports) === String(record.task.ports ?? []) && String(survivors) === String(task.survivors)) continue;
      this.#board.set(record, { ports, ...(survivors === undefined ? {} : { survivors }) });
      this.#board.tell('changed', record);
    }
    this.#timer = undefined;
    this.wake();
  }
}
