import type { FileHandle } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { readInside } from './openInside.ts';
import type { ResolvedPath } from './sandbox.ts';
import {
  binaryWindowBytes,
  byteOrderMark,
  decodeText,
  decodeWithoutNul,
  type Encoding,
  encodeText,
  looksBinary,
  textAs,
} from './textFile.ts';

export interface LineRange {
  /** The lines with their ends as they stand. */
  readonly content: string;
  /** 1-based; `endLine` is `startLine - 1` when there are none. */
  readonly startLine: number;
  readonly endLine: number;
  /** Of the whole file. */
  readonly lineCount: number;
  readonly sizeBytes: number;
  readonly encoding: Encoding;
  readonly modifiedAt: string;
  /** More lines were asked for than `maxBytes` lets through. */
  readonly truncated: boolean;
}

/** Enough for any answer: results are cut at 200,000 characters anyway. */
const maxRangeBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
const headBytes = 64 * 1024;

/**
 * Lines `offset` (lines to skip) to `offset + limit` of a text file of any size, in memory that does not depend on the
 * size: the file is scanned once for line ends and only the wanted part is kept. Errors: those of opening, BINARY_FILE,
 * CANCELLED.
 */
export function readLines(
  file: ResolvedPath,
  range: {
    readonly offset?: number;
    readonly limit?: number;
    readonly maxBytes?: number;
    /** A larger file is refused. */
    readonly maxFileBytes?: number;
    readonly signal?: AbortSignal;
  },
): Promise<Result<LineRange>> {
  return readInside(file, async ({ handle, stats }) => {
    const { maxFileBytes } = range;
    if (maxFileBytes !== undefined && stats.size > maxFileBytes)
      return fail(
        'FILE_TOO_LARGE',
        `${file.relative} has ${stats.size} bytes, more than ${maxFileBytes}. Read a part of it with offset and limit`,
        { sizeBytes: stats.size, limitBytes: maxFileBytes },
      );
    // The size of a file of /proc is 0, whatever it holds.
    const expected = stats.size === 0 ? headBytes : Math.min(headBytes, stats.size);
    const head = await readAt(handle, Buffer.allocUnsafe(expected), 0);
    const mark = markOf(head, stats.size);
    if (isBinaryHead(head, mark)) return fail('BINARY_FILE', `${file.relative} is binary, not text`);
    const scan = await scanLines(handle, unitOf(head, mark), {
      ...range,
      first: head.subarray(mark?.length ?? 0),
      position: head.length < headBytes ? undefined : head.length,
    });
    if (!scan) return fail('CANCELLED', 'Reading was cancelled');
    const decoded = decodeRange(scan.bytes, head, mark);
    if (!decoded.ok) return decoded;
    const startLine = Math.min(range.offset ?? 0, scan.lineCount) + 1;
    return ok({
      content: decoded.value.text,
      startLine,
      endLine: startLine + scan.taken - 1,
      lineCount: scan.lineCount,
      sizeBytes: stats.size,
      encoding: decoded.value.encoding,
      modifiedAt: stats.mtime.toISOString(),
      truncated: scan.truncated,
    });
  });
}

/** UTF-16 has two bytes a character: what has an odd number of them only looks like it. */
function markOf(head: Buffer, sizeBytes: number): ReturnType<typeof byteOrderMark> {
  const mark = byteOrderMark(head);
  return mark && mark.encoding !== 'utf-8' && sizeBytes % 2 === 1 ? undefined : mark;
}

/** A character of UTF-16 may be cut at the end of the head; that alone makes nothing binary. */
function isBinaryHead(head: Buffer, mark: ReturnType<typeof byteOrderMark>): boolean {
  if (!mark) return head.subarray(0, binaryWindowBytes).includes(0);
  const even = head.length - (head.length % 2);
  return looksBinary(head.subarray(0, even)) && looksBinary(head.subarray(0, even - 2));
}

interface LineUnit {
  readonly width: 1 | 2;
  /** The bytes of a line end. */
  readonly end: Buffer;
}

/** What ends a line: the same rule as splitLines, decided by the first 64 KiB since the end is far away. */
function unitOf(head: Buffer, mark: ReturnType<typeof byteOrderMark>): LineUnit {
  const encoding = mark?.encoding;
  if (encoding === 'utf-16le') return { width: 2, end: Buffer.from([10, 0]) };
  if (encoding === 'utf-16be') return { width: 2, end: Buffer.from([0, 10]) };
  return { width: 1, end: Buffer.from([!head.includes(10) && head.includes(13) ? 13 : 10]) };
}

interface Scan {
  readonly bytes: Buffer;
  readonly lineCount: number;
  readonly taken: number;
  readonly truncated: boolean;
}

async function scanLines(
  handle: FileHandle,
  { width, end }: LineUnit,
  range: {
    readonly offset?: number;
    readonly limit?: number;
    readonly maxBytes?: number;
    readonly signal?: AbortSignal;
    /** What was read already. */
    readonly first: Buffer;
    /** Where to read on; undefined when that was all. */
    readonly position: number | undefined;
  },
): Promise<Scan | undefined> {
  const from = range.offset ?? 0;
  const to = range.limit === undefined ? Infinity : from + range.limit;
  const maxBytes = range.maxBytes ?? maxRangeBytes;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let truncated = false;
  let line = 0;
  let atLineStart = true;
  const keep = (part: Buffer) => {
    if (part.length === 0 || truncated) return;
    const room = maxBytes - keptBytes;
    if (part.length > room) truncated = true;
    const piece = Buffer.from(part.subarray(0, room - (room % width)));
    kept.push(piece);
    keptBytes += piece.length;
  };
  let { first: bytes, position } = range;
  let chunk: Buffer | undefined;
  while (bytes.length > 0) {
    if (range.signal?.aborted) return undefined;
    let keepFrom = line >= from && line < to ? 0 : -1;
    let start = 0;
    for (;;) {
      const at = findEnd(bytes, end, start, width);
      if (at === -1) break;
      start = at + width;
      atLineStart = start === bytes.length;
      line += 1;
      if (line === from) keepFrom = start;
      if (line === to && keepFrom !== -1) {
        keep(bytes.subarray(keepFrom, start));
        keepFrom = -1;
      }
    }
    if (start < bytes.length) atLineStart = false;
    if (keepFrom !== -1) keep(bytes.subarray(keepFrom));
    if (position === undefined) break;
    chunk ??= Buffer.allocUnsafe(chunkBytes);
    bytes = await readAt(handle, chunk, position);
    position = bytes.length < chunk.length ? undefined : position + bytes.length;
  }
  if (!atLineStart) {
    line += 1;
  }
  const all = truncated ? wholeLines(Buffer.concat(kept), end, width) : Buffer.concat(kept);
  return { bytes: all, lineCount: line, taken: countLines(all, end, width), truncated };
}

/** What was cut ends with a whole line where it holds one. */
function wholeLines(bytes: Buffer, end: Buffer, width: number): Buffer {
  let last = bytes.lastIndexOf(end);
  while (last !== -1 && last % width !== 0) last = last === 0 ? -1 : bytes.lastIndexOf(end, last - 1);
  return last === -1 ? bytes : bytes.subarray(0, last + width);
}

function countLines(bytes: Buffer, end: Buffer, width: number): number {
  let count = 0;
  let start = 0;
  for (let at = findEnd(bytes, end, 0, width); at !== -1; at = findEnd(bytes, end, start, width)) {
    count += 1;
    start = at + width;
  }
  return start < bytes.length ? count + 1 : count;
}

function findEnd(bytes: Buffer, end: Buffer, start: number, width: number): number {
  let at = bytes.indexOf(end, start);
  // In UTF-16 the two bytes may also meet across two characters.
  while (at !== -1 && at % width !== 0) at = bytes.indexOf(end, at + 1);
  return at;
}

/** Fills the buffer from `position`, or to the end of the file. */
async function readAt(handle: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** The encoding is the file's, not the part's: judged by its head, unless the part itself says otherwise. */
function decodeRange(
  bytes: Buffer,
  head: Buffer,
  mark: ReturnType<typeof byteOrderMark>,
): Result<{ readonly text: string; readonly encoding: Encoding }> {
  if (mark) return ok({ text: textAs(mark.encoding, bytes), encoding: mark.encoding });
  const whole = decodeText(trimPartial(head));
  const encoding = whole.ok ? whole.value.encoding : 'utf-8';
  const part = trimPartial(bytes);
  if (encoding !== 'utf-8') {
    const text = textAs(encoding, part);
    const again = encodeText(text, { encoding, bom: false });
    if (again.ok && Buffer.compare(again.value, part) === 0) return ok({ text, encoding });
  }
  // Only the first bytes of a file make it binary: a NUL further behind is a character.
  return ok(decodeWithoutNul(part, false));
}

/** Without the beginning of a UTF-8 character that was cut at the end. */
function trimPartial(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
