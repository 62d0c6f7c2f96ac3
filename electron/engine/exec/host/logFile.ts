import { closeSync, openSync, readSync, renameSync, writeSync } from 'node:fs';

/**
 * The log of one task on disk, in at most two files of half the limit each: when the current one is full it becomes
 * `.1.log`, the one before is gone, and the new one begins with a line that says how much came before. Written at once, so that a killed host loses nothing it had read.
 */
export class LogFile {
  readonly path: string;
  readonly #older: string;
  readonly #half: number;
  #fd: number | undefined;
  #inFile = 0;
  #before = 0;
  #kept = 0;

  constructor(base: string, maxBytes: number) {
    this.path = `${base}.log`;
    this.#older = `${base}.1.log`;
    this.#half = Math.max(1, Math.floor(maxBytes / 2));
  }

  /** Throws the system's error (a folder that is gone). Needless before `append`. */
  open(): number {
    this.#fd ??= openSync(this.path, 'a+', 0o600);
    return this.#fd;
  }

  /** Whether the chunk goes into the current file. */
  hasRoom(chunk: Uint8Array): boolean {
    return this.#inFile === 0 || this.#inFile + chunk.length <= this.#half;
  }

  /** Throws the system's error (a full disk, a folder that is gone). */
  append(chunk: Uint8Array): void {
    if (!this.hasRoom(chunk)) this.#rotate();
    writeAll(this.open(), chunk);
    this.#inFile += chunk.length;
  }

  /** The first bytes of a log that was not rotated yet. Throws the system's error. */
  beginning(maxBytes: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.min(maxBytes, this.#inFile));
    let size = 0;
    for (let got = 1; got > 0 && size < bytes.length; size += got)
      got = readSync(this.open(), bytes, size, bytes.length - size, size);
    return bytes.subarray(0, size);
  }

  #rotate(): void {
    this.close();
    renameSync(this.path, this.#older);
    const dropped = this.#before;
    this.#before += this.#inFile;
    this.#kept = this.#inFile;
    this.#inFile = 0;
    const name = this.#older.slice(Math.max(this.#older.lastIndexOf('/'), this.#older.lastIndexOf('\\')) + 1);
    const lost = dropped > 0 ? `; the first ${dropped} bytes were dropped` : '';
    const mark = `[vise: ${this.#before} bytes came before this line, the last ${this.#kept} of them are in ${name}${lost}]\n`;
    writeSync(this.open(), mark);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** Throws the system's error. A short write happens when the disk is nearly full; the next one tells. */
export function writeAll(fd: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
}
