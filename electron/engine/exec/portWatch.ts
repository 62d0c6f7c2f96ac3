import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { listeningPorts } from './listeningPorts.ts';
import { findProcesses } from './processTree.ts';
import type { TaskBoard } from './taskBoard.ts';
import type { TaskRecord } from './taskRecord.ts';

/** A look reads the process table: often enough for a person who waits for a server. */
const everyMs = 2_000;

/** Keeps ports of background tasks, and what outlived its command, up to date; asleep while there is neither. */
export class PortWatch implements Disposable {
  readonly #clock: Clock;
  readonly #board: TaskBoard;
  #timer: Disposable | undefined;
  #disposed = false;

  constructor(clock: Clock, board: TaskBoard) {
    this.#clock = clock;
    this.#board = board;
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
    const records = this.#watched();
    const ended = new Set(records.filter(({ task }) => task.state !== 'running'));
    const tasks = records.map(({ task, pidStart }) => ({
      task: task.id,
      leader: task.pid ?? -1,
      ...(pidStart === undefined ? {} : { leaderStart: pidStart }),
    }));
    const processes = await findProcesses(tasks);
    const listening = await listeningPorts([...processes.values()].flat());
    for (const record of records) {
      const pids = processes.get(record.task.id) ?? [];
      const ports = [...new Set(pids.flatMap((pid) => listening.get(pid) ?? []))].sort((a, b) => a - b);
      // What ended during the look was still its own at the start of it.
      const survivors = ended.has(record) ? pids : undefined;
      if (survivors === undefined && record.task.state !== 'running') continue;
      const { task } = record;
      if (String(ports) === String(task.ports ?? []) && String(survivors) === String(task.survivors)) continue;
      this.#board.set(record, { ports, ...(survivors === undefined ? {} : { survivors }) });
      this.#board.tell('changed', record);
    }
    this.#timer = undefined;
    this.wake();
  }
}
