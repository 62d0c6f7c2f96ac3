import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../workspace/sandbox.ts';
import { type GitPort, openRepository, type Repository } from './repository.ts';

export interface DirtySubmodule {
  /** Relative to the repository's `base`. */
  readonly path: string;
  /** The commit that the index names. */
  readonly commit: string;
}

/** More are not looked into: each costs some starts of git. */
const maxSubmodules = 50;
const maxDepth = 3;

/**
 * Submodules with changes of their own, which the outer repository keeps no record of. git itself would look into them with the programs
 * that their configuration names, so each is opened like any other repository: in a folder that is not trusted nothing of it runs.
 */
export async function dirtySubmodules(
  port: GitPort,
  sandbox: Sandbox,
  repository: Repository,
  depth = 0,
): Promise<readonly DirtySubmodule[]> {
  const top = join(repository.base, repository.prefix.replaceAll(/[^/]+/g, '..'));
  if (depth >= maxDepth || !existsSync(join(top, '.gitmodules'))) return [];
  const listed = await repository.read(['ls-files', '--stage', '-z', '--', '.']);
  if (!listed.ok) return [];
  const links = listed.value.stdout
    .split('\0')
    .flatMap((line) => {
      const [, commit, path] = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(line) ?? [];
      return commit === undefined || path === undefined ? [] : [{ path, commit }];
    })
    .slice(0, maxSubmodules);
  const dirty: DirtySubmodule[] = [];
  for (const link of links) {
    const opened = await openRepository(port, sandbox, join(repository.base, link.path));
    // A submodule that was never fetched is an empty folder of the outer repository.
    if (!opened.ok || opened.value.base !== join(repository.base, link.path)) continue;
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=normal', '--ignore-submodules=dirty'];
    const status = await opened.value.read(args, { maxBytes: 1 });
    if (!status.ok) continue;
    if (status.value.stdout !== '' || (await dirtySubmodules(port, sandbox, opened.value, depth + 1)).length > 0)
      dirty.push(link);
  }
  return dirty;
}
