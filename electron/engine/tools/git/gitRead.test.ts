import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partedRepository, testRepository } from '../../git/testing/testRepository.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import { createGitCommit } from './gitCommit.ts';
import { createGitDiff } from './gitDiff.ts';
import { createGitLog } from './gitLog.ts';
import { createGitStatus } from './gitStatus.ts';
import { createIsProtectedBranch } from './isProtectedBranch.ts';

describe('git_status', () => {
  test('a repository without commits has its branch and its files', async () => {
    const repository = testRepository();
    writeFiles(repository.root, { 'a b.txt': '1' });
    const { tool } = await tryIn(repository.root);
    expect(await tool(createGitStatus(repository.port()), {})).toEqual({
      success: true,
      data: {
        branch: 'trunk',
        detached: false,
        upstream: null,
        ahead: 0,
        behind: 0,
        clean: false,
        files: [{ path: 'a b.txt', index: '?', worktree: '?', staged: false, status: 'untracked' }],
      },
    });
  });

  test('a merge and a rebase in progress are told, with the way on and the way out', async () => {
    const repository = partedRepository();
    const { tool } = await tryIn(repository.root);
    const status = createGitStatus(repository.port());
    expect(await tool(status, {})).toMatchObject({ data: { clean: true } });
    const stopped = (...args: readonly string[]) => {
      expect(() => repository.git(...args)).toThrow();
      return tool(status, {});
    };
    expect(await stopped('merge', '--quiet', 'topic')).toMatchObject({
      data: { inProgress: { operation: 'merge' }, files: [{ path: 'a', status: 'conflicted' }] },
    });
    repository.git('merge', '--abort');
    expect(await stopped('cherry-pick', 'topic')).toMatchObject({ data: { inProgress: { operation: 'cherry-pick' } } });
    repository.git('cherry-pick', '--abort');
    repository.git('switch', '--quiet', 'topic');
    const rebasing = await stopped('rebase', '--quiet', 'trunk');
    expect(rebasing).toMatchObject({
      data: { branch: null, inProgress: { operation: 'rebase', branch: 'topic' } },
    });
    expect(status.text?.((rebasing as unknown as { data: never }).data)).toMatch(
      /^a rebase of topic is in progress: .*go on with git -c core\.editor=true rebase --continue, or give up with git rebase --abort$/m,
    );
    const commit = await tool(createGitCommit(repository.port()), { message: 'm', stageFiles: ['a'], amend: true });
    expect(commit).toMatchObject({ error: { code: 'CONFLICT' } });
  });

  test.each([true, false])(
    'a submodule with changes inside is dirty, and nothing of it runs (trusted: %s)',
    async (trusted) => {
      const inner = testRepository({ a: '1\n' });
      const repository = testRepository({ top: '1\n' });
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
      repository.git('commit', '--quiet', '--message=sub');
      const { tool } = await tryIn(repository.root);
      const port = repository.port({ trusted });
      expect(await tool(createGitStatus(port), {})).toMatchObject({ data: { clean: true, files: [] } });
      expect(await tool(createGitDiff(port), {})).toMatchObject({ data: { files: [], raw: '' } });
      writeFiles(repository.root, { 'sub/a': '2\n', 'sub/.gitattributes': '* filter=evil\n' });
      if (!trusted) repository.git('-C', 'sub', 'config', 'filter.evil.clean', 'touch ran; cat');
      expect(await tool(createGitStatus(port), {})).toMatchObject({
        data: { clean: false, files: [{ path: 'sub', worktree: 'M', status: 'modified', dirtyInside: true }] },
      });
      const commit = repository.git('-C', 'sub', 'rev-parse', 'HEAD');
      expect(await tool(createGitDiff(port), {})).toMatchObject({
        data: {
          files: [{ path: 'sub', additions: 1, deletions: 1 }],
          raw: expect.stringContaining(`-Subproject commit ${commit}\n+Subproject commit ${commit}-dirty\n`),
        },
      });
      expect(await tool(createGitDiff(port), { files: ['top'] })).toMatchObject({ data: { files: [] } });
      expect(existsSync(join(repository.root, 'sub/ran'))).toBe(false);
    },
  );

  test('changes are told apart, and a detached HEAD is no branch', async () => {
    const repository = testRepository({ a: '1\n', b: '2\n', c: 'a longer text\nof two lines\n' });
    repository.git('checkout', '--quiet', '--detach');
    repository.git('mv', 'c', 'd');
    writeFiles(repository.root, { a: 'changed\n' });
    rmSync(join(repository.root, 'b'));
    const { tool } = await tryIn(repository.root);
    expect(await tool(createGitStatus(repository.port()), {})).toMatchObject({
      data: {
        branch: null,
        detached: true,
        files: [
          { path: 'a', staged: false, status: 'modified' },
          { path: 'b', staged: false, status: 'deleted' },
          { path: 'd', oldPath: 'c', staged: true, status: 'renamed' },
        ],
      },
    });
  });

  test('in a project below the top folder only its own files are told, by its own paths', async () => {
    const repository = testRepository({ 'packages/one/a': '1', 'packages/two/b': '2' });
    writeFiles(repository.root, { 'packages/one/a': 'changed', 'packages/two/b': 'changed' });
    const { tool } = await tryIn(join(repository.root, 'packages/one'));
    expect(await tool(createGitStatus(repository.port()), {})).toMatchObject({ data: { files: [{ path: 'a' }] } });
    expect(await tool(createGitDiff(repository.port()), {})).toMatchObject({ data: { files: [{ path: 'a' }] } });
  });

  test('folders that are missing, no folder, no repository or outside are refused', async () => {
    const root = testFolder({ file: '' });
    mkdirSync(join(root, 'plain'));
    const { tool } = await tryIn(root);
    const status = createGitStatus(testRepository().port());
    const codeFor = async (repoPath: string) =>
      ((await tool(status, { repoPath })) as { error: { code: string } }).error.code;
    expect(await codeFor('plain')).toBe('NOT_A_GIT_REPOSITORY');
    expect(await codeFor('missing')).toBe('DIRECTORY_NOT_FOUND');
    expect(await codeFor('file')).toBe('NOT_A_DIRECTORY');
    expect(await codeFor('..')).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await tool(status, { repoPath: 7 })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  test('P5: a .git that is a link out of the project is refused', async () => {
    const elsewhere = testRepository({ a: '1' });
    const root = testFolder({});
    symlinkSync(join(elsewhere.root, '.git'), join(root, '.git'));
    const { tool } = await tryIn(root);
    expect(await tool(createGitStatus(elsewhere.port()), {})).toMatchObject({
      error: { code: 'PATH_TRAVERSAL_DETECTED' },
    });
  });
});

describe('git_diff', () => {
  test('shows hunks, renames, binary files and kinds, and raw text', async () => {
    const long = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    const repository = testRepository({ 'a "q".txt': 'one\ntwo\n', moved: `${long}\n`, bin: new Uint8Array([0, 1]) });
    repository.git('mv', 'moved', 'to');
    writeFiles(repository.root, { 'a "q".txt': 'one\n2\n', bin: new Uint8Array([0, 2]), untracked: 'x' });
    repository.git('add', 'a "q".txt', 'bin');
    const { tool } = await tryIn(repository.root);
    const diff = createGitDiff(repository.port());
    const staged = await tool(diff, { staged: true });
    expect(staged).toMatchObject({
      success: true,
      data: {
        truncated: false,
        files: [
          {
            path: 'a "q".txt',
            status: 'modified',
            binary: false,
            additions: 1,
            deletions: 1,
            hunks: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, header: '', lines: [' one', '-two', '+2'] }],
          },
          { path: 'bin', status: 'modified', binary: true, hunks: [] },
          { path: 'to', oldPath: 'moved', status: 'renamed', additions: 0, deletions: 0 },
        ],
      },
    });
    expect(await tool(diff, { cached: true })).toEqual(staged);
    expect(await tool(diff, {})).toEqual({ success: true, data: { files: [], raw: '', truncated: false } });
    expect(await tool(diff, { files: ['missing'], staged: true })).toMatchObject({ data: { files: [] } });
    expect(await tool(diff, { files: ['bin'], staged: true })).toMatchObject({ data: { files: [{ path: 'bin' }] } });
  });

  test('a long diff is cut and says so, its counts stay whole', async () => {
    const repository = testRepository({ a: '' });
    writeFiles(repository.root, { a: `${'x'.repeat(99)}\n`.repeat(5_000) });
    const { tool } = await tryIn(repository.root);
    const result = (await tool(createGitDiff(repository.port()), {})) as { data: { raw: string; files: unknown[] } };
    expect(result.data).toMatchObject({ truncated: true, files: [{ additions: 5_000, hunks: [] }] });
    expect(result.data.raw.length).toBeLessThanOrEqual(200_000);
  });

  test('a file that became a link is one file, and names that are options or outside are refused', async () => {
    const repository = testRepository({ a: '1\n', b: '1\n' });
    rmSync(join(repository.root, 'a'));
    symlinkSync('b', join(repository.root, 'a'));
    writeFiles(repository.root, { b: '2\n' });
    const { tool } = await tryIn(repository.root);
    const diff = createGitDiff(repository.port());
    expect(await tool(diff, {})).toMatchObject({
      data: {
        files: [
          { path: 'a', status: 'type-changed', additions: 1, deletions: 1 },
          { path: 'b', status: 'modified', additions: 1, deletions: 1 },
        ],
      },
    });
    expect(await tool(diff, { files: ['--output=x'] })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(await tool(diff, { files: ['../x'] })).toMatchObject({ error: { code: 'PATH_TRAVERSAL_DETECTED' } });
  });
});

describe('git_log', () => {
  test('gives the newest commits first, narrowed by author and file', async () => {
    const repository = testRepository({ a: '1', b: '1' });
    writeFiles(repository.root, { b: '2' });
    repository.git('commit', '--quiet', '--all', '--author=Bob <bob@example.org>', '--message=second\n\nwhy it is so');
    const { tool } = await tryIn(repository.root);
    const log = createGitLog(repository.port());
    const [second, first] = repository.git('log', '--format=%H').split('\n');
    expect(await tool(log, {})).toMatchObject({
      success: true,
      data: {
        count: 2,
        commits: [
          {
            hash: second,
            author: 'Bob',
            email: 'bob@example.org',
            subject: 'second',
            body: 'why it is so',
            parents: [first],
          },
          { hash: first, author: 'Ada', subject: 'first', body: '', parents: [] },
        ],
      },
    });
    expect(await tool(log, { maxCount: 1 })).toMatchObject({ data: { count: 1 } });
    expect(await tool(log, { author: 'Bob' })).toMatchObject({ data: { commits: [{ hash: second }], count: 1 } });
    expect(await tool(log, { file: 'a' })).toMatchObject({ data: { commits: [{ hash: first }], count: 1 } });
    expect(await tool(log, { until: '2001-01-01' })).toMatchObject({ data: { count: 0 } });
    expect(await tool(log, { since: '2001-01-01' })).toMatchObject({ data: { count: 2 } });
  });

  test('is empty before the first commit, and refuses counts and names that cannot be', async () => {
    const repository = testRepository();
    const { tool } = await tryIn(repository.root);
    const log = createGitLog(repository.port());
    expect(await tool(log, {})).toEqual({ success: true, data: { commits: [], count: 0 } });
    for (const wrong of [{ maxCount: 0 }, { maxCount: 501 }, { maxCount: 1.5 }, { file: '-p' }])
      expect(await tool(log, wrong)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('is_protected_branch', () => {
  test('knows the standing names, the settings and the default branch of a remote', async () => {
    const repository = testRepository({ a: '1' });
    const { tool } = await tryIn(repository.root);
    const ask = async (branch?: string) => {
      const port = repository.port({ protectedBranches: ['hotfix-*'] });
      const result = await tool(createIsProtectedBranch(port), branch === undefined ? {} : { branch });
      return (result as { data: { isProtected: boolean } }).data.isProtected;
    };
    expect(await ask('main')).toBe(true);
    expect(await ask('Release/9')).toBe(true);
    expect(await ask('hotfix-1')).toBe(true);
    expect(await ask('feature')).toBe(false);
    expect(await ask()).toBe(false);
    repository.git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
    repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    expect(await ask()).toBe(true);
  });

  test('a detached HEAD is on no branch', async () => {
    const repository = testRepository({ a: '1' });
    repository.git('checkout', '--quiet', '--detach');
    const { tool } = await tryIn(repository.root);
    const isProtectedBranch = createIsProtectedBranch(repository.port());
    expect(await tool(isProtectedBranch, {})).toMatchObject({ error: { code: 'COULD_NOT_DETERMINE_BRANCH' } });
    expect(await tool(isProtectedBranch, { branch: '-x' })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });
});

test('C1: the files that a git tool is given are named for the rules', async () => {
  const repository = testRepository({ 'packages/one/secret': '1' });
  const { plan } = await tryIn(join(repository.root, 'packages'));
  const path = join(repository.root, 'packages/one/secret');
  for (const [tool, input] of [
    [createGitDiff(repository.port()), { files: ['one/secret'] }],
    [createGitLog(repository.port()), { file: 'one/secret' }],
  ] as const)
    expect((await plan(tool, input)).intent.targets).toContainEqual({ kind: 'path', path, access: 'read' });
});
