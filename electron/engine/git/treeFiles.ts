import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { standingSettings, untrustedEnvironment, untrustedSettings } from './gitEnvironment.ts';

/** Absolute paths; `missing`: there is no such revision; `unclear`: git cannot tell, or there are too many to judge. */
export type TreeFiles = readonly string[] | 'missing' | 'unclear';

const limitMs = 3_000;
const maxBytes = 2 * 1024 * 1024;
const safe = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none'];
/** Looking into a submodule would follow its own configuration. */
const quiet = ['--name-only', '-z', '--no-renames', '--ignore-submodules=all'];

/**
 * The files that differ between two trees of the repository around a folder, for rules that must judge a line before it runs. Waits
 * for git, a few milliseconds, with what an untrusted folder gets. A `to` that is no revision may be a branch of a remote, as
 * `git switch` takes it. Both empty: the files in which HEAD, the index and the working tree are not one. `environment` must be
 * that of git.
 */
export function treeFiles(
  environment: Readonly<Record<string, string>>,
  folder: string,
  from: string,
  to: string,
): TreeFiles {
  const git = (...args: readonly string[]): string | undefined => {
    try {
      return execFileSync('git', [...settings, ...args], {
        cwd: folder,
        env: { ...environment, ...untrustedEnvironment, GIT_OPTIONAL_LOCKS: '0' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: limitMs,
        maxBuffer: maxBytes,
      });
    } catch {
      return undefined;
    }
  };
  const commit = (name: string): string | undefined =>
    git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)?.trim();
  const top = git('rev-parse', '--show-toplevel')?.trim();
  if (top === undefined) return 'missing'; // git does nothing there either
  const absolute = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => text.split('\0').filter(Boolean)).map((path) => join(top, path));
  const base = commit(from || 'HEAD');
  if (from === '' && to === '') {
    // To tell whether a file is the one of the index, git may filter it: by a program that the repository names.
    const filters = git('config', '--show-scope', '--name-only', '--get-regexp', '^filter[.]') ?? '';
    if (/^(?:local|worktree)\b/m.test(filters)) return 'unclear';
    const staged = base === undefined ? '' : git('diff-index', '--cached', ...quiet, base, '--');
    const changed = git('diff-files', ...quiet);
    return staged === undefined || changed === undefined ? 'unclear' : absolute([staged, changed]);
  }
  const ends = [commit(to) ?? []].flat();
  if (ends.length === 0 && !/[*?[\\]/.test(to))
    ends.push(
      ...(git('for-each-ref', '--format=%(objectname)', `refs/remotes/*/${to}`)?.split('\n') ?? []).filter(Boolean),
    );
  if (ends.length === 0) return 'missing';
  if (base === undefined) return 'unclear';
  const named = ends.map((end) => git('diff', ...safe, base, end, '--'));
  return named.every((text) => text !== undefined) ? absolute(named) : 'unclear';
}

const settings = ['--no-pager', ...[...standingSettings, ...untrustedSettings].flatMap((setting) => ['-c', setting])];
