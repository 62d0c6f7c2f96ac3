import { copyFileSync, linkSync } from 'node:fs';
import { join } from 'node:path';

/** This Node below a folder: a sandboxed command sees it there, also where it lies in a temporary folder itself. */
export function nodeIn(folder: string): string {
  const place = join(folder, 'node');
  try {
    linkSync(process.execPath, place);
  } catch {
    copyFileSync(process.execPath, place); // on another disk
  }
  return place;
}
