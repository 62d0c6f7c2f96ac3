import type { Buffer } from 'node:buffer';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { errnoOf } from '../../base/log.ts';
import { MarkFilter } from './markFilter.ts';

const retryMs = 10;

/**
 * Tells when everything that was written to a terminal so far has been read, also while somebody still holds it: a mark is
 * written behind it and taken out of what is read. A terminal is first in, first out; silence is no proof, since the kernel
 * hands bytes over in a thread that a busy machine delays.
 */
export class EndMark {
  readonly #path: string;
  readonly #filter = new MarkFilter();
  #passed: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `path` of the terminal's slave. */
  constructor(path: string) {
    this.#path = path;
  }

  get mark(): Buffer {
    return this.#filter.mark;
  }

  /** What has been read and not been given back yet. */
  get held(): Buffer {
    return this.#filter.held;
  }

  /** Resolves when what was written before this call has come through `filter`, or nothing can come any more. */
  passed(): Promise<void> {
    if (this.#passed !== undefined) return this.#passed.promise;
    this.#passed = Promise.withResolvers();
    this.#write(this.mark);
    return this.#passed.promise;
  }

  /** The chunk without the mark; a beginning of it at the end is held back for the next. */
  filter(chunk: Buffer): Buffer {
    if (this.#passed === undefined) return chunk;
    const rest = this.#filter.push(chunk);
    if (this.#filter.found) this.#finish();
    return rest;
  }

  /** The terminal is closed; gives what was held back. */
  close(): Buffer {
    const held = this.#filter.close();
    this.#finish();
    return held;
  }

  #write(rest: Buffer): void {
    let written = 0;
    try {
      const fd = openSync(this.#path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
      try {
        written = writeSync(fd, rest);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') {
        this.#finish(); // the terminal is gone
        return;
      }
    }
    // Full: the reader is about to make room.
    if (written < rest.length) this.#timer = setTimeout(() => this.#write(rest.subarray(written)), retryMs);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#passed?.resolve();
  }
}
