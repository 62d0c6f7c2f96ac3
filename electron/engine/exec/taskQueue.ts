import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeError } from '../base/log.ts';
import type { ExecutorDeps } from './executorDeps.ts';
import type { HostLinks } from './hostLinks.ts';
import { folderFault } from './startRefused.ts';
import type { TaskBoard } from './taskBoard.ts';
import { stopGraceMs, type TaskLife } from './taskLife.ts';
import type { TaskRecord } from './taskRecord.ts';

/** Hands tasks to the host: at once, or background tasks one after the other as places are free. */
export class TaskQueue {
  readonly #deps: ExecutorDeps;
  readonly #board: TaskBoard;
  readonly #life: TaskLife;
  readonly #links: HostLinks;
  #closed = false;
  #filling = false;

  constructor(deps: ExecutorDeps, board: TaskBoard, life: TaskLife, links: HostLinks) {
    this.#deps = deps;
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
    // A start that fails frees its place at once: the loop that is under way sees to it.
    if (this.#filling) return;
    this.#filling = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.start(next);
    this.#filling = false;
    this.#links.hold(this.#board.all().some(({ task }) => task.state === 'running'));
    if (this.#closed) return;
    for (const [index, record] of this.#waiting().entries()) {
      if (record.task.place === index + 1) continue;
      const isNew = record.task.place === undefined;
      this.#board.set(record, { place: index + 1 });
      if (!isNew) this.#board.tell('changed', record);
    }
  }

  /** The first that waits, when a place is free. */
  #next(): TaskRecord | undefined {
    if (this.#closed) return undefined;
    const running = this.#board.all().filter(({ task }) => task.background !== undefined && task.state === 'running');
    return running.length < this.#deps.settings().shell.backgroundMaxWorkers ? this.#waiting()[0] : undefined;
  }

  #waiting(): readonly TaskRecord[] {
    return this.#board.all().filter(({ task }) => task.background !== undefined && task.state === 'queued');
  }

  start(record: TaskRecord): void {
    const { backgroundTimeoutSeconds } = this.#deps.settings().shell;
    const given = record.request?.timeoutMs;
    const inBackground = backgroundTimeoutSeconds === null ? undefined : backgroundTimeoutSeconds * 1000;
    const usual = record.task.background === undefined ? record.request?.usualTimeoutMs : inBackground;
    // It may have waited for long.
    const fault = folderFault(record.task.cwd) ?? outputFault(dirname(record.order.base));
    if (fault !== undefined) {
      this.#life.refused(record, fault);
      return;
    }
    try {
      this.#life.start(record, this.#links.current(), given ?? usual);
      this.#links.hold(true);
    } catch (error) {
      this.#life.refused(record, `The program that runs commands could not be started: ${describeError(error)}`);
    }
  }

  /** One that was waited for is in the background now: the time limit of the settings holds for it, from its start. */
  limit(record: TaskRecord): void {
    const { backgroundTimeoutSeconds: seconds } = this.#deps.settings().shell;
    if (record.request?.timeoutMs !== undefined) return;
    record.timers.timeout?.dispose();
    if (seconds === null) return;
    const ranMs = this.#deps.clock.now() - Date.parse(record.task.startedAt ?? record.task.createdAt);
    record.timers.timeout = this.#deps.clock.after(
      Math.max(0, seconds * 1000 - ranMs),
      () => void this.#life.stop(record, 'timeout', stopGraceMs),
    );
  }
}

/** Makes the folder that holds what tasks write; why that cannot be. */
function outputFault(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `The output of commands cannot be kept in ${folder}: ${describeError(error)}. Make the place writable, or name another by VISE_HOME.`;
  }
}
