import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { createEmitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import type { ExecEvent } from './executor.ts';
import { removeTaskFiles } from './taskFiles.ts';
import type { TaskRecord } from './taskRecord.ts';

/** Final tasks are kept this long and this many. */
const keptMs = 3_600_000;
const keptTasks = 200;

export function isFinal(task: Task): boolean {
  return finalTaskStates.includes(task.state);
}

/** All tasks in the order they came, and what is told about them. */
export class TaskBoard {
  readonly #clock: Clock;
  readonly #events;
  readonly #records = new Map<string, TaskRecord>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#events = createEmitter<ExecEvent>((error) => log.warn('a listener of task events failed', error));
  }

  on(listen: (event: ExecEvent) => void): Disposable {
    return this.#events.on(listen);
  }

  add(record: TaskRecord): void {
    this.purge();
    this.#records.set(record.task.id, record);
  }

  get(id: string): TaskRecord | undefined {
    return this.#records.get(id);
  }

  all(): readonly TaskRecord[] {
    return [...this.#records.values()];
  }

  /** Changes the public face without a word. */
  set(record: TaskRecord, change: Partial<Task>): void {
    record.task = { ...record.task, ...change };
  }

  tell(type: Exclude<ExecEvent['type'], 'removed'>, record: TaskRecord): void {
    this.#events.emit({ type, owner: record.owner, task: record.task });
  }

  /** Forgets one that never ran: it has no files. */
  forget(record: TaskRecord): void {
    this.#records.delete(record.task.id);
    this.#events.emit({ type: 'removed', owner: record.owner, task: record.task.id });
  }

  /** Forgets a task and its files. */
  remove(record: TaskRecord): void {
    const { id } = record.task;
    this.#records.delete(id);
    record.link?.post({ t: 'forget', id });
    removeTaskFiles(record.order.base);
    this.#events.emit({ type: 'removed', owner: record.owner, task: id });
  }

  /** Removes final tasks that are too old or too many. */
  purge(): void {
    // What left something running stays in sight until that has ended.
    const final = this.all().filter(({ task }) => isFinal(task) && (task.survivors ?? []).length === 0);
    const oldest = this.#clock.now() - keptMs;
    // Those that were waited for have been answered: they push none out whose answer may still be asked for.
    const background = final.filter(({ task }) => task.background !== undefined);
    const others = final.filter(({ task }) => task.background === undefined);
    for (const kind of [background, others]) {
      for (const [index, record] of kind.entries()) {
        const ended = Date.parse(record.task.endedAt ?? record.task.createdAt);
        if (index < kind.length - keptTasks || ended < oldest) this.remove(record);
      }
    }
  }
}
