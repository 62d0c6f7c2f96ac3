import { setTimeout as after } from 'node:timers/promises';

/**
 * Waits until `look` gives something other than undefined, null or false, and gives that. Looks every 25 ms; after
 * `limitMs` (60 s) it throws and says what was waited for and, with `report`, what was there instead.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { limitMs = 60_000, report }: { readonly limitMs?: number; readonly report?: () => string } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline)
      throw new Error(`Waited ${limitMs} ms in vain for ${what}.${report ? `\n${report()}` : ''}`);
    await after(25);
  }
}
