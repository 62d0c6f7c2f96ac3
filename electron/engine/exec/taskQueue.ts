import { mkdirSync } from 'node:fs';
import type { ExecutorParts } from './executorParts.ts';
import type { HostLinks } from './hostLinks.ts';
import type { TaskBoard } from './taskBoard.ts';
import type { TaskLife } from './taskLife.ts';
import type { TaskRecord } from './taskRecord.ts';

/** Hands tasks to the host: at once, or background tasks one after the other as places are free. */
export class TaskQueue {
  readonly #parts: ExecutorParts;
  readonly #board: TaskBoard;
  readonly #life: TaskLife;
  readonly #links: HostLinks;
  #closed = false;

  constructor(parts: ExecutorParts, board: TaskBoard, life: TaskLife, links: HostLinks) {
    this.#parts = parts;
    this.#board = board;
    this.#life = life;
    this.#links = links;
  }

  /** Nothing is started any more. */
  close(): void {
    this.#closed = true;
  }

  /** Starts what waits as long as places are free, and tells the others their place. */
  fillPlaces(): void {
    const tasks = this.#board.all();
    this.#links.hold(tasks.some(({ task }) => task.state === 'running'));
    if (this.#closed) return;
    const running = tasks.filter(({ task }) => task.background !== undefined && task.state === 'running').length;
    const waiting = tasks.filter(({ task }) => task.background !== undefined && task.state === 'queued');
    const free = Math.max(0, this.#parts.settings().shell.backgroundMaxWorkers - running);
    for (const record of waiting.slice(0, free)) this.start(record);
    for (const [index, record] of waiting.slice(free).entries()) {
      if (record.task.place === index + 1) continue;
      const isNew = record.task.place === undefined;
      this.#board.set(record, { place: index + 1 });
      if (!isNew) this.#board.tell('changed', record);
    }
  }

  start(record: TaskRecord): void {
    const { backgroundTimeoutSeconds } = this.#parts.settings().shell;
    const given = record.request?.timeoutMs;
    const usual =
      record.task.background === undefined || backgroundTimeoutSeconds === null
        ? undefined
        : backgroundTimeoutSeconds * 1000;
    try {
      mkdirSync(this.#parts.taskFolder, { recursive: true, mode: 0o700 });
      this.#life.start(record, this.#links.current(), given ?? usual);
      this.#links.hold(true);
    } catch (error) {
      this.#life.refused(record, error instanceof Error ? error.message : String(error));
    }
  }
}
