import { isAscii } from 'node:buffer';
import { closeSync, openSync } from 'node:fs';
import { describeError } from '../../base/log.ts';
import { ByteRing } from './byteRing.ts';
import { LogFile, writeAll } from './logFile.ts';
import type { StreamState } from './protocol.ts';

/** What a late or slow view can still be given. */
const ringBytes = 512 * 1024;
/** A stream up to this size travels with the message about the end. */
const wholeBytes = 64 * 1024;
/** Output is written out at the latest when this much waits. */
const flushBytes = 128 * 1024;

export type StreamName = 'stdout' | 'stderr';

/** Where the output of one task goes: log file, beginnings of the two streams, ring of the last bytes. Bounded in memory. */
export class OutputStore {
  readonly ring = new ByteRing(ringBytes);
  readonly #log: LogFile;
  readonly #streams: Readonly<Record<StreamName, Capture>>;
  #flushed = 0;
  #fault: string | undefined;

  constructor(base: string, maxLogBytes: number, maxCaptureBytes: number) {
    this.#log = new LogFile(base, maxLogBytes);
    this.#streams = {
      stdout: new Capture(`${base}.out`, maxCaptureBytes),
      stderr: new Capture(`${base}.err`, maxCaptureBytes),
    };
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  append(stream: StreamName, chunk: Buffer): void {
    if (this.ring.total - this.#flushed + chunk.length > flushBytes) this.flush();
    this.ring.append(chunk);
    this.#streams[stream].append(chunk);
  }

  /** Brings what was appended onto the disk. A fault is kept and the output goes on without the log. */
  flush(): void {
    const from = Math.max(this.#flushed, this.ring.start);
    const to = this.ring.total;
    this.#flushed = to;
    this.#attempt(() => this.#streams.stdout.flush());
    this.#attempt(() => this.#streams.stderr.flush());
    if (to > from) this.#attempt(() => this.#log.append(this.ring.pieces(from, to)));
  }

  state(stream: StreamName): StreamState {
    return this.#streams[stream].state();
  }

  close(): void {
    this.flush();
    this.#log.close();
    this.#streams.stdout.close();
    this.#streams.stderr.close();
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fault ??= describeError(error);
    }
  }
}

/** The beginning of one stream in a file, and the count of the rest. */
class Capture {
  readonly #path: string;
  readonly #maxBytes: number;
  #fd: number | undefined;
  #bytes = 0;
  #chars = 0;
  #head: Buffer[] = [];
  #pending: Buffer[] = [];

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  append(chunk: Buffer): void {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    this.#chars += countCodePoints(chunk);
    const room = this.#maxBytes - before;
    const part = room > 0 ? Buffer.from(chunk.subarray(0, room)) : undefined; // the chunk is overwritten by the next read
    if (part !== undefined) this.#pending.push(part);
    if (this.#bytes <= wholeBytes) this.#head.push(part ?? Buffer.from(chunk));
    else if (this.#head.length > 0) this.#head = [];
  }

  /** Throws the system's error; what could not be written is not tried again. */
  flush(): void {
    const parts = this.#pending;
    if (parts.length === 0) return;
    this.#pending = [];
    this.#fd ??= openSync(this.#path, 'a', 0o600);
    writeAll(this.#fd, parts);
    if (this.#bytes >= this.#maxBytes) this.close();
  }

  state(): StreamState {
    const { bytes, chars } = { bytes: this.#bytes, chars: this.#chars };
    return bytes <= wholeBytes
      ? { bytes, chars, whole: Buffer.concat(this.#head).toString('base64') }
      : { bytes, chars };
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** Every byte that does not continue a character begins one; for well-formed UTF-8 that is exact. */
export function countCodePoints(chunk: Buffer): number {
  if (isAscii(chunk)) return chunk.length; // native, and nearly all that commands print
  let continuing = 0;
  for (let at = 0; at < chunk.length; at += 1) if (((chunk[at] ?? 0) & 0xc0) === 0x80) continuing += 1;
  return chunk.length - continuing;
}
