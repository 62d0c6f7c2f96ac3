import { randomBytes } from 'node:crypto';

/** `20261121-120304-1a2b3c4d`: sorts by time, unique by 32 random bits, safe as a file name. */
export function datedId(nowMs: number): string {
  const iso = new Date(nowMs).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}-${randomBytes(4).toString('hex')}`;
}

/** A short id that is unique within one session: a prefix and 40 random bits. */
export function shortId(prefix: string): string {
  return `${prefix}_${randomBytes(5).toString('hex')}`;
}
