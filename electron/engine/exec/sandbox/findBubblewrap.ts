import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** By absolute path, and never one that the project (its real path; empty: none) brings (C12). */
export function findBubblewrap(project: string): string | undefined {
  for (const folder of ['/usr/bin', '/bin', ...(process.env['PATH'] ?? '').split(delimiter)]) {
    if (!isAbsolute(folder) || (!['/', ''].includes(project) && `${realFolder(folder)}/`.startsWith(`${project}/`)))
      continue;
    const file = join(folder, 'bwrap');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not here
    }
  }
  return undefined;
}

/** The real path of a folder that is there. */
export function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
