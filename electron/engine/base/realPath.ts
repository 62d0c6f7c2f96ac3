import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** More links in a row are a circle. */
const maxLinks = 40;

/**
 * Where an absolute path leads when its links are followed, as far as it exists; links that lead nowhere are followed by
 * name. The path itself where that cannot be found out. Synchronous, for judgements that may not wait.
 */
export function realPath(path: string, links = 0): string {
  let at = path;
  let rest = '';
  try {
    for (;;) {
      const found = lstatSync(at, { throwIfNoEntry: false });
      if (found?.isSymbolicLink() && links < maxLinks)
        return join(realPath(resolve(dirname(at), readlinkSync(at)), links + 1), rest);
      if (found) return join(realpathSync.native(at), rest);
      const parent = dirname(at);
      if (parent === at) return path;
      rest = join(basename(at), rest);
      at = parent;
    }
  } catch {
    return path;
  }
}
