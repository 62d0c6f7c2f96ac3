import * as z from 'zod';

/**
 * The permission levels of the tools, weakest first: `none` runs, `moderate` is asked once a session,
 * `dangerous` is asked each time. The command line's `--allow` and a call's risk use the same words.
 */
export const levels = ['none', 'moderate', 'dangerous'] as const;
export const levelSchema = z.lazy(() => z.enum(levels));
export type Level = (typeof levels)[number];

export function covers(allowed: Level, needed: Level): boolean {
  return levels.indexOf(allowed) >= levels.indexOf(needed);
}
