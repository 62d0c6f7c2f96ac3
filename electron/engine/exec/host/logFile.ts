import { closeSync, fstatSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';

/** How far a log has come: enough to go on with it after the process that wrote it has died. */
export interface LogState {
  /** Which file is the current one: it is renamed when it is full. Empty before the first byte. */
  readonly file: string;
  /** Of the line at its beginning that says what came before. */
  readonly head: number;
  readonly inFile: number;
  readonly before: number;
  readonly kept: number;
}

/**
 * The log of one task on disk, in at most two files of half the limit each: when the current one is full it becomes
 * `.1.log`, the one before is gone, and the new one begins with a line that says how much came before. The file is made with
 * the first byte. Written at once, so that a killed host loses nothing it had read.
 */
export class LogFile {
  readonly path: string;
  readonly #older: string;
  readonly #half: number;
  #fd: number | undefined;
  #file = '';
  #head = 0;
  #inFile = 0;
  #before = 0;
  #kept = 0;

  constructor(base: string, maxBytes: number) {
    this.path = `${base}.log`;
    this.#older = `${base}.1.log`;
    this.#half = Math.max(1, Math.floor(maxBytes / 2));
  }

  /** Takes back what was written after `state`, so that it can be written again. Throws the system's error. */
  static goOn(base: string, maxBytes: number, state: LogState): LogFile {
    const log = new LogFile(base, maxBytes);
    if (state.file === '') rmSync(log.path, { force: true });
    else if (fileOf(log.#older) === state.file) renameSync(log.#older, log.path); // it was rotated in the meantime
    if (fileOf(log.path) === state.file) {
      cutBack(log.path, state.head + state.inFile);
      log.#head = state.head;
      log.#inFile = state.inFile;
    }
    log.#before = state.before;
    log.#kept = state.kept;
    return log;
  }

  get state(): LogState {
    return { file: this.#file, head: this.#head, inFile: this.#inFile, before: this.#before, kept: this.#kept };
  }

  /** Throws the system's error (a full disk, a folder that is gone). */
  append(chunk: Uint8Array): void {
    if (this.#inFile > 0 && this.#inFile + chunk.length > this.#half) this.#rotate();
    const fd = this.#fd ?? this.#open();
    try {
      writeAll(fd, chunk);
      this.#inFile += chunk.length;
    } catch (error) {
      this.#inFile = fstatSync(fd).size - this.#head; // a part of it may have been written
      throw error;
    }
  }

  #open(): number {
    const fd = openSync(this.path, 'a', 0o600);
    this.#fd = fd;
    this.#file = String(fstatSync(fd, { bigint: true }).ino);
    return fd;
  }

  #rotate(): void {
    this.close();
    renameSync(this.path, this.#older);
    const dropped = this.#before;
    this.#before += this.#inFile;
    this.#kept = this.#inFile;
    this.#inFile = 0;
    this.#head = 0;
    const fd = this.#open();
    const name = this.#older.slice(Math.max(this.#older.lastIndexOf('/'), this.#older.lastIndexOf('\\')) + 1);
    const lost = dropped > 0 ? `; the first ${dropped} bytes were dropped` : '';
    const mark = `[vise: ${this.#before} bytes came before this line, the last ${this.#kept} of them are in ${name}${lost}]\n`;
    writeSync(fd, mark);
    this.#head = mark.length;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function fileOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : String(found.ino);
}

/** Throws the system's error, but for a file that is not there. */
export function cutBack(path: string, sizeBytes: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && found.size > sizeBytes) truncateSync(path, sizeBytes);
}

/** Throws the system's error. A short write happens when the disk is nearly full; the next one tells. */
export function writeAll(fd: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
}
