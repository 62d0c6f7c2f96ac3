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

export type StreamName = 'stdout' | 'stderr';

/**
 * Where the output of one task goes: log file, beginnings of the two streams, ring of the last bytes. Bounded in memory. What
 * was appended is with the operating system when the call returns: a host that is killed takes none of it along.
 */
export class OutputStore {
  readonly ring = new ByteRing(ringBytes);
  readonly #log: LogFile;
  readonly #streams: Readonly<Record<StreamName, Capture>>;
  #fault: string | undefined;

  constructor(base: string, maxLogBytes: number, maxCaptureBytes: number) {
    this.#log = new LogFile(base, maxLogBytes);
    this.#streams = {
      stdout: new Capture(`${base}.out`, maxCaptureBytes),
      stderr: new Capture(`${base}.err`, maxCaptureBytes),
    };
  }

  /** Why the files are incomplete: the first fault. The output goes on without them. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** `chunk` may be overwritten after the call. */
  append(stream: StreamName, chunk: Buffer): void {
    this.#attempt(() => this.#log.append(chunk));
    this.#attempt(() => this.#streams[stream].append(chunk));
    this.ring.append(chunk);
  }

  state(stream: StreamName): StreamState {
    return this.#streams[stream].state();
  }

  close(): void {
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

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Throws the system's error after having counted; what could not be written is not tried again. */
  append(chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += chunk.length;
    this.#chars += countCodePoints(chunk);
    if (this.#bytes <= wholeBytes) this.#head.push(Buffer.from(chunk));
    else if (this.#head.length > 0) this.#head = [];
    if (room <= 0) return;
    this.#fd ??= openSync(this.#path, 'a', 0o600);
    writeAll(this.#fd, room < chunk.length ? chunk.subarray(0, room) : chunk);
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
