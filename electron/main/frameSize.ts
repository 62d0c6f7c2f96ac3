/** Each value counts like a few characters, so that a crowd of empty ones is not free. */
const charsAValue = 8;
/** Deeper than any frame of the contract; a frame may hold what a tool takes, which is JSON of a person's making. */
const deepest = 200;

/**
 * Whether what a page has sent stays within `maxChars`, counted as its text would be (S4). It looks no further than the
 * limit, so what is refused costs no more than what is taken.
 */
export function isWithin(value: unknown, maxChars: number): boolean {
  let left = maxChars;
  const take = (one: unknown, depth: number): boolean => {
    left -= charsAValue;
    if (typeof one === 'string') left -= one.length;
    else if (ArrayBuffer.isView(one)) left -= one.byteLength;
    if (left < 0 || depth > deepest) return false;
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) return true;
    if (Array.isArray(one)) return one.every((item) => take(item, depth + 1));
    // A structured clone may hold maps and the like, whose content would not be seen here; no frame has any.
    if (Object.prototype.toString.call(one) !== '[object Object]') return false;
    return Object.entries(one).every(([name, item]) => take(name, depth + 1) && take(item, depth + 1));
  };
  return take(value, 0);
}
