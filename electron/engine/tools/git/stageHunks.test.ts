import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestRepository, testEnvironment, testRepository } from '../../git/testing/testRepository.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { createGitStage, createGitUnstage } from './gitStage.ts';

const lines = (changed: Readonly<Record<number, string>> = {}, end = '\n'): string =>
  Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `line ${at}`}${end}`).join('');

/** The bytes of a file in the index. */
const inIndex = ({ root }: TestRepository, path: string): string =>
  execFileSync('git', ['show', `:${path}`], { cwd: root, env: testEnvironment, encoding: 'latin1' });

async function trial(files: Readonly<Record<string, string>>) {
  const repository = testRepository(files);
  const { tool } = await tryIn(repository.root);
  return {
    repository,
    write: (path: string, text: string | Uint8Array) => writeFileSync(join(repository.root, path), text),
    stage: (input: object) => tool(createGitStage(repository.port()), input),
    unstage: (input: object) => tool(createGitUnstage(repository.port()), input),
  };
}

test('one hunk of two is staged and taken out again, and the file stays as it is', async () => {
  const { repository, write, stage, unstage } = await trial({ a: lines() });
  const after = lines({ 3: 'first', 30: 'second' });
  write('a', after);
  expect(await stage({ files: ['a'], hunks: [2] })).toEqual({ success: true, data: { staged: ['a'] } });
  expect(inIndex(repository, 'a')).toBe(lines({ 30: 'second' }));
  // What is left is one hunk now.
  expect(await stage({ files: ['a'], hunks: [1] })).toMatchObject({ success: true });
  expect(inIndex(repository, 'a')).toBe(after);
  expect(await unstage({ files: ['a'], hunks: [1] })).toMatchObject({ success: true });
  expect(inIndex(repository, 'a')).toBe(lines({ 30: 'second' }));
  expect(readFileSync(join(repository.root, 'a'), 'utf8')).toBe(after);
});

test('among lines that are all alike the chosen hunk stands where it was shown, forth and back', async () => {
  const same = 'x\n'.repeat(60);
  const { repository, write, stage, unstage } = await trial({ a: same });
  const after = `${'x\n'.repeat(10)}${'new\n'.repeat(9)}${'x\n'.repeat(30)}here\n${'x\n'.repeat(20)}`;
  write('a', after);
  await stage({ files: ['a'], hunks: [2] });
  expect(inIndex(repository, 'a')).toBe(`${'x\n'.repeat(40)}here\n${'x\n'.repeat(20)}`);
  repository.git('add', 'a');
  await unstage({ files: ['a'], hunks: [2] });
  expect(inIndex(repository, 'a')).toBe(after.replace('here\n', ''));
});

test.each([
  ['Windows line ends', lines({}, '\r\n'), lines({ 3: 'a', 30: 'b' }, '\r\n'), lines({ 3: 'a' }, '\r\n')],
  ['no line end at the end', `${lines()}end`, `${lines({ 3: 'a' })}other end`, `${lines({ 3: 'a' })}end`],
  ['a line end that comes', `${lines()}end`, `${lines({ 3: 'a' })}end\n`, `${lines({ 3: 'a' })}end`],
  [
    'tabs and blanks at line ends',
    lines({ 5: 'x \t' }),
    lines({ 5: 'x \t', 3: 'a \t ', 30: 'b' }),
    lines({ 5: 'x \t', 3: 'a \t ' }),
  ],
])('a hunk of a file with %s is staged byte for byte', async (_name, before, after, expected) => {
  const { repository, write, stage } = await trial({ a: before });
  repository.git('config', 'core.autocrlf', 'false');
  write('a', after);
  expect(await stage({ files: ['a'], hunks: [1] })).toMatchObject({ success: true });
  expect(inIndex(repository, 'a')).toBe(expected);
});

test('a file that is deleted is one hunk; one that was moved away goes by its old name', async () => {
  const { repository, stage, unstage } = await trial({ a: lines(), b: 'one\n' });
  rmSync(join(repository.root, 'a'));
  expect(await stage({ files: ['a'], hunks: [1] })).toMatchObject({ success: true });
  expect(repository.git('status', '--porcelain')).toBe('D  a');
  expect(await unstage({ files: ['a'], hunks: [1] })).toMatchObject({ success: true });
  repository.git('checkout', '--', 'a');
  renameSync(join(repository.root, 'b'), join(repository.root, 'c'));
  expect(await stage({ files: ['b'], hunks: [1] })).toMatchObject({ success: true });
  expect(repository.git('status', '--porcelain')).toBe('D  b\n?? c');
});

test('what has no hunks says that it goes as a whole: binary, untracked, not UTF-8, a submodule', async () => {
  const { repository, write, stage } = await trial({ a: lines(), bytes: 'x\0y', latin: 'caf\n' });
  write('bytes', 'x\0z');
  write('new', 'x\n');
  write('latin', Buffer.from('caf\xe9\n', 'latin1'));
  const other = testRepository({ x: '1' });
  repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', other.root, 'sub');
  repository.git('commit', '--quiet', '--message=sub');
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '--message=more'], {
    cwd: join(repository.root, 'sub'),
    env: {
      ...testEnvironment,
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b',
    },
  });
  for (const path of ['bytes', 'new', 'latin', 'sub'])
    expect(await stage({ files: [path], hunks: [1] }), path).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('goes as a whole') },
    });
  expect(repository.git('diff', '--cached', '--name-only')).toBe('');
});

test('hunks that are other than those that were shown are refused, and so is a number that is none', async () => {
  const { write, stage } = await trial({ a: lines() });
  write('a', lines({ 3: 'x' }));
  expect(await stage({ files: ['a'], hunks: [1], of: 'another' })).toMatchObject({ error: { code: 'STALE' } });
  expect(await stage({ files: ['a'], hunks: [2] })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  expect(await stage({ files: ['a', 'b'], hunks: [1] })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
});
