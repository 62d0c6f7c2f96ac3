import { sep } from 'node:path';
import type { Io } from './io.ts';

/** A path as a person at a terminal reads it: below the home folder with `~`. */
export function homePath(path: string, { env }: Pick<Io, 'env'>): string {
  const home = env['HOME'] ?? env['USERPROFILE'];
  if (!home || (path !== home && !path.startsWith(home + sep))) return path;
  return `~${path.slice(home.length)}`;
}
