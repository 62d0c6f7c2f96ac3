/**
 * GB 18030 bytes of a text, or undefined for a lone surrogate. The tables are the platform decoder's own, turned round once
 * (about 40 ms) when the first such file is met, so encoder and decoder cannot disagree and no table is shipped.
 */
export function encodeGb18030(text: string): Uint8Array | undefined {
  const table = (cached ??= buildTable());
  const out = Buffer.allocUnsafe(text.length * 4);
  let at = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      out[at++] = unit;
      continue;
    }
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const point = text.codePointAt(index) ?? 0;
      if (point < 0x10000) return undefined;
      at = out.writeUInt32BE(fourBytes(supplementaryStart + point - 0x10000), at);
      index += 1;
      continue;
    }
    const code = table[unit] ?? 0;
    if (code === 0) return undefined;
    at = code > 0xffff ? out.writeUInt32BE(code, at) : out.writeUInt16BE(code, at);
  }
  return out.subarray(0, at);
}

let cached: Uint32Array | undefined;

/** 0x81308130 is pointer 0; 0x90308130, where the supplementary planes begin, is pointer 189,000 (Encoding Standard). */
const supplementaryStart = 189_000;
/** Pointers of the basic plane end at 0x8431A439. */
const basicPointers = 39_420;

function fourBytes(pointer: number): number {
  const fourth = pointer % 10;
  const third = Math.floor(pointer / 10) % 126;
  const second = Math.floor(pointer / 1260) % 10;
  const first = Math.floor(pointer / 12_600);
  return (0x81 + first) * 0x1000000 + ((0x30 + second) << 16) + ((0x81 + third) << 8) + 0x30 + fourth;
}

function buildTable(): Uint32Array {
  const table = new Uint32Array(0x10000);
  const decoder = new TextDecoder('gb18030');
  const fill = (codes: readonly number[], width: 2 | 4) => {
    const bytes = Buffer.alloc(codes.length * (width + 1), 10);
    for (const [index, code] of codes.entries()) bytes.writeUIntBE(code, index * (width + 1), width);
    for (const [index, text] of decoder.decode(bytes).split('\n').entries()) {
      const unit = text.charCodeAt(0);
      const code = codes[index];
      // A first entry wins: two-byte codes before four-byte ones, as every writer of the encoding prefers.
      if (text.length === 1 && unit !== 0xfffd && code !== undefined && table[unit] === 0) table[unit] = code;
    }
  };
  const twoBytes: number[] = [];
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) if (trail !== 0x7f) twoBytes.push((lead << 8) | trail);
  }
  fill(twoBytes, 2);
  fill(
    Array.from({ length: basicPointers }, (_, pointer) => fourBytes(pointer)),
    4,
  );
  // U+FFFD itself cannot be told from a failed decoding above: its pointer is 39,417 (0x8431A437).
  table[0xfffd] = fourBytes(39_417);
  return table;
}
