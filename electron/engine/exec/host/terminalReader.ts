import tty from 'node:tty';
import { EndMark } from './endMark.ts';
import { LineEnds } from './lineEnds.ts';
import type { Terminal } from './terminalPool.ts';

/** One buffer serves all, since reads are handled one after the other. A read of a terminal gives 4 KB mostly, 18 KB were seen. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

export interface TerminalListener {
  /** `chunk` is overwritten after the call. */
  output(chunk: Buffer): void;
  /** The terminal has been closed; nothing will come. */
  closed(): void;
}

/** Reads one terminal until nobody holds its other side any more. */
export class TerminalReader {
  readonly master: number;
  readonly #mark: EndMark;
  readonly #ends: LineEnds | undefined;
  readonly #listener: TerminalListener;
  readonly #stream: tty.ReadStream;

  /** With `convertLineEnds`, LF arrives as CR LF and is given as LF. */
  constructor({ master, path }: Terminal, convertLineEnds: boolean, listener: TerminalListener) {
    this.master = master;
    this.#mark = new EndMark(path);
    this.#ends = convertLineEnds ? new LineEnds() : undefined;
    this.#listener = listener;
    // `onread` is passed through to net.Socket: reading into one buffer is what makes the reader faster than the kernel.
    const options = {
      onread: {
        buffer: readBuffer,
        callback: (size: number): boolean => {
          const chunk = readBuffer.subarray(0, size);
          this.#output(this.#mark.filter(this.#ends?.push(chunk) ?? chunk));
          return true;
        },
      },
    };
    this.#stream = new tty.ReadStream(master, options);
    this.#stream.on('error', () => this.#stream.destroy()); // EIO: the last holder of the other side is gone
    this.#stream.on('close', () => {
      if (this.#ends !== undefined) this.#output(this.#mark.filter(this.#ends.close()));
      this.#output(this.#mark.close());
      listener.closed();
    });
    this.#stream.resume();
  }

  /** Whether the terminal is open: its number is not another's. */
  get isOpen(): boolean {
    return !this.#stream.destroyed;
  }

  /** Resolves when what was written before this call has been given to the listener, or nothing can come any more. */
  drained(): Promise<void> {
    return this.#mark.passed();
  }

  close(): void {
    this.#stream.destroy();
  }

  #output(chunk: Buffer): void {
    if (chunk.length > 0) this.#listener.output(chunk);
  }
}
