import { type FSWatcher, mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Growth is looked for without having been told: seldom where the system tells, often where it cannot. */
const lookMs = { told: 500, untold: 20 } as const;

export interface Watched {
  /** Something was written. */
  grown(): void;
  /** It may have been; and whoever writes may have died. */
  look(): void;
}

/** The folder of one host in which copiers write, and the news of what has grown in it. */
export class CopyFolder {
  readonly #path: string;
  readonly #watched = new Map<string, Watched>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  /** Throws the system's error when the folder cannot be made. */
  constructor(taskFolder: string) {
    mkdirSync(taskFolder, { recursive: true, mode: 0o700 });
    this.#path = mkdtempSync(join(taskFolder, 'unread-')); // one of a killed host may be there and be wanted
    if (process.platform !== 'linux') return;
    try {
      const watcher = watch(this.#path, { persistent: false }, (_event, name) => {
        if (name !== null) this.#watched.get(name)?.grown();
      });
      watcher.on('error', () => watcher.close());
      watcher.on('close', () => {
        this.#watcher = undefined;
      });
      this.#watcher = watcher;
    } catch {
      // there are no more watches to be had: it is looked often
    }
  }

  /** A path for the copies of one command, to which suffixes are added. */
  next(): string {
    this.#count += 1;
    return join(this.#path, String(this.#count));
  }

  /** Calls `watched` when the file of this name grows; returns the end of it. */
  watch(name: string, watched: Watched): () => void {
    this.#watched.set(name, watched);
    this.#timer ??= setTimeout(() => this.#look(), this.#wait());
    return () => {
      if (this.#watched.get(name) === watched) this.#watched.delete(name);
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watched.clear();
    this.#watcher?.close();
    rmSync(this.#path, { recursive: true, force: true });
  }

  #wait(): number {
    return this.#watcher === undefined ? lookMs.untold : lookMs.told;
  }

  #look(): void {
    this.#timer = undefined;
    for (const watched of this.#watched.values()) watched.look();
    if (this.#watched.size > 0) this.#timer = setTimeout(() => this.#look(), this.#wait());
  }
}
