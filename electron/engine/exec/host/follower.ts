import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { CopierEnd } from './copierChannel.ts';
import type { CopyFolder } from './copyFolder.ts';
import type { StreamName } from './outputStore.ts';
import { openSegments, segmentPath } from './segments.ts';

/** Small pieces are gathered for this long: each costs four calls of the system. */
const gatherMs = 2;

/** Who copies the stream that is followed. */
export interface Followed {
  readonly copies: string;
  onEnd(stream: StreamName, heard: (end: CopierEnd) => void): void;
  begin(stream: StreamName, segment: number): boolean;
  look(stream: StreamName): void;
}

export interface FollowerListener {
  /** Read at this place. `chunk` is overwritten after the call. */
  output(chunk: Buffer, segment: number, offset: number): void;
  /** All of a segment has been told, and it will be removed. */
  passed(segment: number): void;
  /** All that was copied has been told. */
  ended(end: CopierEnd): void;
}

/** Reads what a copier writes, one stream of a command, as it grows. */
export class Follower {
  readonly #copier: Followed;
  readonly #stream: StreamName;
  readonly #listener: FollowerListener;
  readonly #folder: CopyFolder;
  readonly #buffer: Buffer;
  #unwatch: () => void = () => undefined;
  #segment = 0;
  #offset = 0;
  #fd: number | undefined;
  /** Segments that were begun, and those of them that are complete. */
  #begun = 1;
  #complete = 0;
  #end: CopierEnd | undefined;
  #pumped = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #closed = false;

  /** `buffer` is used while `output` is called, not longer. */
  constructor(copier: Followed, stream: StreamName, folder: CopyFolder, buffer: Buffer, listener: FollowerListener) {
    this.#copier = copier;
    this.#stream = stream;
    this.#folder = folder;
    this.#buffer = buffer;
    this.#listener = listener;
    this.#watch();
    copier.onEnd(stream, (end) => this.#ended(end));
  }

  /** Stops following. */
  close(): void {
    this.#closed = true;
    this.#unwatch();
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#closeFile();
  }

  /** To be called after its end. */
  removeCopies(): void {
    for (let at = this.#segment; at < this.#begun; at += 1)
      rmSync(segmentPath(this.#copier.copies, this.#stream, at), { force: true });
  }

  #watch(): void {
    this.#unwatch = this.#folder.watch(basename(this.#path), {
      grown: () => this.#soon(),
      look: () => {
        this.#copier.look(this.#stream);
        this.#soon();
      },
    });
    this.#soon(); // it may have grown before
  }

  #ended(end: CopierEnd): void {
    this.#complete = this.#begun;
    if (end.how !== 'full') this.#end = end;
    this.#goOn();
    this.#now();
  }

  /** Lets the copier go on as long as no more than two segments are on the disk. */
  #goOn(): void {
    if (this.#end !== undefined || this.#begun > this.#complete || this.#begun - this.#segment >= openSegments) return;
    if (this.#copier.begin(this.#stream, this.#begun)) this.#begun += 1;
    else this.#end = { how: 'failed' }; // nothing is missing so far
  }

  #soon(): void {
    if (this.#closed || this.#timer !== undefined || this.#immediate !== undefined) return;
    const wait = this.#pumped + gatherMs - performance.now();
    if (wait <= 0) this.#now();
    else this.#timer = setTimeout(() => this.#now(), wait);
  }

  #now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#closed) this.#immediate ??= setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#immediate = undefined;
    this.#pumped = performance.now();
    const complete = this.#segment < this.#complete;
    const size = this.#read();
    if (size > 0) {
      const at = this.#offset;
      this.#offset += size;
      this.#listener.output(this.#buffer.subarray(0, size), this.#segment, at);
      if (complete || size === this.#buffer.length) this.#now();
    } else if (complete) this.#pass();
  }

  /** Nothing more comes of this segment. */
  #pass(): void {
    const passed = this.#segment;
    const path = this.#path;
    this.#closeFile();
    this.#unwatch();
    if (this.#segment + 1 === this.#begun && this.#end !== undefined) {
      this.close();
      this.#listener.ended(this.#end);
      return;
    }
    this.#segment += 1;
    this.#offset = 0;
    this.#listener.passed(passed);
    rmSync(path, { force: true });
    this.#goOn();
    this.#watch();
  }

  #read(): number {
    try {
      this.#fd ??= openSync(this.#path, 'r');
      return readSync(this.#fd, this.#buffer, 0, this.#buffer.length, this.#offset);
    } catch {
      return 0; // not begun yet, or it cannot be read: then its copier ends, too
    }
  }

  #closeFile(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  get #path(): string {
    return segmentPath(this.#copier.copies, this.#stream, this.#segment);
  }
}
