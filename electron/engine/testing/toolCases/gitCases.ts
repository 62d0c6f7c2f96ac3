import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import { testEnvironment } from '../../git/testing/testRepository.ts';
import { createGitTools } from '../../tools/git/gitTools.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import type { TestBench } from '../engineForTest.ts';
import { tryIn } from '../tryTool.ts';
import type { Input, ToolCase } from './toolCase.ts';

const minimal: Readonly<Record<string, Input>> = {
  git_status: {},
  git_commit: { message: 'second', stageAll: true },
  git_diff: {},
  git_log: {},
  git_stage: {},
  git_unstage: {},
  git_branch: { action: 'create', name: 'new' },
  is_protected_branch: { branch: 'main' },
  git_merge: { branch: 'other' },
};
const writers = ['git_commit', 'git_stage', 'git_unstage', 'git_branch', 'git_merge'];

const gitIn =
  (folder: string) =>
  (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, env: testEnvironment, encoding: 'utf8' }).trimEnd();

/** A repository on `trunk` with one commit, a branch `other` beside it, a change, and an identity of its own. */
function makeRepository(folder: string) {
  const git = gitIn(folder);
  git('init', '--quiet', '--initial-branch=trunk');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  git('switch', '--quiet', '--create', 'other');
  writeFileSync(join(folder, 'b.txt'), 'other\n');
  git('add', '--all');
  git('commit', '--quiet', '--message=other');
  git('switch', '--quiet', 'trunk');
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  return git;
}

const given = ({ project }: TestBench): void => void makeRepository(project);

const each = (shows: string, code: ErrorCode, more: Partial<ToolCase>, extra: Input = {}): readonly ToolCase[] =>
  Object.entries(minimal).map(([tool, input]) => ({
    tool,
    shows,
    code,
    needs: 'git',
    given,
    input: { ...input, ...extra },
    ...more,
  }));

/** Made directly: with a limit of its own, and for tools that nobody is asked about. */
async function direct(
  { project }: TestBench,
  tool: string,
  input: Input,
  more: { readonly PATH?: string; readonly limitMs?: number; readonly meanwhile?: () => void },
) {
  const environment = { ...testEnvironment, ...(more.PATH === undefined ? {} : { PATH: more.PATH }) };
  const port = {
    environment: () => environment,
    secrets: () => [],
    trusted: () => Promise.resolve(true),
    protectedBranches: () => [],
    ...(more.limitMs === undefined ? {} : { limitMs: more.limitMs }),
  };
  const found = createGitTools(port).find(({ name }) => name === tool);
  if (!found) throw new Error(`no tool ${tool}`);
  const trial = await tryIn(project);
  return trial.tool(found, input, more.meanwhile ? { meanwhile: more.meanwhile } : {});
}

/** Outside the project: a git that the project brings is not run. */
function stuckGit(): string {
  const folder = testFolder();
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nexec sleep 300\n');
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${process.env['PATH']}`;
}

const every: readonly ToolCase[] = [
  ...each('a path out of the project', 'PATH_TRAVERSAL_DETECTED', {}, { repoPath: '..' }),
  ...each('a folder that is not there', 'DIRECTORY_NOT_FOUND', {}, { repoPath: 'none' }),
  ...each('a file in place of a folder', 'NOT_A_DIRECTORY', {}, { repoPath: 'a.txt' }),
  ...each('a folder that is no repository', 'NOT_A_GIT_REPOSITORY', { given: () => undefined }),
  ...each('a repository that git cannot read', 'GIT_ERROR', {
    given(bench) {
      given(bench);
      writeFileSync(join(bench.project, '.git', 'config'), '[core\n');
    },
  }),
  ...Object.entries(minimal).flatMap(([tool, input]): readonly ToolCase[] => [
    {
      tool,
      shows: 'a machine without git',
      code: 'UNAVAILABLE',
      input: {},
      call: (bench) => direct(bench, tool, input, { PATH: '/nowhere' }),
    },
    {
      tool,
      shows: 'a git that does not end',
      code: 'TIMEOUT',
      input: {},
      needs: 'git',
      given,
      call: (bench) => direct(bench, tool, input, { PATH: stuckGit(), limitMs: 200 }),
    },
    {
      tool,
      shows: 'a repository that is replaced meanwhile (P9)',
      code: 'STALE',
      input: {},
      needs: 'git',
      given({ project }) {
        mkdirSync(join(project, 'sub'));
        makeRepository(join(project, 'sub'));
      },
      call: (bench) =>
        direct(
          bench,
          tool,
          { ...input, repoPath: 'sub' },
          {
            meanwhile: () => renameSync(join(bench.project, 'sub', '.git'), join(bench.project, '.git')),
          },
        ),
    },
  ]),
  ...writers.map(
    (tool): ToolCase => ({
      tool,
      shows: 'a folder that is not trusted and names programs (J1)',
      code: 'UNTRUSTED',
      needs: 'git',
      input: minimal[tool] ?? {},
      given({ project }) {
        const git = makeRepository(project);
        if (tool === 'git_unstage') git('add', '--all');
        for (const key of ['filter.evil.clean', 'merge.evil.driver']) git('config', key, 'touch ran; cat');
      },
    }),
  ),
];

const one = (tool: string, shows: string, input: Input, expected: Partial<ToolCase>): ToolCase => ({
  tool,
  shows,
  input,
  needs: 'git',
  given,
  ...expected,
});
const after =
  (more: (git: ReturnType<typeof gitIn>, folder: string) => void) =>
  ({ project }: TestBench): void =>
    more(makeRepository(project), project);

/** Git may guess a name from the machine; this forbids it. */
const noIdentity = after((git) => {
  git('config', '--unset', 'user.name');
  git('config', '--unset', 'user.email');
  git('config', 'user.useConfigOnly', 'true');
  git('checkout', '--quiet', '--', 'a.txt');
  writeFileSync(join(git('rev-parse', '--show-toplevel'), 'c.txt'), 'c\n');
  git('add', 'c.txt');
});

/** `other` changes the line that the working tree has changed. */
const otherTouchesA = (isCommitted: boolean) =>
  after((git, folder) => {
    git('stash', '--quiet');
    git('switch', '--quiet', 'other');
    writeFileSync(join(folder, 'a.txt'), 'three\n');
    git('commit', '--quiet', '--all', '--message=third');
    git('switch', '--quiet', 'trunk');
    git('stash', 'pop', '--quiet');
    if (isCommitted) git('commit', '--quiet', '--all', '--message=mine');
  });

const single: readonly ToolCase[] = [
  one(
    'git_status',
    'a change',
    {},
    { data: { branch: 'trunk', clean: false, files: [{ path: 'a.txt', status: 'modified' }] } },
  ),
  one('git_diff', 'a change', {}, { data: { files: [{ path: 'a.txt', additions: 1, deletions: 1 }] } }),
  one('git_log', 'the commits', {}, { data: { count: 1, commits: [{ subject: 'first', author: 'Ada' }] } }),
  one('git_stage', 'a change', { files: ['a.txt'] }, { data: { staged: ['a.txt'] } }),
  one(
    'git_stage',
    'the marks of a conflict',
    {},
    {
      code: 'CONFLICT',
      data: { files: ['a.txt'] },
      given(bench) {
        makeRepository(bench.project);
        writeFileSync(join(bench.project, 'a.txt'), '<<<<<<< ours\n1\n=======\n2\n>>>>>>> theirs\n');
      },
    },
  ),
  one('git_stage', 'a file that is not there', { files: ['none'] }, { code: 'FILE_NOT_FOUND' }),
  one('git_unstage', 'a change', {}, { data: { unstaged: ['a.txt'] }, given: after((git) => git('add', '--all')) }),
  one(
    'git_branch',
    'the branches',
    {},
    { data: { current: 'trunk', branches: [{ name: 'other' }, { name: 'trunk' }] } },
  ),
  one('git_branch', 'a name that git refuses', { action: 'create', name: 'a..b' }, { code: 'INVALID_BRANCH_NAME' }),
  one('git_branch', 'a name that is taken', { action: 'create', name: 'other' }, { code: 'BRANCH_ALREADY_EXISTS' }),
  one('git_branch', 'a branch that is not there', { action: 'switch', name: 'none' }, { code: 'BRANCH_NOT_FOUND' }),
  one(
    'git_branch',
    'changes in the way',
    { action: 'switch', name: 'other' },
    {
      code: 'WORKTREE_DIRTY',
      data: { files: ['a.txt'] },
      given: otherTouchesA(false),
    },
  ),
  one('is_protected_branch', 'the current branch', {}, { data: { branch: 'trunk', isProtected: false } }),
  one(
    'is_protected_branch',
    'a detached HEAD',
    {},
    {
      code: 'COULD_NOT_DETERMINE_BRANCH',
      given: after((git) => git('switch', '--quiet', '--detach')),
    },
  ),
  one(
    'git_commit',
    'a change',
    { message: 'second', stageAll: true },
    {
      data: { branch: 'trunk', summary: 'second', filesChanged: 1, warnings: [] },
    },
  ),
  one('git_commit', 'nobody to sign it', { message: 'x' }, { code: 'GIT_IDENTITY_MISSING', given: noIdentity }),
  one('git_commit', 'nothing staged', { message: 'x' }, { code: 'NOTHING_TO_COMMIT' }),
  one('git_commit', 'a file that is not there', { message: 'x', stageFiles: ['none'] }, { code: 'FILE_NOT_FOUND' }),
  one(
    'git_commit',
    'conflicts',
    { message: 'x' },
    {
      code: 'CONFLICT',
      data: { files: ['a.txt'] },
      given(bench) {
        otherTouchesA(true)(bench);
        try {
          gitIn(bench.project)('merge', '--quiet', 'other');
        } catch {
          // It stops at the conflict, as it should.
        }
      },
    },
  ),
  one(
    'git_merge',
    'a branch',
    { branch: 'other' },
    { data: { merged: true, fastForward: true, alreadyUpToDate: false } },
  ),
  one('git_merge', 'a branch that is not there', { branch: 'none' }, { code: 'BRANCH_NOT_FOUND' }),
  one(
    'git_merge',
    'conflicts',
    { branch: 'other' },
    {
      code: 'CONFLICT',
      data: { files: ['a.txt'] },
      given: otherTouchesA(true),
    },
  ),
  one('git_merge', 'changes in the way', { branch: 'other' }, { code: 'WORKTREE_DIRTY', given: otherTouchesA(false) }),
  one(
    'git_merge',
    'nobody to sign it',
    { branch: 'other', noFf: true },
    {
      code: 'GIT_IDENTITY_MISSING',
      given(bench) {
        noIdentity(bench);
        gitIn(bench.project)('reset', '--quiet');
        rmSync(join(bench.project, 'c.txt'));
      },
    },
  ),
];

export const gitCases: readonly ToolCase[] = [...every, ...single];
