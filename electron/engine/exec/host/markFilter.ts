import { randomBytes } from 'node:crypto';

/** Takes one mark out of what is read, wherever it is cut apart. */
export class MarkFilter {
  readonly mark: Buffer;
  #held = Buffer.alloc(0);
  #found = false;

  /** The mark is an operating system command that no terminal knows: should it ever be cut apart, no view shows it. */
  constructor(mark = Buffer.from(`\x1b]7777;${randomBytes(12).toString('hex')}\x07`)) {
    this.mark = mark;
  }

  get found(): boolean {
    return this.#found;
  }

  /** What may be the beginning of the mark. */
  get held(): Buffer {
    return this.#held;
  }

  /** The chunk without the mark; a beginning of it at the end is held back for the next. */
  push(chunk: Buffer): Buffer {
    if (this.#found) return chunk;
    const { mark } = this;
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = all.indexOf(mark);
    if (at >= 0) {
      this.#found = true;
      this.#held = Buffer.alloc(0);
      return Buffer.concat([all.subarray(0, at), all.subarray(at + mark.length)]);
    }
    const last = all.lastIndexOf(0x1b);
    const begins = last > all.length - mark.length && mark.indexOf(all.subarray(last)) === 0;
    this.#held = begins ? Buffer.from(all.subarray(last)) : Buffer.alloc(0);
    return begins ? all.subarray(0, last) : all;
  }

  /** Nothing will come any more; gives what was held back. */
  close(): Buffer {
    const held = this.#held;
    this.#found = true;
    this.#held = Buffer.alloc(0);
    return held;
  }
}
