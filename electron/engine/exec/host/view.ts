import type { ByteRing } from './byteRing.ts';
import { bytesHeadBytes, fillBytesHead } from './frames.ts';

/** What may be on its way to a view without being acknowledged. */
const windowBytes = 512 * 1024;
const frameBytes = 64 * 1024;
/** A view that fell behind what is still at hand goes on with this much of the latest: 600 lines of 200 characters. */
const resumeBytes = 128 * 1024;
/**
 * No more than a window in this time, 8 MB/s: a terminal parses 9 to 28 MB/s and nobody reads that fast. In a flood, which
 * leaves bytes out anyway, no more than what it goes on with: what the view is spared, the command is given.
 */
const slotMs = 64;

export interface ViewOutlet {
  /** `done` is called when `frame` may be used again. */
  bytes(frame: Buffer, done: () => void): void;
  skipped(bytes: number): void;
  ended(): void;
}

/** One reader of a task's output. It sends no faster than it is acknowledged, and leaves out what is no longer at hand: a slow reader neither stops the command nor costs memory. */
export class View {
  readonly #number: number;
  readonly #ring: ByteRing;
  readonly #outlet: ViewOutlet;
  #position: number;
  #unacknowledged = 0;
  #spare: Buffer[] = [];
  #complete = false;
  #ended = false;
  #slotEnd = 0;
  #slotBytes = windowBytes;
  #inSlot = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(number: number, ring: ByteRing, outlet: ViewOutlet) {
    this.#number = number;
    this.#ring = ring;
    this.#outlet = outlet;
    this.#position = ring.start;
  }

  acknowledge(bytes: number): void {
    this.#unacknowledged = Math.max(0, this.#unacknowledged - bytes);
    this.pump();
  }

  pump(): void {
    while (this.#position < this.#ring.total && this.#unacknowledged < windowBytes && this.#mayGoOn()) {
      if (this.#position < this.#ring.start) this.#skip();
      const size = Math.min(frameBytes, this.#ring.total - this.#position);
      const frame = this.#spare.pop() ?? Buffer.allocUnsafeSlow(bytesHeadBytes + frameBytes);
      this.#ring.copy(this.#position, this.#position + size, frame, bytesHeadBytes);
      this.#position += size;
      this.#unacknowledged += size;
      this.#inSlot += size;
      this.#outlet.bytes(fillBytesHead(frame, this.#number, size), () => {
        if (this.#spare.length < 4) this.#spare.push(frame);
      });
    }
    if (this.#complete && !this.#ended && this.#position >= this.#ring.total) {
      this.#ended = true;
      this.#outlet.ended();
    }
  }

  /** No more output will come; the end is told after the last byte. */
  complete(): void {
    this.#complete = true;
    this.pump();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#ended = true;
  }

  #mayGoOn(): boolean {
    if (this.#inSlot > 0 && this.#inSlot < this.#slotBytes) return true;
    const now = performance.now();
    if (this.#inSlot === 0 || now >= this.#slotEnd) {
      this.#slotEnd = now + slotMs;
      this.#slotBytes = this.#position < this.#ring.start ? resumeBytes : windowBytes;
      this.#inSlot = 0;
      return true;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#ended) this.pump();
    }, this.#slotEnd - now);
    return false;
  }

  #skip(): void {
    let to = Math.max(this.#ring.start, this.#ring.total - resumeBytes);
    // Going on at the beginning of a line keeps half a character or half an escape sequence off the screen.
    let at = to;
    for (const piece of this.#ring.pieces(to, Math.min(to + 4096, this.#ring.total))) {
      const lineEnd = piece.indexOf(0x0a);
      if (lineEnd >= 0) {
        to = at + lineEnd + 1;
        break;
      }
      at += piece.length;
    }
    this.#outlet.skipped(to - this.#position);
    this.#position = to;
  }
}
