/** `20261121-120304-1a2b3c4d`: sorts by time, unique by 32 random bits, safe as a file name. */
export function datedId(nowMs: number): string {
  const iso = new Date(nowMs).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}-${randomText(8, hex)}`;
}

/** A short id that is unique within one session: a prefix and 40 random bits. */
export function shortId(prefix: string): string {
  return `${prefix}_${randomText(10, hex)}`;
}

const hex = '0123456789abcdef';

/**
 * Random characters of an alphabet, for what must be unique and need not be secret: `node:crypto` would cost each start
 * 4 ms, and V8 seeds this generator from the system's.
 */
export function randomText(length: number, alphabet: string): string {
  let text = '';
  for (let at = 0; at < length; at += 1) text += alphabet[Math.floor(Math.random() * alphabet.length)];
  return text;
}
