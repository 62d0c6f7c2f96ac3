import { existsSync, rmSync } from 'node:fs';
import type { LaneRecord } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { commitOf } from '../git/currentBranch.ts';
import type { Repository } from '../git/repository.ts';
import { ownCommits, runStep } from './gitSteps.ts';
import { filesOfLane } from './laneFiles.ts';
import { baseRef, type LaneDeps, openRepositoryOf } from './lanePlaces.ts';

const shownFiles = 5;

/** What of a lane is in no commit and not in the home project. Errors: those of reading it. */
export async function notHome(deps: LaneDeps, record: LaneRecord): Promise<Result<readonly string[]>> {
  if (!existsSync(record.tree)) return ok([]);
  const files = await filesOfLane(deps, record);
  return files.ok ? ok(files.value.filter(({ isHome }) => !isHome).map(({ entry }) => entry.path)) : files;
}

/** The refusal of a lane that holds what the project does not. */
export function stillHas(name: string, files: readonly string[]): Result<never> {
  const named = files.slice(0, shownFiles).join(', ');
  const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : '';
  return fail(
    'CONFLICT',
    `The lane ${name} holds what the project does not: ${named}${more}. Bring it home first, or close it and let this go.`,
    { files },
  );
}

/**
 * Takes away the working tree of a lane, and its branch where no commit is on it alone. The record goes last, or stays as
 * `closed` with those commits. May be done again after a crash at any step. Errors: those of git.
 */
export async function removeLane(deps: LaneDeps, record: LaneRecord): Promise<Result<'gone' | 'closed'>> {
  const home = await openRepositoryOf(deps, record.home);
  if (!home.ok) return home;
  const { repository } = home.value;
  const removed = await removeTree(repository, record);
  if (!removed.ok) return removed;
  const commits = await ownCommits(repository, record.branch);
  if (!commits.ok) return commits;
  if (commits.value > 0) {
    deps.records.write({ ...record, state: 'closed', session: null });
    return ok('closed');
  }
  const dropped = await dropBranch(repository, record);
  if (!dropped.ok) return dropped;
  deps.records.remove(record);
  return ok('gone');
}

/** The last commits of a closed lane go. Errors: those of git. */
export async function letGo(deps: LaneDeps, record: LaneRecord): Promise<Result<void>> {
  const home = await openRepositoryOf(deps, record.home);
  const dropped = home.ok ? await dropBranch(home.value.repository, record) : home;
  if (!dropped.ok) return dropped;
  deps.records.remove(record);
  return ok(undefined);
}

async function removeTree(repository: Repository, { tree }: LaneRecord): Promise<Result<void>> {
  // First, since git refuses a tree that a crash has left half made; of one that is missing it forgets what it had written down.
  rmSync(tree, { recursive: true, force: true });
  const listed = await repository.read(['worktree', 'list', '--porcelain', '-z']);
  if (!listed.ok) return listed;
  if (!listed.value.stdout.split('\0').includes(`worktree ${tree}`)) return ok(undefined);
  // Twice: also one that is locked, as it is while it is made.
  const removed = await runStep(repository, ['worktree', 'remove', '--force', '--force', '--', tree]);
  return removed.ok ? ok(undefined) : removed;
}

async function dropBranch(repository: Repository, { branch, name }: LaneRecord): Promise<Result<void>> {
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (!tip.ok) return tip;
  if (tip.value !== null) {
    // By its value: commits that came meanwhile are not lost.
    const deleted = await runStep(repository, ['update-ref', '-d', `refs/heads/${branch}`, tip.value]);
    if (!deleted.ok) return deleted;
  }
  const dropped = await runStep(repository, ['update-ref', '-d', baseRef(name)]);
  return dropped.ok ? ok(undefined) : dropped;
}
