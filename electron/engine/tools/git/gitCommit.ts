import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { commitOf, currentBranch } from '../../git/currentBranch.ts';
import { inProgressLine, operationInProgress, waysOut } from '../../git/inProgress.ts';
import { isProtected, protectedPatterns } from '../../git/protectedBranches.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { refuseMarkers } from './conflictMarkers.ts';
import { existingPlaces, filesBelow, stage, stagedNames } from './gitStage.ts';
import { readStatus } from './gitStatus.ts';
import { defineGitTool, namesOf, repoPath, withoutNul } from './gitTool.ts';

/** Names in the preview; the rest is counted. */
const shownFiles = 200;

/** Hooks of a trusted folder run within this, ms. */
const hookTimeMs = 10 * 60_000;

const input = () =>
  z
    .object({
      message: withoutNul().refine((message) => message.trim() !== '', { message: 'must not be blank' }),
      repoPath: repoPath(),
      stageAll: z.boolean().optional(),
      stageFiles: z.array(z.string()).optional(),
      allowEmpty: z.boolean().optional(),
      amend: z.boolean().optional(),
    })
    .refine(({ stageAll, stageFiles }) => stageAll !== true || stageFiles === undefined || stageFiles.length === 0, {
      message: 'give stageFiles or stageAll, not both',
      path: ['stageFiles'],
    });

type Input = z.output<ReturnType<typeof input>>;

export function createGitCommit(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_commit',
    permission: 'dangerous',
    errors: ['GIT_IDENTITY_MISSING', 'NOTHING_TO_COMMIT', 'CONFLICT', 'FILE_NOT_FOUND', 'UNTRUSTED'],
    about:
      'Commit what is staged. stageFiles stages these files first, stageAll everything. amend replaces the last commit. On a protected branch it warns.',
    input,
    output: () =>
      z.object({
        hash: z.string(),
        shortHash: z.string(),
        summary: z.string(),
        filesChanged: z.number(),
        branch: z.string().nullable(),
        warnings: z.array(z.string()),
      }),
    text: ({ shortHash, summary, filesChanged, branch, warnings }) =>
      [
        `[${branch ?? 'detached HEAD'} ${shortHash}] ${summary}`,
        `${filesChanged} ${filesChanged === 1 ? 'file' : 'files'} changed`,
        ...warnings,
      ].join('\n'),
    effects: () => ['writes', 'executes'],
    summary: ({ message, amend }) => `${amend === true ? 'Amend the last commit' : 'Commit'}: ${firstLine(message)}`,
    async check(given, repository) {
      const looked = await lookAhead(given, repository, port);
      if (!looked.ok) return looked;
      const { branch, warnings, names, places, mark } = looked.value;
      const more = names.length > shownFiles ? [`… and ${names.length - shownFiles} more`] : [];
      const text = [
        `on ${branch ?? 'a detached HEAD'}`,
        ...warnings,
        '',
        given.message,
        '',
        ...names.slice(0, shownFiles),
        ...more,
      ].join('\n');
      return ok({
        value: { branch, warnings, places, mark },
        preview: { kind: 'text', title: 'Commit', text },
        places: names,
      });
    },
    async run(given, repository, { branch, warnings, places, mark }) {
      const now = await markOf(repository);
      if (!now.ok) return now;
      if (now.value !== mark)
        return fail('STALE', 'The repository has changed since this commit was shown, so it was not made. Look again.');
      if (places.length > 0) {
        const added = await stage(repository, places);
        if (!added.ok) return added;
      }
      const options = [
        ...(given.allowEmpty === true ? ['--allow-empty'] : []),
        ...(given.amend === true ? ['--amend'] : []),
      ];
      const args = ['commit', '--quiet', '--cleanup=whitespace', '--file=-', ...options];
      const committed = await repository.write(args, { input: given.message, timeoutMs: hookTimeMs });
      if (!committed.ok) return committed;
      const made = await describeCommit(repository);
      return made.ok ? ok({ ...made.value, branch, warnings }) : made;
    },
  });
}

function firstLine(message: string): string {
  return message.trim().split('\n', 1)[0] ?? '';
}

async function lookAhead({ stageAll, stageFiles, allowEmpty, amend }: Input, repository: Repository, port: GitPort) {
  const identity = await identityMissing(repository);
  if (identity) return identity;
  const branch = await currentBranch(repository);
  if (!branch.ok) return branch;
  const status = await readStatus(repository);
  if (!status.ok) return status;
  const conflicted = status.value.files.filter((file) => file.status === 'conflicted').map(({ path }) => path);
  if (conflicted.length > 0 && stageAll !== true && (stageFiles ?? []).length === 0)
    return fail(
      'CONFLICT',
      `There are unresolved conflicts in ${conflicted.join(', ')}. Resolve and stage them first.`,
      {
        files: conflicted,
      },
    );
  if (amend === true && status.value.head === null)
    return fail('NOTHING_TO_COMMIT', 'There is no commit to amend yet.');
  const chosen =
    stageFiles !== undefined && stageFiles.length > 0 ? await existingPlaces(repository, stageFiles) : ok([]);
  if (!chosen.ok) return chosen;
  const places = stageAll === true ? ['.'] : chosen.value;
  const staged = await stagedNames(repository, ['.']);
  if (!staged.ok) return staged;
  const added = filesBelow(status.value.files, places);
  const names = [...new Set([...staged.value, ...added])].toSorted();
  const marked = await refuseMarkers(repository, added, staged.value);
  if (marked) return marked;
  const merging = await commitOf(repository, 'MERGE_HEAD');
  if (!merging.ok) return merging;
  if (names.length === 0 && allowEmpty !== true && amend !== true && merging.value === null) {
    const dirty = status.value.files.length > 0;
    return fail(
      'NOTHING_TO_COMMIT',
      dirty
        ? 'Nothing is staged. Stage files with git_stage, name them in stageFiles, or set stageAll.'
        : 'Nothing has changed since the last commit.',
    );
  }
  const patterns = branch.value === null ? [] : await protectedPatterns(repository, port.protectedBranches());
  const doing = operationInProgress(repository.gitFolder);
  const warnings = [
    ...(branch.value !== null && isProtected(branch.value, patterns)
      ? [`${branch.value} is a protected branch: consider a branch of your own`]
      : []),
    ...(doing !== undefined && doing.operation !== 'merge' ? [`${inProgressLine(doing)}: ${waysOut(doing)}`] : []),
    ...(await repository.hookWarnings('commit')),
  ];
  const mark = await markOf(repository);
  if (!mark.ok) return mark;
  return ok({ branch: branch.value, warnings, names, places, mark: mark.value });
}

/** Changes with HEAD, with the index, and with which files differ from it. */
async function markOf(repository: Repository): Promise<Result<string>> {
  const status = await readStatus(repository);
  if (!status.ok) return status;
  const index = await repository.read(['diff', '--cached', '--raw', '--no-abbrev', '--no-renames', '-z', '--', '.']);
  return index.ok ? ok(JSON.stringify([status.value, index.value.stdout])) : index;
}

async function identityMissing(repository: Repository): Promise<Result<never> | undefined> {
  for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const asked = await repository.read(['var', name]);
    if (asked.ok) continue;
    if (asked.error.code !== 'GIT_ERROR') return asked;
    return fail(
      'GIT_IDENTITY_MISSING',
      'git does not know who commits. Set it with: git config user.name "…" and git config user.email "…"',
    );
  }
  return undefined;
}

async function describeCommit(repository: Repository) {
  const shown = await repository.read([
    'log',
    '-1',
    '-z',
    '--no-show-signature',
    '--format=tformat:%H%x00%h%x00%s',
    'HEAD',
  ]);
  if (!shown.ok) return shown;
  const [hash = '', shortHash = '', summary = ''] = shown.value.stdout.split('\0');
  const tree = ['diff-tree', '--root', '-r', '-m', '--first-parent', '--no-commit-id', '--name-only', '-z', 'HEAD'];
  const changed = await repository.read(tree);
  if (!changed.ok) return changed;
  return ok({ hash, shortHash, summary, filesChanged: namesOf(changed.value.stdout).length });
}
