import * as z from 'zod';
import { ok, type Result } from '../../../../shared/result.ts';
import { dirtySubmodules } from '../../git/dirtySubmodules.ts';
import { type InProgress, inProgressLine, operationInProgress, operations, waysOut } from '../../git/inProgress.ts';
import { parseStatus, type Status } from '../../git/parseStatus.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { defineGitTool, inProject, nothingToCheck, repoPath } from './gitTool.ts';

/** More changed files than this are counted, not listed. */
const maxFiles = 5_000;

export function createGitStatus(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_status',
    permission: 'none',
    pseudo: 'git status',
    about:
      'The branch, its upstream, what git is in the middle of (merge, rebase …), and every changed or untracked file.',
    input: () => z.object({ repoPath: repoPath() }),
    output: () =>
      z.object({
        branch: z.string().nullable(),
        detached: z.boolean(),
        upstream: z.string().nullable(),
        ahead: z.number(),
        behind: z.number(),
        clean: z.boolean(),
        /** What git is in the middle of, and the branch that a rebase rewrites. */
        inProgress: z.object({ operation: z.enum(operations), branch: z.string().optional() }).optional(),
        files: z.array(
          z.object({
            path: z.string(),
            oldPath: z.string().optional(),
            index: z.string(),
            worktree: z.string(),
            staged: z.boolean(),
            status: z.enum(['modified', 'added', 'deleted', 'renamed', 'untracked', 'conflicted']),
            /** A submodule whose own files have changed. */
            dirtyInside: z.literal(true).optional(),
          }),
        ),
        truncated: z.literal(true).optional(),
        fileCount: z.number().optional(),
      }),
    text: statusLines,
    leftOut: ({ truncated, files, fileCount }) =>
      truncated ? `Only ${files.length} of ${fileCount ?? 'more'} files are here` : undefined,
    effects: () => ['reads'],
    summary: () => 'Look at the state of the repository',
    check: nothingToCheck,
    async run(_, repository, __, { look }) {
      const read = await readStatus(repository);
      if (!read.ok) return read;
      const { head: _head, files: all, truncated, ...facts } = read.value;
      const isShown = (path: string | undefined) => path === undefined || !look.leaveOut(inProject(repository, path));
      const submodules = await dirtySubmodules(port, look.sandbox, repository);
      const inside = submodules
        .filter(({ path }) => all.every((file) => file.path !== path))
        .map(({ path }) => ({ path, ...changedInside }));
      const files = [...all, ...inside].filter(({ path, oldPath }) => isShown(path) && isShown(oldPath));
      return ok({
        ...facts,
        clean: all.length + inside.length === 0,
        inProgress: operationInProgress(repository.gitFolder),
        files: files.slice(0, maxFiles),
        ...(truncated || files.length > maxFiles ? { truncated: true as const, fileCount: files.length } : {}),
      });
    },
  });
}

const changedInside = {
  oldPath: undefined,
  index: '.',
  worktree: 'M',
  staged: false,
  status: 'modified',
  dirtyInside: true,
} as const;

interface ShownStatus {
  readonly branch: string | null;
  readonly upstream: string | null;
  readonly ahead: number;
  readonly behind: number;
  readonly files: readonly {
    readonly path: string;
    readonly oldPath?: string | undefined;
    readonly index: string;
    readonly worktree: string;
    readonly dirtyInside?: true | undefined;
  }[];
  readonly inProgress?: InProgress | undefined;
}

/** As `git status --short --branch` prints it. */
function statusLines({ branch, upstream, ahead, behind, files, inProgress }: ShownStatus): string {
  const apart = [ahead > 0 ? `ahead ${ahead}` : '', behind > 0 ? `behind ${behind}` : ''].filter((text) => text !== '');
  const head = `## ${branch ?? 'detached'}${upstream === null ? '' : `...${upstream}`}${apart.length === 0 ? '' : ` [${apart.join(', ')}]`}`;
  const lines = files.map(
    ({ index, worktree, oldPath, path, dirtyInside }) =>
      `${index}${worktree} ${oldPath === undefined ? '' : `${oldPath} -> `}${path}${dirtyInside ? ` (changes inside: repoPath ${path})` : ''}`,
  );
  const doing = inProgress ? [`${inProgressLine(inProgress)}: ${waysOut(inProgress)}`] : [];
  return [head, ...doing, ...(lines.length === 0 ? ['nothing changed'] : lines)].join('\n');
}

/** The state of the part of the repository that lies in the workspace. */
export async function readStatus(repository: Repository): Promise<Result<Status & { readonly truncated: boolean }>> {
  // What lies dirty inside a submodule is its own repository's matter, and looking there could run programs it names (dirtySubmodules.ts).
  const args = ['status', '--porcelain=v2', '--branch', '--renames', '--untracked-files=all', '-z'];
  const read = await repository.read([...args, '--ignore-submodules=dirty', '--', '.']);
  if (!read.ok) return read;
  const status = parseStatus(read.value.stdout);
  const inside = (path: string) =>
    path.startsWith(repository.prefix) ? path.slice(repository.prefix.length) : `${upwards(repository.prefix)}${path}`;
  const files = status.files.map((file) => ({
    ...file,
    path: inside(file.path),
    oldPath: file.oldPath === undefined ? undefined : inside(file.oldPath),
  }));
  return ok({ ...status, files, truncated: read.value.truncated });
}

/** A file that came from outside the workspace keeps a name that can be understood. */
function upwards(prefix: string): string {
  return '../'.repeat(prefix.split('/').length - 1);
}
