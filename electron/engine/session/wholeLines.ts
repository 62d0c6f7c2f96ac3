import { fstatSync, readSync } from 'node:fs';

/** As much is read at once; a journal may be larger than any text can be. */
const chunkBytes = 4 * 1024 * 1024;
/** No fact is as long; a longer line is none. */
const maxLineBytes = 64 * 1024 * 1024;

/**
 * Gives each whole line of an open file from a byte on until `take` answers false; answers the bytes up to the end of the
 * last one. Throws the system's error.
 */
export function eachWholeLine(file: number, take: (text: string) => boolean, fromBytes = 0): number {
  const left = Math.max(1, fstatSync(file).size - fromBytes);
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, left));
  let rest: Buffer[] = [];
  let restBytes = 0;
  let position = fromBytes;
  let wholeBytes = fromBytes;
  for (;;) {
    const size = readSync(file, buffer, 0, buffer.length, position);
    if (size === 0) return wholeBytes;
    let from = 0;
    for (let end = buffer.indexOf(10); end !== -1 && end < size; end = buffer.indexOf(10, from)) {
      const isTooLong = restBytes + end - from > maxLineBytes;
      const last = buffer.subarray(from, end);
      const text = isTooLong
        ? 'too long'
        : (rest.length === 0 ? last : Buffer.concat([...rest, last])).toString('utf8');
      from = end + 1;
      wholeBytes = position + from;
      rest = [];
      restBytes = 0;
      if (!take(text)) return wholeBytes;
    }
    restBytes += size - from;
    if (restBytes <= maxLineBytes) rest.push(Buffer.from(buffer.subarray(from, size)));
    else rest = [];
    position += size;
  }
}

/** How many lines end before a byte. */
export function linesBefore(file: number, bytes: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, bytes)));
  let lines = 0;
  for (let position = 0; position < bytes; ) {
    const size = readSync(file, buffer, 0, Math.min(buffer.length, bytes - position), position);
    if (size === 0) return lines;
    for (let at = buffer.indexOf(10); at !== -1 && at < size; at = buffer.indexOf(10, at + 1)) lines += 1;
    position += size;
  }
  return lines;
}
