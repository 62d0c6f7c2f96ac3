/**
 * Values as Electron's structured clone would take them, through a channel of text: bytes stay bytes, functions are
 * refused. Both functions are also put into the page as text, so they use nothing but themselves.
 */
export function pack(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one === 'function' || typeof one === 'symbol')
      throw new TypeError(`An object could not be cloned: ${String(one).slice(0, 60)}`);
    if (ArrayBuffer.isView(one)) {
      const bytes = new Uint8Array(one.buffer, one.byteOffset, one.byteLength);
      let text = '';
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return { $bytes: btoa(text) };
    }
    return one === undefined ? { $undefined: true } : one;
  });
}

export function unpack(text: string): unknown {
  return JSON.parse(text, (_name, one: unknown) => {
    if (typeof one !== 'object' || one === null) return one;
    if ('$undefined' in one) return undefined;
    if (!('$bytes' in one) || typeof one.$bytes !== 'string') return one;
    return Uint8Array.from(atob(one.$bytes), (letter) => letter.charCodeAt(0));
  }) as unknown;
}
