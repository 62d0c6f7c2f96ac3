/**
 * Tells which words a text surely does not hold (a Bloom filter over its runs of `\w` and `$`), in a thirtieth of its size.
 * Made byte by byte, 100 MB in less than a second.
 */
export function wordFilterOf(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const filter = new Uint8Array(2 ** Math.max(6, Math.ceil(Math.log2(bytes.length / 32 + 1))));
  let hash = seed;
  let length = 0;
  for (const byte of bytes) {
    if (isWordByte[byte] === 1) {
      hash = Math.imul(hash ^ byte, prime);
      length += 1;
    } else if (length > 0) {
      add(filter, hash);
      hash = seed;
      length = 0;
    }
  }
  if (length > 0) add(filter, hash);
  return filter;
}

/** False only when no word of the text is this one. A name with other characters may always be there. */
export function mayHoldWord(filter: Uint8Array, name: string): boolean {
  if (!/^[\w$]+$/.test(name)) return true;
  let hash = seed;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, prime);
  return bitsOf(filter, hash).every((bit) => ((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
}

// FNV-1a.
const seed = 0x811c9dc5;
const prime = 0x01000193;

const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w$]/.test(String.fromCharCode(byte)) ? 1 : 0));

function add(filter: Uint8Array, hash: number): void {
  for (const bit of bitsOf(filter, hash)) filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
}

/** The size is a power of two. */
function bitsOf(filter: Uint8Array, hash: number): readonly number[] {
  const mask = filter.length * 8 - 1;
  const second = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return [hash & mask, (hash + second) & mask, (hash + 2 * second) & mask];
}
