import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { StoreState, StreamName } from './outputStore.ts';

/** Where one stream of copied output is read on. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
  /** Bytes before `offset` that have been read and not been passed on: what follows decides about them. In base64. */
  readonly held: string;
}

/** What does not change as long as the task runs. */
export interface CopiedTask {
  /** Path of the copies without suffix: `.out.0`, `.err.0`, `.out.1` and so on. */
  readonly copies: string;
  /** The process that has the copiers, and its start as the kernel counts it. */
  readonly keeper: number;
  readonly keeperStart?: string;
  readonly maxLogBytes: number;
  readonly maxCaptureBytes: number;
  readonly streams: Readonly<Record<StreamName, { /** In base64. */ readonly mark: string; readonly raw: boolean }>>;
}

export interface Unread extends CopiedTask {
  readonly places: Readonly<Record<StreamName, Place>>;
  readonly written: StoreState;
}

/** More than the changing part takes when all its numbers are as long as they get; written at once, so it is old or new. */
const changingBytes = 1024;
const start: Place = { segment: 0, offset: 0, held: '' };

/**
 * Beside the files of a task, where an engine goes on when the host has been killed: how far the copies have been read, and
 * how long the files were then. Written before each piece of output, it tells which piece may have come halfway: that is taken
 * back, and then all from there on is written again.
 */
export class UnreadFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #written: () => StoreState;
  readonly #places: Record<StreamName, Place> = { stdout: start, stderr: start };
  #open = true;

  /** Throws the system's error. */
  constructor(base: string, task: CopiedTask, written: () => StoreState) {
    this.#path = unreadPath(base);
    this.#written = written;
    this.#fd = openSync(this.#path, 'w', 0o600);
    try {
      writeSync(this.#fd, `${this.#changing()}\n${JSON.stringify(task)}\n`);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Takes note of a place; it counts from the next `write` on. */
  move(stream: StreamName, place: Place): void {
    this.#places[stream] = place;
  }

  /** To be called before output is appended, and before a copy that has been read is removed. */
  write(): void {
    if (!this.#open) return;
    try {
      writeSync(this.#fd, this.#changing(), 0, 'latin1');
    } catch {
      this.remove(); // better nothing than what is wrong
    }
  }

  /** Everything is in the files of the task. */
  remove(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
    rmSync(this.#path, { force: true });
  }

  #changing(): string {
    return JSON.stringify({ places: this.#places, written: this.#written() }).padEnd(changingBytes);
  }
}

export function unreadPath(base: string): string {
  return `${base}.unread`;
}

/** What a killed host left of a task; undefined when it left nothing. */
export function readUnread(base: string): Unread | undefined {
  try {
    const [changing = '', task = ''] = readFileSync(unreadPath(base), 'latin1').split('\n');
    return { ...(JSON.parse(task) as CopiedTask), ...(JSON.parse(changing) as Pick<Unread, 'places' | 'written'>) };
  } catch {
    return undefined; // not there, or its first writing was not finished: then the command had not been started
  }
}
