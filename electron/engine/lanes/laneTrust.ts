import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Trust } from '../../../shared/model/workbench.ts';
import { projectRisks } from '../project/trust.ts';
import type { LaneRecords } from './laneRecords.ts';

/**
 * The trust of a project counts for its lanes, as long as all that could run or steer there is byte for byte what was
 * trusted, and the lane is still a working tree of the same repository.
 */
export function trustWithLanes(
  records: Pick<LaneRecords, 'ofFolder'>,
  trustOf: (project: string) => Promise<Trust>,
): (project: string) => Promise<Trust> {
  return async (project) => {
    const lane = records.ofFolder(project);
    if (!lane) return trustOf(project);
    if ((await trustOf(lane.home)) !== 'trusted' || !(await isTreeOf(lane.tree, lane.home))) return 'restricted';
    const [trusted, here] = await Promise.all([projectRisks(lane.home), projectRisks(project, lane.home)]);
    return trusted.hash === here.hash ? 'trusted' : 'restricted';
  };
}

/** The folder and its repository name each other (gitrepository-layout: worktrees/NAME/gitdir, commondir). */
async function isTreeOf(tree: string, home: string): Promise<boolean> {
  const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  const pointed = /^gitdir: (.+)\n?$/.exec(await text(join(tree, '.git')))?.[1];
  if (pointed === undefined || (await text(join(pointed, 'gitdir'))).trim() !== join(tree, '.git')) return false;
  const common = join(pointed, (await text(join(pointed, 'commondir'))).trim());
  for (let folder = home; ; folder = dirname(folder)) {
    if (common === join(folder, '.git')) return true;
    // A home that is a linked working tree itself has a file there.
    const own = /^gitdir: (.+)\n?$/.exec(await text(join(folder, '.git')))?.[1];
    if (own !== undefined) return common === join(own, (await text(join(own, 'commondir'))).trim());
    if (dirname(folder) === folder) return false;
  }
}
