import { execFileSync } from 'node:child_process';

export type Git = (...args: readonly string[]) => string;

/** Makes a repository of a project, on the branch `trunk`, with all of its files in a first commit; answers its git. */
export function beginRepository(project: string): Git {
  const git: Git = (...args) =>
    execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd();
  git('init', '--quiet', '--initial-branch=trunk');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  return git;
}
