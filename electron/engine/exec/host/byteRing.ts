const firstBytes = 16 * 1024;

/** The last bytes of a stream, addressed by their position in the whole. It grows to its limit and no further. */
export class ByteRing {
  readonly #limit: number;
  #buffer = Buffer.alloc(0);
  #total = 0;
  #first = 0;

  /** `limitBytes` must be a power of two. */
  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get total(): number {
    return this.#total;
  }

  /** Position of the oldest byte that is still at hand. */
  get start(): number {
    return Math.max(this.#first, this.#total - this.#buffer.length);
  }

  append(chunk: Uint8Array): void {
    if (chunk.length > this.#limit) {
      this.#grow(this.#total + chunk.length);
      this.#total += chunk.length - this.#limit;
      this.append(chunk.subarray(chunk.length - this.#limit));
      return;
    }
    if (this.#buffer.length < this.#limit && this.#total + chunk.length > this.#buffer.length)
      this.#grow(this.#total + chunk.length);
    const at = this.#total % this.#buffer.length;
    const fits = Math.min(chunk.length, this.#buffer.length - at);
    this.#buffer.set(fits === chunk.length ? chunk : chunk.subarray(0, fits), at);
    if (fits < chunk.length) this.#buffer.set(chunk.subarray(fits), 0);
    this.#total += chunk.length;
  }

  /** The bytes between two positions that are at hand, in one or two pieces. They are overwritten by later appends. */
  pieces(from: number, to: number): Buffer[] {
    if (to <= from) return [];
    const size = this.#buffer.length;
    const at = from % size;
    const first = this.#buffer.subarray(at, Math.min(at + (to - from), size));
    const rest = to - from - first.length;
    return rest > 0 ? [first, this.#buffer.subarray(0, rest)] : [first];
  }

  /** Copies from `from` on into `target`; returns how many bytes. */
  copy(from: number, to: number, target: Buffer, targetStart: number): number {
    let at = targetStart;
    for (const piece of this.pieces(from, to)) at += piece.copy(target, at);
    return at - targetStart;
  }

  /** Lets the memory go; nothing is at hand any more. */
  free(): void {
    this.#buffer = Buffer.alloc(0);
    this.#first = this.#total;
  }

  #grow(need: number): void {
    let size = Math.max(this.#buffer.length, firstBytes);
    while (size < need && size < this.#limit) size *= 2;
    size = Math.min(size, this.#limit);
    const larger = Buffer.allocUnsafeSlow(size);
    for (let from = this.start; from < this.#total; ) {
      const [piece] = this.pieces(from, this.#total);
      if (piece === undefined) break;
      const fits = piece.subarray(0, size - (from % size));
      larger.set(fits, from % size);
      from += fits.length;
    }
    this.#buffer = larger;
  }
}
