import { ok, type Result } from '../../../shared/result.ts';
import { commitOf } from '../git/currentBranch.ts';
import type { Repository } from '../git/repository.ts';

/** A command of git that writes; what it printed, without blanks around. Errors: those of git. */
export async function runStep(repository: Repository, args: readonly string[]): Promise<Result<string>> {
  const ran = await repository.write(args);
  return ran.ok ? ok(ran.value.stdout.trim()) : ran;
}

/** How many commits of a branch are on no other branch, remote or tag; 0 where there is no such branch. */
export async function ownCommits(repository: Repository, branch: string): Promise<Result<number>> {
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (!tip.ok || tip.value === null) return tip.ok ? ok(0) : tip;
  const args = ['rev-list', '--count', '--max-count=10000', tip.value];
  // `--all` alone counts the HEAD of each working tree too, and that of the lane is this branch.
  const others = ['--single-worktree', `--exclude=refs/heads/${branch}`, '--exclude=refs/vise/*', '--all'];
  const read = await repository.read([...args, '--not', ...others]);
  return read.ok ? ok(Number(read.value.stdout.trim()) || 0) : read;
}
