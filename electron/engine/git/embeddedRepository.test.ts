import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testBench } from '../testing/engineForTest.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { isEmbeddedRepository } from './embeddedRepository.ts';
import { testRepository } from './testing/testRepository.ts';

test('C12: a repository below the project, a bare one and the bare inside of one are told, the project is not', () => {
  const { root } = testRepository({ 'src/a': '1\n', 'sub/b': '1\n' });
  execFileSync('git', ['init', '--quiet', join(root, 'sub')]);
  execFileSync('git', ['init', '--quiet', '--bare', join(root, 'bare.git')]);
  const told = (name: string) => isEmbeddedRepository(root, join(root, name));
  expect(['.', 'src', 'sub', 'bare.git', 'bare.git/refs'].map((name) => told(name))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
  const plain = testFolder({ HEAD: 'ref: refs/heads/x\n', 'refs/x': '', 'objects/x': '' });
  expect(isEmbeddedRepository(plain, plain)).toBe(true);
});

test('C12: git in an embedded repository is not covered by a rule for reading, so a program that it names does not run', async () => {
  const bench = testBench({}, { interactive: false });
  const bare = join(bench.project, 'vendor/x');
  execFileSync('git', ['init', '--quiet', bench.project]);
  execFileSync('git', ['init', '--quiet', '--bare', bare]);
  const mark = join(bench.home, 'ran');
  writeFileSync(join(bare, 'program'), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  const set = (...words: readonly string[]) => execFileSync('git', ['--git-dir', bare, 'config', ...words]);
  set('core.bare', 'false');
  set('core.worktree', bench.project);
  set('core.fsmonitor', join(bare, 'program'));
  mkdirSync(bench.ports.places.config, { recursive: true });
  const rules = [{ effect: 'allow', match: { command: ['git', 'status'] } }];
  writeFileSync(join(bench.ports.places.config, 'rules.json'), JSON.stringify({ rules }));
  const run = (input: object) => bench.engine.callTool(bench.project, 'run', input, AbortSignal.timeout(30_000));
  expect(await run({ command: 'git status', cwd: 'vendor/x' })).toMatchObject({
    success: false,
    error: { code: 'PERMISSION_REQUIRED' },
  });
  expect(existsSync(mark)).toBe(false);
  expect(await run({ command: 'git status' })).toMatchObject({ success: true });
});
