/** Lists and objects down to here become text entry by entry: an answer's value, its timeline, its chunks, their items. */
const splitDepth = 4;

/**
 * `Buffer.from(JSON.stringify(value))`, without one text of all of it on the way. A part of a long session would be half a
 * megabyte or more: V8 gives such a text a place of its own, moves it to the old generation at the first look, and lets it lie
 * there until it collects everything; after a hundred parts these texts were a third of all memory.
 */
export function jsonBytes(value: object): Buffer<ArrayBuffer> {
  const pieces: string[] = [];
  write(value, splitDepth, pieces);
  return bytesOf(pieces);
}

/** The texts one after the other, as UTF-8. */
export function bytesOf(pieces: readonly string[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}

function write(value: unknown, depth: number, pieces: string[]): void {
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    pieces.push(JSON.stringify(value) ?? 'null');
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  const entries: Iterable<readonly [unknown, unknown]> = isList ? value.entries() : Object.entries(value);
  for (const [name, entry] of entries) {
    const isLeftOut = entry === undefined || typeof entry === 'function' || typeof entry === 'symbol';
    if (!isList && isLeftOut) continue;
    pieces.push(isList ? before : `${before}${JSON.stringify(name)}:`);
    before = ',';
    write(entry, depth - 1, pieces);
  }
  const open = isList ? '[' : '{';
  pieces.push(`${before === ',' ? '' : open}${isList ? ']' : '}'}`);
}
