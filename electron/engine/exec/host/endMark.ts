import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { errnoOf } from '../../base/log.ts';

const retryMs = 10;

/**
 * Tells when everything that was written to a terminal so far has been read, also while somebody still holds it: a mark is
 * written behind it and taken out of what is read. A terminal is first in, first out; silence is no proof, since the kernel
 * hands bytes over in a thread that a busy machine delays.
 */
export class EndMark {
  readonly #path: string;
  #mark: Buffer | undefined;
  #held = Buffer.alloc(0);
  #passed: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `path` of the terminal's slave. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when what was written before this call has come through `filter`, or nothing can come any more. */
  passed(): Promise<void> {
    if (this.#passed !== undefined) return this.#passed.promise;
    this.#passed = Promise.withResolvers();
    // An operating system command that no terminal knows: should it ever be cut apart, no view shows it.
    this.#mark = Buffer.from(`\x1b]7777;${randomBytes(12).toString('hex')}\x07`);
    this.#write(this.#mark);
    return this.#passed.promise;
  }

  /** The chunk without the mark; a beginning of it at the end is held back for the next. */
  filter(chunk: Buffer): Buffer {
    const mark = this.#mark;
    if (mark === undefined) return chunk;
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = all.indexOf(mark);
    if (at >= 0) {
      this.#finish();
      return Buffer.concat([all.subarray(0, at), all.subarray(at + mark.length)]);
    }
    const last = all.lastIndexOf(0x1b);
    const begins = last > all.length - mark.length && mark.indexOf(all.subarray(last)) === 0;
    this.#held = begins ? Buffer.from(all.subarray(last)) : Buffer.alloc(0);
    return begins ? all.subarray(0, last) : all;
  }

  /** The terminal is closed; gives what was held back. */
  close(): Buffer {
    const held = this.#held;
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
    this.#mark = undefined;
    this.#held = Buffer.alloc(0);
    this.#passed?.resolve();
  }
}
