import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, sep } from 'node:path';

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // not there: whoever makes it there decides what it is
  }
}

/**
 * The entries of a PATH for programs that the engine itself starts: absolute, and outside the project, however they lead there.
 * Whatever writes the project (a `.venv/bin` on PATH) would choose the program otherwise (C12).
 */
export function pathOutside(path: string, project: string): string {
  const inside = (folder: string): boolean => `${folder}${sep}`.startsWith(`${project}${sep}`);
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !inside(folder) && !inside(realOf(folder)))
    .join(delimiter);
}
