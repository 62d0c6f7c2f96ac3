import { execFileSync } from 'node:child_process';
import { root } from './project.mjs';

/**
 * What is built, for `vise version`: the commit with its date, and whether files differ from it (`7d02d47, 2026-11-22, changed`).
 * Undefined where there is no git or no repository of ours, as in an unpacked archive.
 */
export function buildMark(folder = root): string | undefined {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // An archive that lies in another's repository is not that repository's.
    if (git('rev-parse', '--show-prefix') !== '') return undefined;
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('log', '-1', '--format=%h, %cs')}${isChanged ? ', changed' : ''}`;
  } catch {
    return undefined;
  }
}
