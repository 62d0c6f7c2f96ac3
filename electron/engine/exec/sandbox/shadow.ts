import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findBubblewrap } from './findBubblewrap.ts';

/**
 * How a command is kept to a copy of the project. `mounted`: the copy stands at the project's own path, all else is read-only
 * (bubblewrap). `confined`: it works where the copy lies, all else is read-only (macOS). `bare`: it works where the copy lies,
 * and nothing holds it there.
 */
export type ShadowWay = 'mounted' | 'confined' | 'bare';

/** A copy of a project that a command may change in place of the project. */
export interface Shadow {
  /** Real path of the copy. */
  readonly tree: string;
  readonly way: ShadowWay;
  /** Folders of the project, relative to it, that the copy links to instead of holding them. */
  readonly linked: readonly string[];
  /** Folders of programs of ours that the command runs: seen inside also where they lie below a temporary folder. */
  readonly programs?: readonly string[];
}

/** Where the linked folders of a mounted copy lie inside the sandbox, by their path in the project. */
const linkedPlace = '/run/vise-project';

/** Where links of a copy lead that stand for a folder of the project. */
export function linkTarget(way: ShadowWay, project: string, path: string): string {
  return join(way === 'mounted' ? linkedPlace : project, path);
}

/** The mounts that put a copy in the place of the project; git's own folder is there to be read. */
export function shadowMounts(project: string, { linked }: Shadow): readonly string[] {
  const git = join(project, '.git');
  return [
    ...linked.flatMap((path) => ['--ro-bind', join(project, path), join(linkedPlace, path)]),
    ...(existsSync(git) ? ['--ro-bind', git, git] : []),
  ];
}

/** The folder of the copy that stands for one of the project; itself where the copy is mounted. */
export function inShadow({ tree, way }: Shadow, project: string, folder: string): string {
  return way === 'mounted' ? folder : join(tree, relative(project, folder));
}

let known: ShadowWay | undefined;

/** What this system can do, tried once: containers often forbid what bubblewrap needs. */
export function shadowWay(): ShadowWay {
  known ??= findWay();
  return known;
}

function findWay(): ShadowWay {
  if (process.platform === 'darwin') return existsSync('/usr/bin/sandbox-exec') ? 'confined' : 'bare';
  const program = process.platform === 'linux' ? findBubblewrap('') : undefined;
  if (program === undefined) return 'bare';
  const tried = spawnSync(program, ['--unshare-user', '--disable-userns', '--ro-bind', '/', '/', 'true'], {
    stdio: 'ignore',
    timeout: 5_000,
  });
  return tried.status === 0 ? 'mounted' : 'bare';
}
