import { writeSync } from 'node:fs';
import { errnoOf } from '../../base/log.ts';

/** Input that the command does not read is kept up to this size. */
const maxInputBytes = 1024 * 1024;

/** Writes to a terminal that does not block: what it does not take now is tried again. */
export class InputQueue {
  readonly #master: number;
  #waiting = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;

  constructor(master: number) {
    this.#master = master;
  }

  write(data: string): void {
    const bytes = Buffer.from(data);
    if (this.#waiting.length + bytes.length > maxInputBytes) return;
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    this.#drain();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = Buffer.alloc(0);
  }

  #drain(): void {
    clearTimeout(this.#timer);
    try {
      while (this.#waiting.length > 0) this.#waiting = this.#waiting.subarray(writeSync(this.#master, this.#waiting));
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') this.#timer = setTimeout(() => this.#drain(), 10);
      else this.#waiting = Buffer.alloc(0); // the terminal is gone
    }
  }
}
