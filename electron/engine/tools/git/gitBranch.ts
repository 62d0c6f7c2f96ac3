import * as z from 'zod';
import { type Failure, fail, ok, type Result } from '../../../../shared/result.ts';
import { commitOf, currentBranch } from '../../git/currentBranch.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { defineGitTool, repoPath, withoutNul } from './gitTool.ts';

const input = z
  .object({
    repoPath,
    action: z.enum(['list', 'current', 'create', 'switch']).optional(),
    name: withoutNul.optional(),
  })
  .refine(({ action, name }) => !isChange(action) || (name !== undefined && name !== ''), {
    message: 'is needed to create or switch',
    path: ['name'],
  })
  .refine(({ name }) => !name?.startsWith('-'), { message: 'must not begin with "-"', path: ['name'] });

function isChange(action: string | undefined): action is 'create' | 'switch' {
  return action === 'create' || action === 'switch';
}

export function createGitBranch(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_branch',
    permission: 'moderate',
    errors: ['INVALID_BRANCH_NAME', 'BRANCH_ALREADY_EXISTS', 'BRANCH_NOT_FOUND', 'WORKTREE_DIRTY', 'UNTRUSTED'],
    about: 'List the branches (default), tell the current one, create one without switching, or switch to one.',
    input: () => input,
    output: () =>
      z.union([
        z.object({
          branches: z.array(
            z.object({
              name: z.string(),
              current: z.boolean(),
              upstream: z.string().optional(),
              hash: z.string(),
            }),
          ),
          current: z.string().nullable(),
        }),
        z.object({ branch: z.string().nullable(), detached: z.boolean() }),
        z.object({ branch: z.string(), created: z.literal(true) }),
        z.object({ branch: z.string(), switched: z.literal(true), previous: z.string().nullable() }),
      ]),
    effects: ({ action }) => (action === 'switch' ? ['writes', 'executes'] : isChange(action) ? ['writes'] : ['reads']),
    summary: ({ action, name }) => {
      if (action === 'create') return `Create the branch ${name}`;
      if (action === 'switch') return `Switch to the branch ${name}`;
      return 'Look at the branches';
    },
    async check({ action, name = '' }, repository) {
      if (!isChange(action)) return ok({ value: null });
      const refused = action === 'create' ? await cannotCreate(repository, name) : await cannotSwitch(repository, name);
      return refused ?? ok({ value: null });
    },
    run({ action = 'list', name = '' }, repository) {
      switch (action) {
        case 'list':
          return list(repository);
        case 'current':
          return current(repository);
        case 'create':
          return create(repository, name);
        case 'switch':
          return change(repository, name);
      }
    },
  });
}

async function list(repository: Repository) {
  const now = await currentBranch(repository);
  if (!now.ok) return now;
  const format = '%(refname:lstrip=2)%00%(objectname)%00%(upstream:short)';
  const read = await repository.read(['for-each-ref', `--format=${format}`, 'refs/heads']);
  if (!read.ok) return read;
  const branches = read.value.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', hash = '', upstream = ''] = line.split('\0');
      return { name, current: name === now.value, upstream: upstream || undefined, hash };
    });
  return ok({ branches, current: now.value });
}

async function current(repository: Repository) {
  const now = await currentBranch(repository);
  return now.ok ? ok({ branch: now.value, detached: now.value === null }) : now;
}

async function cannotCreate(repository: Repository, name: string): Promise<Result<never> | undefined> {
  const valid = await repository.read(['check-ref-format', `refs/heads/${name}`], { codes: [0, 1] });
  if (!valid.ok) return valid;
  if (valid.value.code !== 0 || name === 'HEAD')
    return fail('INVALID_BRANCH_NAME', `git does not allow "${name}" as a name of a branch`);
  const known = await exists(repository, name);
  if (!known.ok) return known;
  return known.value ? fail('BRANCH_ALREADY_EXISTS', `The branch ${name} exists already`) : undefined;
}

async function cannotSwitch(repository: Repository, name: string): Promise<Result<never> | undefined> {
  const foreign = foreignTree(repository);
  if (foreign) return foreign;
  const known = await exists(repository, name);
  if (!known.ok) return known;
  return known.value ? undefined : fail('BRANCH_NOT_FOUND', `There is no branch ${name}`);
}

async function exists(repository: Repository, name: string): Promise<Result<boolean>> {
  const now = await currentBranch(repository);
  if (!now.ok) return now;
  if (now.value === name) return ok(true); // the branch before its first commit has no ref
  const read = await repository.read(['show-ref', '--verify', '--quiet', `refs/heads/${name}`], { codes: [0, 1, 128] });
  return read.ok ? ok(read.value.code === 0) : read;
}

async function create(repository: Repository, name: string) {
  const head = await commitOf(repository, 'HEAD');
  if (!head.ok) return head;
  if (head.value === null)
    return fail('GIT_ERROR', 'There is no commit yet that a branch could start from. Commit first.');
  const made = await repository.write(['branch', '--no-track', name]);
  return made.ok ? ok({ branch: name, created: true as const }) : made;
}

async function change(repository: Repository, name: string) {
  const previous = await currentBranch(repository);
  if (!previous.ok) return previous;
  const switched = await repository.write(['switch', '--quiet', '--no-guess', name]);
  if (!switched.ok) return worktreeDirty(switched.error) ?? switched;
  return ok({ branch: name, switched: true as const, previous: previous.value });
}

/** Files around the workspace would change with it. Error: UNTRUSTED. */
export function foreignTree({ isForeign }: Repository): Result<never> | undefined {
  if (!isForeign) return undefined;
  return fail(
    'UNTRUSTED',
    'This folder lies inside a larger repository, whose other files would change too. Trust the folder, or open the whole repository.',
  );
}

/** WORKTREE_DIRTY when git refused because local changes or untracked files would have been lost. */
export function worktreeDirty({ code, details }: Failure): Result<never> | undefined {
  const said = (details as { stderr?: string } | undefined)?.stderr ?? '';
  if (code !== 'GIT_ERROR' || !/would be overwritten|not uptodate|would lose untracked files/i.test(said))
    return undefined;
  const files = said
    .split('\n')
    .filter((line) => line.startsWith('\t'))
    .map((line) => line.trim());
  return fail('WORKTREE_DIRTY', `Local changes would be lost: ${files.join(', ')}. Commit or undo them first.`, {
    files,
  });
}
