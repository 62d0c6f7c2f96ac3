import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partedRepository, type TestRepository, testRepository } from '../../git/testing/testRepository.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import { createGitBranch } from './gitBranch.ts';
import { createGitCommit } from './gitCommit.ts';
import { createGitDiff } from './gitDiff.ts';
import { createGitLog } from './gitLog.ts';
import { createGitMerge } from './gitMerge.ts';
import { createGitStage } from './gitStage.ts';
import { createGitStatus } from './gitStatus.ts';

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

/** A command that leaves a mark outside of every working tree, and whether it has run. */
function trap() {
  const mark = join(testFolder(), 'ran');
  return { command: `touch '${mark}'; cat`, hasRun: () => existsSync(mark) };
}

test('C12: a git that the project brings on PATH is not run, trusted or not', async () => {
  const repository = testRepository({ a: '1\n' });
  const { command, hasRun } = trap();
  mkdirSync(join(repository.root, '.venv/bin'), { recursive: true });
  writeFileSync(join(repository.root, '.venv/bin/git'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  const environment = {
    ...repository.environment,
    PATH: [join(repository.root, '.venv/bin'), 'bin', repository.environment['PATH']].join(delimiter),
  };
  const { tool } = await tryIn(repository.root);
  for (const trusted of [true, false])
    expect(await tool(createGitStatus(repository.port({ trusted, environment })), {})).toMatchObject({ success: true });
  expect(hasRun()).toBe(false);
});

describe('a folder that is not trusted has no program run by git (J1)', () => {
  test('not to fetch what the repository lacks', async () => {
    const repository = testRepository({ a: '1\n' });
    const { command, hasRun } = trap();
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'other'],
      ['remote.other.promisor', 'true'],
      ['remote.other.url', 'ssh://example.com/x'],
      ['core.sshCommand', command],
    ] as const)
      repository.git('config', key, value);
    const blob = repository.git('rev-parse', 'HEAD:a');
    rmSync(join(repository.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    writeFiles(repository.root, { a: '2\n' });
    const { tool } = await tryIn(repository.root);
    expect(code(await tool(createGitDiff(repository.port({ trusted: false })), {}))).toBe('GIT_ERROR');
    expect(hasRun()).toBe(false);
    await tool(createGitDiff(repository.port()), {});
    expect(hasRun()).toBe(true);
  });

  test('not as a filter whose name has an equals sign', async () => {
    const repository = testRepository({ a: '1\n' });
    const { command, hasRun } = trap();
    writeFiles(repository.root, { '.gitattributes': '* filter=a=b\n', a: '2\n' });
    repository.git('config', 'filter.a=b.clean', command);
    const { tool } = await tryIn(repository.root);
    const port = repository.port({ trusted: false });
    expect(await tool(createGitDiff(port), {})).toMatchObject({ data: { files: [{ path: 'a', additions: 1 }] } });
    expect(hasRun()).toBe(false);
    expect(code(await tool(createGitStage(port), {}))).toBe('UNTRUSTED');
    await tool(createGitDiff(repository.port()), {});
    expect(hasRun()).toBe(true);
  });

  test('not by the configuration of a submodule', async () => {
    const inner = testRepository({ a: '1\n' });
    const repository = testRepository({ top: '1\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
    repository.git('commit', '--quiet', '--message=sub');
    repository.git('branch', 'later');
    const { command, hasRun } = trap();
    const sub = (...words: string[]) => repository.git('-C', 'sub', ...words);
    writeFiles(repository.root, { 'sub/.gitattributes': '* diff=evil filter=evil\n', 'sub/a': '2\n' });
    sub('add', '--all');
    sub('commit', '--quiet', '--message=two');
    sub('config', 'diff.evil.textconv', command);
    sub('config', 'filter.evil.smudge', command);
    repository.git('config', 'diff.submodule', 'diff');
    repository.git('config', 'submodule.recurse', 'true');
    const { tool } = await tryIn(repository.root);
    const port = repository.port({ trusted: false });
    expect(await tool(createGitDiff(port), {})).toMatchObject({
      data: { files: [{ path: 'sub', additions: 1, deletions: 1 }] },
    });
    repository.git('commit', '--quiet', '--all', '--message=three');
    expect(await tool(createGitBranch(port), { action: 'switch', name: 'later' })).toMatchObject({ success: true });
    expect(await tool(createGitBranch(port), { action: 'switch', name: 'trunk' })).toMatchObject({ success: true });
    expect(hasRun()).toBe(false);
  });
});

describe('a folder that is not trusted shows and changes no other repository (P5)', () => {
  const named = async (prepare: (root: string, other: TestRepository) => void) => {
    const other = testRepository({ a: '1\n' });
    const root = testFolder();
    prepare(root, other);
    const { tool } = await tryIn(root);
    return code(await tool(createGitLog(other.port({ trusted: false })), {}));
  };

  test('not one that its .git names and that does not name it', async () => {
    expect(await named((root, other) => writeFiles(root, { '.git': `gitdir: ${other.root}/.git\n` }))).toBe(
      'PATH_TRAVERSAL_DETECTED',
    );
    const repository = testRepository({ a: '1\n' });
    const linked = join(testFolder(), 'linked');
    repository.git('worktree', 'add', '--quiet', linked);
    const { tool } = await tryIn(linked);
    expect(await tool(createGitLog(repository.port({ trusted: false })), {})).toMatchObject({ data: { count: 1 } });
  });

  test('not one that parts of its own repository lead to', async () => {
    const own = (root: string) => {
      mkdirSync(join(root, '.git/objects'), { recursive: true });
      mkdirSync(join(root, '.git/refs'));
      writeFiles(root, { '.git/HEAD': 'ref: refs/heads/trunk\n' });
    };
    expect(
      await named((root, other) => {
        own(root);
        writeFiles(root, { '.git/commondir': `${other.root}/.git\n` });
      }),
    ).toBe('PATH_TRAVERSAL_DETECTED');
    expect(
      await named((root, other) => {
        own(root);
        for (const part of ['objects', 'refs']) {
          rmSync(join(root, '.git', part), { recursive: true });
          symlinkSync(join(other.root, '.git', part), join(root, '.git', part));
        }
      }),
    ).toBe('PATH_TRAVERSAL_DETECTED');
  });

  test('not a working tree elsewhere', async () => {
    const repository = testRepository({ a: '1\n' });
    repository.git('config', 'core.worktree', testFolder({ secret: 's\n' }));
    const { tool } = await tryIn(repository.root);
    for (const trusted of [false, true])
      expect(code(await tool(createGitDiff(repository.port({ trusted })), {}))).toBe('PATH_TRAVERSAL_DETECTED');
  });

  test('of one around it only what concerns the folder', async () => {
    const outer = testRepository({ 'secret.txt': '1\n' });
    outer.git('branch', 'other');
    writeFiles(outer.root, { 'in/a': '1\n' });
    outer.git('add', '--all');
    outer.git('commit', '--quiet', '--message=of the folder');
    const { tool } = await tryIn(join(outer.root, 'in'));
    const port = outer.port({ trusted: false });
    expect(await tool(createGitLog(port), {})).toMatchObject({
      data: { count: 1, commits: [{ subject: 'of the folder' }] },
    });
    expect(await tool(createGitLog(outer.port()), {})).toMatchObject({ data: { count: 2 } });
    expect(await tool(createGitStatus(port), {})).toMatchObject({ data: { clean: true } });
    expect(code(await tool(createGitBranch(port), { action: 'switch', name: 'other' }))).toBe('UNTRUSTED');
    expect(code(await tool(createGitMerge(port), { branch: 'other' }))).toBe('UNTRUSTED');
    expect(await tool(createGitBranch(outer.port()), { action: 'switch', name: 'other' })).toMatchObject({
      data: { switched: true },
    });
  });
});

test('the inside of a repository is none', async () => {
  const repository = testRepository({ a: '1\n' });
  const { tool } = await tryIn(repository.root);
  expect(code(await tool(createGitLog(repository.port()), { repoPath: '.git' }))).toBe('NOT_A_GIT_REPOSITORY');
});

test('of several paths of which one is ignored none is staged', async () => {
  const repository = testRepository({ a: '1\n', '.gitignore': 'ignored\n' });
  writeFiles(repository.root, { a: '2\n', ignored: 'x' });
  const { tool } = await tryIn(repository.root);
  expect(code(await tool(createGitStage(repository.port()), { files: ['a', 'ignored'] }))).toBe('GIT_ERROR');
  expect(repository.git('diff', '--cached', '--name-only')).toBe('');
});

test('a revision is no branch to merge, and a message is not blank', async () => {
  const repository = testRepository({ a: '1\n' });
  repository.git('commit', '--quiet', '--allow-empty', '--message=two');
  repository.git('branch', 'topic');
  const { tool } = await tryIn(repository.root);
  const merge = createGitMerge(repository.port());
  for (const branch of ['topic~1', 'topic@{0}', 'topic^{}'])
    expect(code(await tool(merge, { branch }))).toBe('BRANCH_NOT_FOUND');
  expect(code(await tool(merge, { branch: 'topic', message: ' ' }))).toBe('VALIDATION_ERROR');
});

test('the configuration changes neither the encoding of messages nor the form of answers', async () => {
  const repository = testRepository({ a: '1\n\n2\n' });
  for (const [key, value] of [
    ['i18n.commitEncoding', 'ISO-8859-1'],
    ['i18n.logOutputEncoding', 'ISO-8859-1'],
    ['diff.suppressBlankEmpty', 'true'],
    ['branch.trunk.mergeOptions', '--squash'],
  ] as const)
    repository.git('config', key, value);
  repository.git('branch', 'up');
  writeFiles(repository.root, { a: '1\n\n3\n' });
  const { tool } = await tryIn(repository.root);
  expect(await tool(createGitDiff(repository.port()), {})).toMatchObject({
    data: { files: [{ hunks: [{ lines: [' 1', ' ', '-2', '+3'] }] }] },
  });
  await tool(createGitCommit(repository.port()), { message: 'caf\u00e9', stageAll: true });
  expect(repository.git('cat-file', 'commit', 'HEAD')).not.toContain('encoding');
  expect(await tool(createGitLog(repository.port()), { maxCount: 1 })).toMatchObject({
    data: { commits: [{ subject: 'caf\u00e9' }] },
  });
  repository.git('switch', '--quiet', 'up');
  repository.git('commit', '--quiet', '--allow-empty', '--message=on up');
  repository.git('switch', '--quiet', 'trunk');
  expect(await tool(createGitMerge(repository.port()), { branch: 'up' })).toMatchObject({
    data: { merged: true, alreadyUpToDate: false },
  });
  expect(readFileSync(join(repository.root, '.git/HEAD'), 'utf8')).toContain('trunk');
});

test('a file in conflict is told as such among the changes, and others keep their own hunks', async () => {
  const repository = partedRepository({ a: '1\n', b: '1\n' });
  const { tool } = await tryIn(repository.root);
  expect(code(await tool(createGitMerge(repository.port()), { branch: 'topic' }))).toBe('CONFLICT');
  writeFiles(repository.root, { b: '2\n' });
  expect(await tool(createGitDiff(repository.port()), {})).toMatchObject({
    data: {
      files: [
        {
          path: 'a',
          status: 'conflicted',
          hunks: [{ lines: ['+<<<<<<< HEAD', ' trunk', '+=======', '+topic', '+>>>>>>> topic'] }],
        },
        { path: 'b', status: 'modified', hunks: [{ lines: ['-1', '+2'] }] },
      ],
      raw: expect.stringMatching(/^\* Unmerged path a\ndiff --git a\/a b\/a\n(?:.*\n)*\+<<<<<<< HEAD\n/),
    },
  });
  // As our side has it: in conflict all the same, and no other file is taken for it.
  writeFiles(repository.root, { a: 'trunk\n' });
  expect(await tool(createGitDiff(repository.port()), {})).toMatchObject({
    data: {
      files: [
        { path: 'a', status: 'conflicted', hunks: [] },
        { path: 'b', hunks: [{ lines: ['-1', '+2'] }] },
      ],
    },
  });
});

test('what git cannot be handed is refused by the name of its input', async () => {
  const repository = testRepository({ a: '1\n' });
  const { tool } = await tryIn(repository.root);
  for (const [made, input, path] of [
    [createGitLog, { author: 'a\0b' }, 'author'],
    [createGitLog, { since: 'a\0b' }, 'since'],
    [createGitBranch, { action: 'create', name: 'a\0b' }, 'name'],
    [createGitCommit, { message: 'a\0b', allowEmpty: true }, 'message'],
    [createGitMerge, { branch: 'a\0b' }, 'branch'],
  ] as const)
    expect(await tool(made(repository.port()), input)).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ path }] },
    });
});
