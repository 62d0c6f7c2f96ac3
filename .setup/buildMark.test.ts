import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildMark } from './buildMark.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-mark-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a build without a repository has no mark', () => {
  expect(buildMark(tempFolder())).toBeUndefined();
});

test.skipIf(!hasGit)('a build is marked with the commit, its date, and that files have been changed since', () => {
  const folder = tempFolder();
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.example'];
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...who, ...words], {
      stdio: 'ignore',
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' },
    });
  git('init');
  writeFileSync(join(folder, 'a'), 'a');
  git('add', 'a');
  git('commit', '-m', 'a');
  expect(buildMark(folder)).toMatch(/^[0-9a-f]{7,}, 2026-01-02$/);
  writeFileSync(join(folder, 'a'), 'b');
  expect(buildMark(folder)).toMatch(/, 2026-01-02, changed$/);
  mkdirSync(join(folder, 'unpacked'));
  expect(buildMark(join(folder, 'unpacked'))).toBeUndefined();
});
