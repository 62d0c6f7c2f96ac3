import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { commitOf, currentBranch } from '../../git/currentBranch.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import { gitError } from '../../git/runGit.ts';
import { treeChange } from '../../git/treeChange.ts';
import type { Tool } from '../frame/tool.ts';
import { foreignTree, worktreeDirty } from './gitBranch.ts';
import { defineGitTool, namesOf, refName, repoPath, withoutNul } from './gitTool.ts';

const hookTimeMs = 10 * 60_000;

export function createGitMerge(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_merge',
    permission: 'dangerous',
    errors: ['GIT_IDENTITY_MISSING', 'BRANCH_NOT_FOUND', 'CONFLICT', 'WORKTREE_DIRTY', 'UNTRUSTED'],
    about:
      'Merge a branch into the current one. noFf always makes a merge commit. Conflicts are left in the files to be resolved.',
    input: () =>
      z.object({
        branch: refName(),
        repoPath: repoPath(),
        noFf: z.boolean().optional(),
        message: withoutNul()
          .refine((words) => words.trim() !== '', { message: 'must not be blank' })
          .optional(),
      }),
    output: () =>
      z.object({
        merged: z.literal(true),
        fastForward: z.boolean(),
        hash: z.string().nullable(),
        alreadyUpToDate: z.boolean(),
        warnings: z.array(z.string()),
      }),
    text: ({ fastForward, hash, alreadyUpToDate, warnings }) =>
      [
        alreadyUpToDate
          ? 'already up to date'
          : `merged${fastForward ? ' by going forward' : ''}: HEAD is ${hash?.slice(0, 7)}`,
        ...warnings,
      ].join('\n'),
    effects: () => ['writes', 'executes'],
    summary: ({ branch }) => `Merge ${branch}`,
    async check({ branch }, repository) {
      const foreign = foreignTree(repository);
      if (foreign) return foreign;
      const target = await branchCommit(repository, branch);
      if (!target.ok) return target;
      const head = await commitOf(repository, 'HEAD');
      if (!head.ok) return head;
      const into = await currentBranch(repository);
      if (!into.ok) return into;
      const { commit } = target.value;
      const tree = await treeChange(repository, await mergeBase(repository, head.value, commit), commit);
      if (!tree.ok) return tree;
      const where = `${branch} (${commit.slice(0, 12)}) into ${into.value ?? 'a detached HEAD'}`;
      const preview = { kind: 'text' as const, title: 'Merge', text: `${where}\n${tree.value.text}` };
      return ok({ value: { target: target.value, head: head.value }, preview, writes: tree.value.paths });
    },
    async run({ branch, noFf, message }, repository, { target, head: shownHead }) {
      const before = await commitOf(repository, 'HEAD');
      if (!before.ok) return before;
      const now = await branchCommit(repository, branch);
      if (!now.ok) return now;
      if (now.value.ref !== target.ref || now.value.commit !== target.commit || before.value !== shownHead)
        return fail('STALE', 'A branch has moved since this merge was shown, so it was not made. Look again.');
      const plain = await commitOf(repository, branch);
      if (!plain.ok) return plain;
      // A tag of the same name would win; the whole name does not, but git would put it into the message.
      const isPlain = plain.value === target.commit;
      const words = message ?? (isPlain ? undefined : `Merge branch '${branch}'`);
      const options = [noFf === true ? '--no-ff' : '--ff', ...(words === undefined ? [] : ['-m', words])];
      const from = isPlain ? branch : now.value.ref;
      const args = ['merge', '--commit', '--no-squash', '--no-edit', '--no-verify-signatures', ...options, from];
      const merged = await repository.write(args, { codes: [0, 1, 2, 128], timeoutMs: hookTimeMs });
      if (!merged.ok) return merged;
      if (merged.value.code !== 0) return notMerged(repository, args, merged.value);
      const after = await commitOf(repository, 'HEAD');
      if (!after.ok) return after;
      const alreadyUpToDate = after.value === before.value;
      return ok({
        merged: true as const,
        fastForward: !alreadyUpToDate && after.value === target.commit,
        hash: after.value,
        alreadyUpToDate,
        warnings: alreadyUpToDate ? [] : await repository.hookWarnings('merge'),
      });
    },
  });
}

/** What a merge brings is what the other side has changed since; without a common commit, all of it. */
async function mergeBase(repository: Repository, head: string | null, commit: string): Promise<string | null> {
  if (head === null) return null;
  const found = await repository.read(['merge-base', head, commit], { codes: [0, 1] });
  return (found.ok && found.value.stdout.split('\n', 1)[0]) || null;
}

async function branchCommit(repository: Repository, branch: string) {
  for (const folder of ['refs/heads', 'refs/remotes', 'refs/tags']) {
    // `topic~1` is a revision, no branch.
    const args = ['show-ref', '--verify', '--quiet', `${folder}/${branch}`];
    const known = await repository.read(args, { codes: [0, 1, 128] });
    if (!known.ok) return known;
    if (known.value.code !== 0) continue;
    const found = await commitOf(repository, `${folder}/${branch}`);
    if (!found.ok) return found;
    if (found.value !== null) return ok({ ref: `${folder}/${branch}`, commit: found.value });
  }
  return fail('BRANCH_NOT_FOUND', `There is no branch ${branch}`);
}

async function notMerged(repository: Repository, args: readonly string[], output: Parameters<typeof gitError>[1]) {
  const error = gitError(args, output);
  if (error.ok) return error;
  const unmerged = await repository.read([
    'diff',
    '--name-only',
    '--diff-filter=U',
    '--no-ext-diff',
    '--relative',
    '-z',
  ]);
  if (!unmerged.ok) return unmerged;
  const files = namesOf(unmerged.value.stdout);
  if (files.length > 0) {
    return fail(
      'CONFLICT',
      `The merge stopped at conflicts in ${files.join(', ')}. Resolve, stage and commit them, or give it up with: git merge --abort`,
      { files, abort: 'git merge --abort' },
    );
  }
  if (/tell me who you are|unable to auto-detect email|empty ident name/i.test(output.stderr))
    return fail('GIT_IDENTITY_MISSING', 'git does not know who merges. Set user.name and user.email with git config.');
  return worktreeDirty(error.error) ?? error;
}
