import * as z from 'zod';
import { type Failure, fail, ok, type Result } from '../../../../shared/result.ts';
import { commitOf, currentBranch } from '../../git/currentBranch.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import { treeChange } from '../../git/treeChange.ts';
import type { Tool } from '../frame/tool.ts';
import { type Checked, defineGitTool, repoPath, withoutNul } from './gitTool.ts';

const input = () =>
  z
    .object({
      repoPath: repoPath(),
      action: z.enum(['list', 'current', 'create', 'switch']).optional(),
      name: withoutNul().optional(),
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
    errors: [
      'INVALID_BRANCH_NAME',
      'BRANCH_ALREADY_EXISTS',
      'BRANCH_NOT_FOUND',
      'WORKTREE_DIRTY',
      'UNTRUSTED',
      'STALE',
    ],
    about:
      'List the branches (default), tell the current one, create one without switching, or switch to one: that writes the files of the branch and is shown as such.',
    input,
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
        z.object({
          branch: z.string(),
          switched: z.literal(true),
          previous: z.string().nullable(),
          warnings: z.array(z.string()),
        }),
      ]),
    text(data) {
      if ('branches' in data)
        return data.branches.length === 0
          ? `on ${data.current ?? 'no branch'}, which has no commit yet`
          : data.branches.map(branchLine).join('\n');
      if ('created' in data) return `made ${data.branch}`;
      if ('switched' in data)
        return [`switched from ${data.previous ?? 'no branch'} to ${data.branch}`, ...data.warnings].join('\n');
      return data.branch ?? 'no branch (detached)';
    },
    risk: ({ action }) => (action === 'switch' ? 'dangerous' : 'moderate'),
    effects: ({ action }) => (action === 'switch' ? ['writes', 'executes'] : isChange(action) ? ['writes'] : ['reads']),
    summary: ({ action, name }) => {
      if (action === 'create') return `Create the branch ${name}`;
      if (action === 'switch') return `Switch to the branch ${name}`;
      return 'Look at the branches';
    },
    async check({ action, name = '' }, repository) {
      if (!isChange(action)) return ok({ value: null });
      const refused = action === 'create' ? await cannotCreate(repository, name) : await cannotSwitch(repository, name);
      if (refused) return refused;
      return action === 'create' ? ok({ value: null }) : lookAhead(repository, name);
    },
    run({ action = 'list', name = '' }, repository, shown) {
      switch (action) {
        case 'list':
          return list(repository);
        case 'current':
          return current(repository);
        case 'create':
          return create(repository, name);
        case 'switch':
          return change(repository, name, shown);
      }
    },
  });
}

interface ShownBranch {
  readonly name: string;
  readonly current: boolean;
  readonly upstream?: string | undefined;
  readonly hash: string;
}

/** As `git branch -v` prints it. */
function branchLine({ name, current: isCurrent, upstream, hash }: ShownBranch): string {
  return `${isCurrent ? '* ' : ''}${name} ${hash.slice(0, 7)}${upstream === undefined ? '' : ` [${upstream}]`}`;
}

/** The commits between which a switch was shown. */
interface Switch {
  readonly from: string | null;
  readonly to: string | null;
}

async function commitsOf(repository: Repository, name: string): Promise<Result<Switch>> {
  const from = await commitOf(repository, 'HEAD');
  if (!from.ok) return from;
  const to = await commitOf(repository, `refs/heads/${name}`);
  return to.ok ? ok({ from: from.value, to: to.value }) : to;
}

/** Another tree may bring other rules, workflows and settings of editors: each file is judged as a write. */
async function lookAhead(repository: Repository, name: string): Promise<Result<Checked<Switch>>> {
  const value = await commitsOf(repository, name);
  if (!value.ok) return value;
  const { from, to } = value.value;
  if (to === null || to === from) return ok({ value: value.value });
  const tree = await treeChange(repository, from, to);
  if (!tree.ok) return tree;
  const preview = { kind: 'text' as const, title: `Switch to ${name}`, text: tree.value.text };
  return ok({ value: value.value, preview, writes: tree.value.paths });
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

async function change(repository: Repository, name: string, shown: Switch | null) {
  const now = await commitsOf(repository, name);
  if (!now.ok) return now;
  if (now.value.from !== shown?.from || now.value.to !== shown.to)
    return fail('STALE', 'A branch has moved since this switch was shown, so it was not made. Look again.');
  const previous = await currentBranch(repository);
  if (!previous.ok) return previous;
  const switched = await repository.write(['switch', '--quiet', '--no-guess', name]);
  if (!switched.ok) return worktreeDirty(switched.error) ?? switched;
  const warnings = await repository.hookWarnings('switch');
  return ok({ branch: name, switched: true as const, previous: previous.value, warnings });
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
