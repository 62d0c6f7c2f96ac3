import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { currentBranch } from '../../git/currentBranch.ts';
import { isProtected, protectedPatterns } from '../../git/protectedBranches.ts';
import type { GitPort } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { defineGitTool, nothingToCheck, refName, repoPath } from './gitTool.ts';

export function createIsProtectedBranch(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'is_protected_branch',
    permission: 'none',
    errors: ['COULD_NOT_DETERMINE_BRANCH'],
    about: 'Whether a branch (default the current one) is one that should not be committed to directly.',
    input: () => z.object({ branch: refName().optional(), repoPath: repoPath() }),
    output: () => z.object({ branch: z.string(), isProtected: z.boolean(), protectedPatterns: z.array(z.string()) }),
    text: ({ branch, isProtected: yes, protectedPatterns: patterns }) =>
      `${branch} is ${yes ? '' : 'not '}protected (${patterns.join(', ')})`,
    effects: () => ['reads'],
    summary: ({ branch }) => `See whether ${branch ?? 'the current branch'} is protected`,
    check: nothingToCheck,
    async run({ branch: given }, repository) {
      const current = given === undefined ? await currentBranch(repository) : ok(given);
      if (!current.ok) return current;
      if (current.value === null)
        return fail('COULD_NOT_DETERMINE_BRANCH', 'HEAD is detached: it is on no branch. Name a branch.');
      const patterns = await protectedPatterns(repository, port.protectedBranches());
      return ok({
        branch: current.value,
        isProtected: isProtected(current.value, patterns),
        protectedPatterns: patterns,
      });
    },
  });
}
