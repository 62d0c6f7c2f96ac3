/** CR LF to LF where the kernel was not told to leave line ends alone. */
export class LineEnds {
  #heldReturn = false;

  push(chunk: Buffer): Buffer {
    if (!this.#heldReturn && !chunk.includes(0x0d)) return chunk;
    const result = Buffer.allocUnsafe(chunk.length + 1);
    let at = 0;
    for (const byte of chunk) {
      if (this.#heldReturn && byte !== 0x0a) result[at++] = 0x0d;
      this.#heldReturn = byte === 0x0d;
      if (!this.#heldReturn) result[at++] = byte;
    }
    return result.subarray(0, at);
  }

  /** Nothing will come any more; gives what was held back. */
  close(): Buffer {
    const held = Buffer.from(this.#heldReturn ? '\r' : '');
    this.#heldReturn = false;
    return held;
  }
}
