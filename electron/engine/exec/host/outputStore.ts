import { isAscii } from 'node:buffer';
import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
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
 * was appended is with the operating system when the call returns: a host that is killed takes along only what it gathered.
 *
 * As long as there is no `.out`, all of the log is stdout: most commands never print to stderr, and are spared a file.
 */
export class OutputStore {
  readonly #ring = new ByteRing(ringBytes);
  readonly #base: string;
  readonly #maxCaptureBytes: number;
  readonly #log: LogFile;
  readonly #streams: Readonly<Record<StreamName, Capture>>;
  #apart = false;
  #fault: string | undefined;

  constructor(base: string, maxLogBytes: number, maxCaptureBytes: number) {
    this.#base = base;
    this.#maxCaptureBytes = maxCaptureBytes;
    this.#log = new LogFile(base, maxLogBytes);
    this.#streams = {
      stdout: new Capture(`${base}.out`, maxCaptureBytes),
      stderr: new Capture(`${base}.err`, maxCaptureBytes),
    };
  }

  /** The last of the output. */
  get ring(): ByteRing {
    flushOf(this);
    return this.#ring;
  }

  /** Why the files are incomplete: the first fault. The output goes on without them. */
  get fault(): string | undefined {
    flushOf(this);
    return this.#fault;
  }

  /** Makes the log, which takes some time: while the command comes up nobody waits for it. */
  open(): void {
    this.#attempt(() => this.#log.open());
    if (this.#maxCaptureBytes === 0) this.#attempt(() => this.#takeApart());
  }

  /**
   * Takes what was read until `flush`, which is due in the same round of the event loop: a terminal gives 4 KB at a time, and a
   * flood would pay for a write of each. `chunk` may be overwritten after the call.
   */
  gather(stream: StreamName, chunk: Buffer): void {
    if (gathered.store !== this || gathered.stream !== stream || gathered.size + chunk.length > gathered.bytes.length)
      flushGathered();
    if (chunk.length > gathered.bytes.length) {
      this.append(stream, chunk);
      return;
    }
    chunk.copy(gathered.bytes, gathered.size);
    gathered.size += chunk.length;
    gathered.store = this;
    gathered.stream = stream;
  }

  flush(): void {
    flushOf(this);
  }

  /** `chunk` may be overwritten after the call. */
  append(stream: StreamName, chunk: Buffer): void {
    flushOf(this);
    if (!this.#apart && (stream === 'stderr' || !this.#log.hasRoom(chunk))) this.#attempt(() => this.#takeApart());
    this.#attempt(() => this.#log.append(chunk));
    const capture = this.#streams[stream];
    if (this.#apart) this.#attempt(() => capture.write(chunk));
    capture.count(chunk);
    this.#ring.append(chunk);
  }

  state(stream: StreamName): StreamState {
    flushOf(this);
    return this.#streams[stream].state();
  }

  close(): void {
    flushOf(this);
    this.#log.close();
    this.#streams.stdout.close();
    this.#streams.stderr.close();
  }

  /** From now on each stream has a file of its own. It is there at once with what was printed so far, for those who read it now. */
  #takeApart(): void {
    this.#apart = true;
    const fresh = `${this.#base}.out.new`;
    writeFileSync(fresh, this.#log.beginning(this.#maxCaptureBytes), { mode: 0o600 });
    renameSync(fresh, `${this.#base}.out`);
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fault ??= describeError(error);
    }
  }
}

/** What was read and not yet written: of one stream of one task at a time. */
const gathered: { readonly bytes: Buffer; size: number; store: OutputStore | undefined; stream: StreamName } = {
  bytes: Buffer.allocUnsafeSlow(64 * 1024),
  size: 0,
  store: undefined,
  stream: 'stdout',
};

function flushGathered(): void {
  const { store, stream, bytes, size } = gathered;
  gathered.store = undefined;
  gathered.size = 0;
  store?.append(stream, bytes.subarray(0, size));
}

function flushOf(store: OutputStore): void {
  if (gathered.store === store) flushGathered();
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

  /** To be called before `count`. Throws the system's error; what could not be written is not tried again. */
  write(chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytes;
    if (room <= 0) {
      this.close();
      return;
    }
    this.#fd ??= openSync(this.#path, 'a', 0o600);
    writeAll(this.#fd, room < chunk.length ? chunk.subarray(0, room) : chunk);
  }

  count(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#chars += countCodePoints(chunk);
    if (this.#bytes <= wholeBytes) this.#head.push(Buffer.from(chunk));
    else if (this.#head.length > 0) this.#head = [];
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
