import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TestRepository, testEnvironment, testRepository } from '../../git/testing/testRepository.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { writeFiles } from '../../workspace/testing/testFolder.ts';
import { createGitBranch } from './gitBranch.ts';
import { createGitCommit } from './gitCommit.ts';
import { createGitMerge } from './gitMerge.ts';
import { createGitStage, createGitUnstage } from './gitStage.ts';

const code = (result: unknown): unknown => (result as { error?: { code: string } }).error?.code;

describe('git_stage and git_unstage', () => {
  test('stage everything, also what is deleted, and take it back, leaving the files', async () => {
    const repository = testRepository({ a: '1', b: '1' });
    rmSync(join(repository.root, 'a'));
    writeFiles(repository.root, { b: '2', 'new file': 'x' });
    const { tool } = await tryIn(repository.root);
    const [stage, unstage] = [createGitStage(repository.port()), createGitUnstage(repository.port())];
    expect(await tool(stage, {})).toEqual({ success: true, data: { staged: ['a', 'b', 'new file'] } });
    expect(await tool(unstage, { files: ['a'] })).toEqual({ success: true, data: { unstaged: ['a'] } });
    expect(await tool(unstage, {})).toEqual({ success: true, data: { unstaged: ['b', 'new file'] } });
    expect(readFileSync(join(repository.root, 'b'), 'utf8')).toBe('2');
    expect(await tool(stage, { files: ['a'] })).toEqual({ success: true, data: { staged: ['a'] } });
  });

  test('unstaging works before the first commit', async () => {
    const repository = testRepository();
    writeFiles(repository.root, { a: '1' });
    repository.git('add', 'a');
    const { tool } = await tryIn(repository.root);
    expect(await tool(createGitUnstage(repository.port()), {})).toEqual({ success: true, data: { unstaged: ['a'] } });
    expect(repository.git('status', '--porcelain')).toBe('?? a');
  });

  test('a path that is not there stages nothing, names are literal, and options are refused', async () => {
    const repository = testRepository({ a: '1' });
    writeFiles(repository.root, { a: '2', b: '1' });
    const { tool } = await tryIn(repository.root);
    const stage = createGitStage(repository.port());
    expect(code(await tool(stage, { files: ['a', 'missing'] }))).toBe('FILE_NOT_FOUND');
    expect(code(await tool(stage, { files: ['*'] }))).toBe('FILE_NOT_FOUND');
    expect(code(await tool(stage, { files: ['-A'] }))).toBe('VALIDATION_ERROR');
    expect(code(await tool(stage, { files: [''] }))).toBe('VALIDATION_ERROR');
    expect(code(await tool(stage, { files: ['../a'] }))).toBe('PATH_TRAVERSAL_DETECTED');
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    expect(stage.permission).toBe('moderate');
  });
});

describe('marks of a conflict', () => {
  const marked = 'one\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n';

  test('are neither staged nor committed, wherever they stand', async () => {
    const repository = testRepository({ a: '1', b: '1' });
    writeFiles(repository.root, { a: marked, new: marked, b: '=======\n' });
    const { tool } = await tryIn(repository.root);
    const [stage, commit] = [createGitStage(repository.port()), createGitCommit(repository.port())];
    expect(await tool(stage, {})).toMatchObject({ error: { code: 'CONFLICT', details: { files: ['a', 'new'] } } });
    expect(await tool(stage, { files: ['b'] })).toMatchObject({ success: true });
    expect(await tool(commit, { message: 'm', stageAll: true })).toMatchObject({
      error: { code: 'CONFLICT', details: { files: ['a', 'new'] } },
    });
    repository.git('add', 'a');
    expect(await tool(commit, { message: 'm' })).toMatchObject({
      error: { code: 'CONFLICT', details: { files: ['a'] } },
    });
    writeFiles(repository.root, { a: 'resolved\n', new: 'x' });
    expect(await tool(commit, { message: 'm', stageAll: true })).toMatchObject({ success: true });
  });

  test.each([
    ['of one side alone', 'a', '<<<<<<< HEAD\nours\n'],
    ['of the other side alone', 'a', 'theirs\n>>>>>>> other\n'],
    ['with the line ends of Windows', 'a', marked.replaceAll('\n', '\r\n')],
    ['without names', 'a', '<<<<<<<\nours\n=======\n>>>>>>>\n'],
    ['beyond the beginning of a large file', 'a', `${'filler of a line\n'.repeat(400_000)}${marked}`],
    ['beside bytes that are no text', 'a', `\0\n${marked}`],
    ['in a file with a name of many signs', 'sub/ä "b" c', marked],
  ])('are refused %s, in the working tree and in the index', async (_, file, text) => {
    const repository = testRepository({ b: '1' });
    writeFiles(repository.root, { [file]: text });
    const { tool } = await tryIn(repository.root);
    const conflict = { error: { code: 'CONFLICT', details: { files: [file] } } };
    expect(await tool(createGitStage(repository.port()), {})).toMatchObject(conflict);
    repository.git('add', '--all');
    expect(await tool(createGitCommit(repository.port()), { message: 'm' })).toMatchObject(conflict);
    writeFiles(repository.root, { [file]: 'resolved only here' });
    expect(await tool(createGitCommit(repository.port()), { message: 'm' })).toMatchObject(conflict);
  });

  test('that the last commit has too are no matter', async () => {
    const repository = testRepository({ 'conflicts.md': marked });
    writeFiles(repository.root, { 'conflicts.md': `# About conflicts\n${marked}` });
    const { tool } = await tryIn(repository.root);
    const commit = createGitCommit(repository.port());
    expect(await tool(commit, { message: 'm', stageAll: true })).toMatchObject({ success: true });
    writeFiles(repository.root, { 'conflicts.md': `${marked}${marked}` });
    expect(code(await tool(commit, { message: 'm', stageAll: true }))).toBe('CONFLICT');
  });
});

describe('git_commit', () => {
  test('commits what is staged and tells it', async () => {
    const repository = testRepository({ a: '1' });
    writeFiles(repository.root, { a: '2', b: '1' });
    repository.git('add', 'a');
    const { tool } = await tryIn(repository.root);
    const result = await tool(createGitCommit(repository.port()), { message: '# Second\n\nwith "quotes" and $HOME' });
    const hash = repository.git('rev-parse', 'HEAD');
    expect(result).toEqual({
      success: true,
      data: {
        hash,
        shortHash: repository.git('rev-parse', '--short', 'HEAD'),
        branch: 'trunk',
        summary: '# Second',
        filesChanged: 1,
        warnings: [],
      },
    });
    expect(repository.git('log', '-1', '--format=%B')).toBe('# Second\n\nwith "quotes" and $HOME');
    expect(repository.git('status', '--porcelain')).toBe('?? b');
  });

  test('stageFiles adds to the index, stageAll takes everything, both together are refused', async () => {
    const repository = testRepository({ a: '1', b: '1' });
    writeFiles(repository.root, { a: '2', b: '2', c: '1' });
    const { tool } = await tryIn(repository.root);
    const commit = createGitCommit(repository.port());
    expect(code(await tool(commit, { message: 'x' }))).toBe('NOTHING_TO_COMMIT');
    expect(code(await tool(commit, { message: 'x', stageFiles: ['a'], stageAll: true }))).toBe('VALIDATION_ERROR');
    expect(code(await tool(commit, { message: 'x', stageFiles: ['nope'] }))).toBe('FILE_NOT_FOUND');
    expect(await tool(commit, { message: 'one', stageFiles: ['a'] })).toMatchObject({ data: { filesChanged: 1 } });
    expect(await tool(commit, { message: 'rest', stageAll: true })).toMatchObject({ data: { filesChanged: 2 } });
    expect(code(await tool(commit, { message: 'x', stageAll: true }))).toBe('NOTHING_TO_COMMIT');
    expect(await tool(commit, { message: 'empty', allowEmpty: true })).toMatchObject({ data: { filesChanged: 0 } });
    expect(await tool(commit, { message: 'reworded', amend: true, allowEmpty: true })).toMatchObject({
      data: { summary: 'reworded' },
    });
    expect(repository.git('log', '--format=%s')).toBe('reworded\nrest\none\nfirst');
  });

  test('the first commit can be made, but not amended', async () => {
    const repository = testRepository();
    writeFiles(repository.root, { a: '1' });
    const { tool } = await tryIn(repository.root);
    const commit = createGitCommit(repository.port());
    expect(code(await tool(commit, { message: 'x', amend: true }))).toBe('NOTHING_TO_COMMIT');
    expect(await tool(commit, { message: 'x', stageAll: true })).toMatchObject({
      data: { branch: 'trunk', filesChanged: 1 },
    });
  });

  test('a protected branch is a warning in the preview and in the result', async () => {
    const repository = testRepository({ a: '1' });
    writeFiles(repository.root, { a: '2' });
    const { tool, plan } = await tryIn(repository.root);
    const commit = createGitCommit(repository.port({ protectedBranches: ['trunk'] }));
    const warning = 'trunk is a protected branch: consider a branch of your own';
    expect((await plan(commit, { message: 'x', stageAll: true })).intent.preview).toEqual({
      kind: 'text',
      title: 'Commit',
      text: `on trunk\n${warning}\n\nx\n\na`,
    });
    expect(await tool(commit, { message: 'x', stageAll: true })).toMatchObject({ data: { warnings: [warning] } });
    expect(commit.permission).toBe('dangerous');
  });

  test('what was shown is what is committed: a change in between is STALE', async () => {
    const repository = testRepository({ a: '1', b: '1' });
    writeFiles(repository.root, { a: '2' });
    const { tool } = await tryIn(repository.root);
    const meanwhile = () => {
      writeFiles(repository.root, { b: '2' });
      repository.git('add', 'b');
    };
    expect(
      code(await tool(createGitCommit(repository.port()), { message: 'x', stageFiles: ['a'] }, { meanwhile })),
    ).toBe('STALE');
    expect(repository.git('log', '--format=%s')).toBe('first');
  });

  test('blank messages and unknown committers are refused', async () => {
    const repository = testRepository({ a: '1' });
    writeFiles(repository.root, { a: '2' });
    const { tool } = await tryIn(repository.root);
    expect(code(await tool(createGitCommit(repository.port()), { message: ' \n' }))).toBe('VALIDATION_ERROR');
    const {
      GIT_AUTHOR_NAME: _,
      GIT_AUTHOR_EMAIL: __,
      GIT_COMMITTER_NAME: ___,
      GIT_COMMITTER_EMAIL: ____,
      ...rest
    } = testEnvironment;
    repository.git('config', 'user.useConfigOnly', 'true');
    const nobody = createGitCommit(repository.port({ environment: rest }));
    expect(code(await tool(nobody, { message: 'x', stageAll: true }))).toBe('GIT_IDENTITY_MISSING');
  });

  test('a hook that fails stops the commit of a trusted folder; in an untrusted one no hook runs', async () => {
    const repository = testRepository({ a: '1' });
    writeHook(repository, 'pre-commit', 'touch ran; echo no way >&2; exit 1');
    writeFiles(repository.root, { a: '2' });
    const { tool } = await tryIn(repository.root);
    const input = { message: 'x', stageFiles: ['a'] };
    expect(await tool(createGitCommit(repository.port({ trusted: false })), input)).toMatchObject({
      data: { warnings: ['Hooks that do not run, since this folder is not trusted: pre-commit'] },
    });
    expect(existsSync(join(repository.root, 'ran'))).toBe(false);
    writeFiles(repository.root, { a: '3' });
    expect(await tool(createGitCommit(repository.port()), input)).toMatchObject({
      error: { code: 'GIT_ERROR', details: { stderr: 'no way' } },
    });
    expect(existsSync(join(repository.root, 'ran'))).toBe(true);
  });
});

test('J1: filters, fsmonitor and merge drivers of an untrusted folder never run', async () => {
  const repository = testRepository({ a: '1\n', '.gitattributes': '* filter=evil\n' });
  repository.git('config', 'filter.evil.clean', 'touch ran; cat');
  repository.git('config', 'core.fsmonitor', 'touch ran; false');
  repository.git('config', 'diff.external', 'touch ran; false');
  writeFiles(repository.root, { a: '2\n' });
  const { tool } = await tryIn(repository.root);
  const port = repository.port({ trusted: false });
  const { createGitStatus } = await import('./gitStatus.ts');
  const { createGitDiff } = await import('./gitDiff.ts');
  expect(await tool(createGitStatus(port), {})).toMatchObject({ data: { files: [{ path: 'a' }] } });
  expect(await tool(createGitDiff(port), {})).toMatchObject({ data: { files: [{ path: 'a', additions: 1 }] } });
  expect(code(await tool(createGitStage(port), {}))).toBe('UNTRUSTED');
  expect(code(await tool(createGitCommit(port), { message: 'x', stageAll: true }))).toBe('UNTRUSTED');
  repository.git('config', '--unset', 'filter.evil.clean');
  repository.git('config', 'merge.evil.driver', 'touch ran');
  repository.git('branch', 'other');
  expect(code(await tool(createGitMerge(port), { branch: 'other' }))).toBe('UNTRUSTED');
  expect(existsSync(join(repository.root, 'ran'))).toBe(false);
  repository.git('config', 'filter.evil.clean', 'touch ran; cat');
  expect(await tool(createGitStage(repository.port()), {})).toMatchObject({ success: true });
  expect(existsSync(join(repository.root, 'ran'))).toBe(true);
});

describe('git_branch', () => {
  test('lists, tells, creates without switching, and switches', async () => {
    const repository = testRepository({ a: '1' });
    const { tool } = await tryIn(repository.root);
    const branch = createGitBranch(repository.port());
    const hash = repository.git('rev-parse', 'HEAD');
    expect(await tool(branch, { action: 'create', name: 'x/y' })).toEqual({
      success: true,
      data: { branch: 'x/y', created: true },
    });
    expect(await tool(branch, { action: 'current' })).toEqual({
      success: true,
      data: { branch: 'trunk', detached: false },
    });
    expect(await tool(branch, { action: 'switch', name: 'x/y' })).toEqual({
      success: true,
      data: { branch: 'x/y', switched: true, previous: 'trunk', warnings: [] },
    });
    repository.git('config', 'branch.x/y.remote', '.');
    repository.git('config', 'branch.x/y.merge', 'refs/heads/trunk');
    expect(await tool(branch, {})).toEqual({
      success: true,
      data: {
        branches: [
          { name: 'trunk', current: false, hash },
          { name: 'x/y', current: true, upstream: 'trunk', hash },
        ],
        current: 'x/y',
      },
    });
  });

  test('names that are missing, wrong, taken or unknown are refused', async () => {
    const repository = testRepository({ a: '1' });
    const { tool } = await tryIn(repository.root);
    const branch = createGitBranch(repository.port());
    expect(code(await tool(branch, { action: 'create' }))).toBe('VALIDATION_ERROR');
    expect(code(await tool(branch, { action: 'switch', name: '' }))).toBe('VALIDATION_ERROR');
    expect(code(await tool(branch, { action: 'switch', name: '--detach' }))).toBe('VALIDATION_ERROR');
    expect(code(await tool(branch, { action: 'remove' }))).toBe('VALIDATION_ERROR');
    for (const name of ['a b', 'a..b', 'x.lock', 'HEAD', '@{-1}'])
      expect(code(await tool(branch, { action: 'create', name }))).toBe('INVALID_BRANCH_NAME');
    expect(code(await tool(branch, { action: 'create', name: 'trunk' }))).toBe('BRANCH_ALREADY_EXISTS');
    expect(code(await tool(branch, { action: 'switch', name: 'nope' }))).toBe('BRANCH_NOT_FOUND');
    expect(branch.permission).toBe('moderate');
  });

  test('a switch that would lose local changes is refused and loses nothing', async () => {
    const repository = testRepository({ a: '1' });
    repository.git('switch', '--quiet', '--create', 'other');
    writeFiles(repository.root, { a: '2' });
    repository.git('commit', '--quiet', '--all', '--message=other');
    writeFiles(repository.root, { a: 'mine' });
    const { tool } = await tryIn(repository.root);
    expect(await tool(createGitBranch(repository.port()), { action: 'switch', name: 'trunk' })).toMatchObject({
      error: { code: 'WORKTREE_DIRTY', details: { files: ['a'] } },
    });
    expect(readFileSync(join(repository.root, 'a'), 'utf8')).toBe('mine');
  });

  test('no branch can start before the first commit', async () => {
    const repository = testRepository();
    const { tool } = await tryIn(repository.root);
    const branch = createGitBranch(repository.port());
    expect(code(await tool(branch, { action: 'create', name: 'x' }))).toBe('GIT_ERROR');
    expect(await tool(branch, {})).toEqual({ success: true, data: { branches: [], current: 'trunk' } });
  });
});

describe('git_merge', () => {
  const forked = (): TestRepository => {
    const repository = testRepository({ a: '1\n' });
    repository.git('switch', '--quiet', '--create', 'topic');
    writeFiles(repository.root, { a: 'topic\n', b: 'topic\n' });
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message=topic');
    repository.git('switch', '--quiet', 'trunk');
    return repository;
  };

  test('goes forward, makes a commit when asked to, and knows when nothing is to do', async () => {
    const repository = forked();
    const { tool } = await tryIn(repository.root);
    const merge = createGitMerge(repository.port());
    const topic = repository.git('rev-parse', 'topic');
    expect(await tool(merge, { branch: 'topic' })).toEqual({
      success: true,
      data: { merged: true, fastForward: true, hash: topic, alreadyUpToDate: false, warnings: [] },
    });
    expect(await tool(merge, { branch: 'topic' })).toMatchObject({
      data: { alreadyUpToDate: true, fastForward: false },
    });
    const again = forked();
    const other = await tryIn(again.root);
    expect(
      await other.tool(createGitMerge(again.port()), { branch: 'topic', noFf: true, message: 'join' }),
    ).toMatchObject({
      data: { fastForward: false, alreadyUpToDate: false },
    });
    expect(again.git('log', '-1', '--format=%s|%P').split(' ')).toHaveLength(2);
  });

  test('conflicts are named and left to be resolved; they cannot be committed before', async () => {
    const repository = forked();
    writeFiles(repository.root, { a: 'ours\n' });
    repository.git('commit', '--quiet', '--all', '--message=ours');
    const { tool } = await tryIn(repository.root);
    expect(await tool(createGitMerge(repository.port()), { branch: 'topic' })).toMatchObject({
      error: { code: 'CONFLICT', details: { files: ['a'], abort: 'git merge --abort' } },
    });
    const commit = createGitCommit(repository.port());
    expect(await tool(commit, { message: 'x' })).toMatchObject({
      error: { code: 'CONFLICT', details: { files: ['a'] } },
    });
    writeFiles(repository.root, { a: 'both\n' });
    expect(await tool(commit, { message: 'merged', stageAll: true })).toMatchObject({ success: true });
    expect(repository.git('log', '-1', '--format=%P').split(' ')).toHaveLength(2);
  });

  test('unknown branches, options, local changes in the way and branches that moved are refused', async () => {
    const repository = forked();
    const { tool } = await tryIn(repository.root);
    const merge = createGitMerge(repository.port());
    expect(code(await tool(merge, { branch: 'nope' }))).toBe('BRANCH_NOT_FOUND');
    expect(code(await tool(merge, { branch: '--abort' }))).toBe('VALIDATION_ERROR');
    const meanwhile = () => void repository.git('branch', '--force', 'topic', 'trunk');
    const topic = repository.git('rev-parse', 'topic');
    expect(code(await tool(merge, { branch: 'topic' }, { meanwhile }))).toBe('STALE');
    repository.git('branch', '--force', 'topic', topic);
    writeFiles(repository.root, { b: 'untracked' });
    expect(await tool(merge, { branch: 'topic' })).toMatchObject({
      error: { code: 'WORKTREE_DIRTY', details: { files: ['b'] } },
    });
    expect(merge.permission).toBe('dangerous');
  });
});

test('the hooks that a switch and a merge of an untrusted folder leave out are told', async () => {
  const repository = testRepository({ a: '1\n' });
  repository.git('switch', '--quiet', '--create', 'topic');
  repository.git('commit', '--quiet', '--allow-empty', '--message=topic');
  for (const name of ['post-checkout', 'post-merge', 'pre-push']) writeHook(repository, name, 'touch ran');
  // Of no hook is spoken that git would not run either.
  writeHook(repository, 'pre-merge-commit', 'touch ran');
  chmodSync(join(repository.root, '.git/hooks/pre-merge-commit'), 0o644);
  const { tool } = await tryIn(repository.root);
  const port = repository.port({ trusted: false });
  expect(await tool(createGitBranch(port), { action: 'switch', name: 'trunk' })).toMatchObject({
    data: { warnings: ['Hooks that do not run, since this folder is not trusted: post-checkout'] },
  });
  expect(await tool(createGitMerge(port), { branch: 'topic' })).toMatchObject({
    data: { merged: true, warnings: ['Hooks that do not run, since this folder is not trusted: post-merge'] },
  });
  expect(existsSync(join(repository.root, 'ran'))).toBe(false);
});

function writeHook({ root }: TestRepository, name: string, script: string): void {
  writeFiles(root, { [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(root, '.git/hooks', name), 0o755);
}

test('git_merge merges the branch that was shown, although a tag has its name; the message names the branch', async () => {
  const repository = testRepository({ a: '1\n' });
  repository.git('tag', 'same');
  repository.git('switch', '--quiet', '--create', 'same');
  writeFiles(repository.root, { b: '2\n' });
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=second');
  repository.git('switch', '--quiet', 'trunk');
  const { tool } = await tryIn(repository.root);
  const merged = await tool(createGitMerge(repository.port()), { branch: 'same', noFf: true });
  expect(merged).toMatchObject({ data: { merged: true, alreadyUpToDate: false } });
  expect(repository.git('log', '-1', '--format=%s')).toBe("Merge branch 'same'");
});
