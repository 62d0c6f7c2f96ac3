/** What UTF-16 and UTF-8 order differently has one of these at the first difference. */
const unusual = /[\ud800-\uffff]/;

/** Orders texts as their UTF-8 bytes would be ordered, without encoding them. */
export function compareBytes(a: string, b: string): number {
  // The engine compares twice as fast as a loop over both, and knows at once that Latin-1 holds nothing unusual.
  if (!unusual.test(a) && !unusual.test(b)) return a < b ? -1 : a === b ? 0 : 1;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates below U+E000; UTF-8 puts what they stand for above U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
