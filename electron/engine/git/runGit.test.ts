import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../workspace/testing/testFolder.ts';
import { gitEnvironment } from './gitEnvironment.ts';
import { type GitPlace, runGit } from './runGit.ts';
import { testEnvironment, testRepository } from './testing/testRepository.ts';

const placeOf = (cwd: string): GitPlace => ({
  cwd,
  environment: gitEnvironment(testEnvironment, [], '/none'),
  settings: [],
});

test('variables that redirect git, ask or open an editor do not reach it, and neither do secrets', () => {
  const made = gitEnvironment(
    {
      PATH: '/bin',
      GIT_DIR: '/x',
      GIT_SSH_COMMAND: 'evil',
      GIT_EXTERNAL_DIFF: 'evil',
      GIT_EDITOR: 'vi',
      KEY: 's3cret',
    },
    ['s3cret'],
    '/none',
  );
  expect(made).toEqual({
    PATH: '/bin',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C.UTF-8',
    LANGUAGE: 'C',
  });
});

test('what git prints beyond the limit is dropped and said to be', async () => {
  const { root } = testRepository({ a: 'x'.repeat(1000) });
  const read = await runGit(placeOf(root), ['show', 'HEAD:a'], { maxBytes: 10 });
  expect(read).toEqual({ ok: true, value: { stdout: 'x'.repeat(10), stderr: '', code: 0, truncated: true } });
});

test.each([
  ['a NUL', 'a\0b'],
  ['200,000 bytes', 'x'.repeat(200_000)],
])('a word that no system hands on is refused: %s', async (_, word) => {
  const { root } = testRepository({ a: '' });
  expect(await runGit(placeOf(root), ['log', `--author=${word}`])).toMatchObject({
    ok: false,
    error: { code: 'VALIDATION_ERROR' },
  });
});

test('a failure is GIT_ERROR with what git said', async () => {
  const read = await runGit(placeOf(testFolder()), ['cat-file', '-p', 'nothing']);
  expect(read).toMatchObject({ ok: false, error: { code: 'GIT_ERROR', details: { exitCode: 128 } } });
});

test('a machine without git is told so', async () => {
  const place = { ...placeOf(testFolder()), environment: { PATH: '/nowhere' } };
  expect(await runGit(place, ['--version'])).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
});

test.runIf(process.platform !== 'win32')('time limit and stop end git with what it has started', async () => {
  const { root, git } = testRepository({ a: '1' });
  // An alias runs a program as a hook would; it tells that it runs by making a file.
  git('config', 'alias.wait', '!touch "$PWD/runs"; sleep 300');
  expect(await runGit(placeOf(root), ['wait'], { timeoutMs: 100 })).toMatchObject({ error: { code: 'TIMEOUT' } });
  const stop = new AbortController();
  const running = runGit(placeOf(root), ['wait'], { signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ error: { code: 'CANCELLED' } });
  expect(await runGit(placeOf(root), ['wait'], { signal: stop.signal })).toMatchObject({
    error: { code: 'CANCELLED' },
  });
  // A program that ignores TERM is killed: the test file fails on processes that are left.
  writeFiles(root, { stubborn: '#!/bin/sh\ntrap "" TERM\ntouch "$PWD/deaf"\nsleep 300 & wait\nsleep 300\n' });
  chmodSync(join(root, 'stubborn'), 0o755);
  git('config', 'alias.deaf', '!./stubborn');
  expect(await runGit(placeOf(root), ['deaf'], { timeoutMs: 500 })).toMatchObject({ error: { code: 'TIMEOUT' } });
  expect(existsSync(join(root, 'deaf'))).toBe(true);
});

test.runIf(process.platform !== 'win32')('what a hook leaves behind does not hold the answer up', async () => {
  const { root, git } = testRepository({ a: '1' });
  git('config', 'alias.leave', '!sleep 300 & echo $!');
  const read = await runGit(placeOf(root), ['leave']);
  if (!read.ok) throw new Error(read.error.message);
  process.kill(Number(read.value.stdout), 'SIGKILL');
  expect(read.value.code).toBe(0);
});
