import { closeSync } from 'node:fs';
import tty from 'node:tty';
import type { Copier } from './copier.ts';
import type { CopyFolder } from './copyFolder.ts';
import type { EndMark } from './endMark.ts';
import { Follower } from './follower.ts';
import { LineEnds } from './lineEnds.ts';
import type { StreamName } from './outputStore.ts';
import type { Terminal } from './terminalPool.ts';
import type { Place } from './unread.ts';

/** One buffer serves all, since reads are handled one after the other. A read of a terminal gives 4 KB mostly, 18 KB were seen. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

export interface TerminalReaderParts {
  readonly stream: StreamName;
  readonly terminal: Terminal;
  readonly mark: EndMark;
  /** Each LF arrives as CR LF, and is given as LF. */
  readonly convert: boolean;
  /** Who reads the terminal, and where what was read is found; missing when nobody does. */
  readonly copied: { readonly copier: Copier; readonly folder: CopyFolder } | undefined;
  /** What was printed, up to this place of the copies. `chunk` is overwritten after the call. */
  output(chunk: Buffer, place: Place | undefined): void;
  /** What is before this place will not be read again. */
  passed(place: Place): void;
  incomplete(why: string): void;
  /** The terminal has been closed; nothing will come. */
  closed(): void;
}

/** What comes out of one terminal: from its copier as long as that works, else from the terminal itself. */
export class TerminalReader {
  readonly mark: EndMark;
  readonly #parts: TerminalReaderParts;
  readonly #ends: LineEnds | undefined;
  readonly #follower: Follower | undefined;
  #direct: tty.ReadStream | undefined;
  #open = true;

  constructor(parts: TerminalReaderParts) {
    const { mark, convert, copied, stream } = parts;
    this.#parts = parts;
    this.mark = mark;
    this.#ends = convert ? new LineEnds() : undefined;
    if (copied === undefined) this.#readDirectly();
    else
      this.#follower = new Follower(copied.copier, stream, copied.folder, readBuffer, {
        output: (chunk, segment, offset) => {
          const text = this.#filter(chunk);
          parts.output(text, { segment, offset: offset + chunk.length, held: this.#held });
        },
        passed: (segment) => parts.passed({ segment: segment + 1, offset: 0, held: this.#held }),
        ended: ({ how, fault }) => {
          if (fault !== undefined) parts.incomplete(fault);
          if (how === 'over') this.#end();
          else this.#readDirectly();
        },
      });
  }

  get master(): number {
    return this.#parts.terminal.master;
  }

  /** Whether the terminal is open: its number is not another's. */
  get isOpen(): boolean {
    return this.#open && this.#direct?.destroyed !== true;
  }

  close(): void {
    if (!this.#open) return;
    this.#follower?.close();
    if (this.#direct === undefined) this.#end();
    else this.#direct.destroy();
  }

  /** The copies are not wanted any more. */
  removeCopies(): void {
    this.#follower?.removeCopies();
  }

  get #held(): string {
    const { held } = this.mark;
    const returned = this.#ends?.held;
    return returned === undefined && held.length === 0
      ? ''
      : Buffer.concat([held, returned ?? Buffer.alloc(0)]).toString('base64');
  }

  #filter(chunk: Buffer): Buffer {
    return this.mark.filter(this.#ends?.push(chunk) ?? chunk);
  }

  #readDirectly(): void {
    // `onread` is passed through to net.Socket: reading into one buffer is what makes the reader faster than the kernel.
    const options = {
      onread: {
        buffer: readBuffer,
        callback: (size: number): boolean => {
          this.#parts.output(this.#filter(readBuffer.subarray(0, size)), undefined);
          return true;
        },
      },
    };
    const stream = new tty.ReadStream(this.#parts.terminal.master, options);
    this.#direct = stream;
    stream.on('error', () => stream.destroy()); // EIO: the last holder of the other side is gone
    stream.on('close', () => this.#end());
    stream.resume();
  }

  #end(): void {
    if (!this.#open) return;
    const rest = this.#ends === undefined ? Buffer.alloc(0) : this.mark.filter(this.#ends.close());
    this.#parts.output(Buffer.concat([rest, this.mark.close()]), undefined);
    this.#open = false;
    if (this.#direct === undefined) closeSync(this.master); // else its stream did
    this.#parts.closed();
  }
}
