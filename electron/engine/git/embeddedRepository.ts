import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether git, started in this folder of a project, would obey another repository than the project's: one that lies below it, or
 * the bare inside of one, which a command may have put anywhere (C12). Both paths are real; a folder outside the project is one.
 */
export function isEmbeddedRepository(project: string, folder: string): boolean {
  let at = folder;
  for (; at !== project; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || isGitFolder(at) || at === dirname(at)) return true;
  }
  return !existsSync(join(at, '.git')) && isGitFolder(at);
}

/** As git itself tells one (setup.c, is_git_directory). */
function isGitFolder(folder: string): boolean {
  const has = (name: string) => existsSync(join(folder, name));
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}
