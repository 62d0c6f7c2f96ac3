import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildArgv } from './buildArgv.ts';
import { discoverSpecs } from './discover.ts';
import { loadSpecs } from './loadSpecs.ts';
import { memoryProbeCache } from './probeCache.ts';
import { runProgram } from './program.ts';
import { searchPath } from './resolveBinary.ts';
import { runSpec } from './runSpec.ts';
import { validateSpec } from './validateSpec.ts';

const bundled = resolve('resources/specs');
const env = { PATH: process.env['PATH'] ?? '' };
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bundled-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function call(tool: string, command: string, input: Record<string, unknown>, cwd: string) {
  const { specs } = await loadSpecs({
    folders: [{ path: bundled, source: 'bundled' }],
    search: searchPath(env),
    trusts: () => Promise.resolve(false),
    cache: memoryProbeCache(),
    env,
    cwd: root,
    run: runProgram,
    refresh: false,
  });
  const loaded = specs.find(({ spec }) => spec.name === tool);
  const found = loaded?.spec.commands.find(({ name }) => name === command);
  if (loaded === undefined || found === undefined) throw new Error(`${tool} ${command} did not load`);
  const built = buildArgv(loaded.spec, found, input);
  if (!built.ok) throw new Error(built.error.message);
  return runSpec(found, { ...built.value, file: loaded.resolvedBinaryPath, cwd, env }, runProgram);
}

describe('the bundled specs', () => {
  test('are valid by the strict rules', async () => {
    const { candidates, errors } = await discoverSpecs([{ path: bundled, source: 'bundled' }]);
    const checks = candidates.flatMap(({ files }) =>
      files.map(({ text }) => validateSpec(JSON.parse(text) as unknown, true)),
    );
    expect([
      candidates.map(({ tool }) => tool),
      errors,
      checks.flatMap((check) => (check.ok ? [] : check.errors)),
    ]).toEqual([['git', 'jq', 'rg'], [], []]);
  });

  test.skipIf(!has('git'))('git blame and show work with the real git (skipped where there is none)', async () => {
    const repository = join(root, 'repository');
    mkdirSync(repository);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: repository });
    git('init', '-q');
    writeFileSync(join(repository, 'a b.txt'), 'one\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    const blame = await call('git', 'blame', { file: 'a b.txt' }, repository);
    const show = await call('git', 'show', { format: '%s', 'name-only': true }, repository);
    await call('git', 'show', { object: `--output=${join(root, 'stolen')}` }, repository);
    expect([blame.blocks[0]?.includes('one'), show.blocks, existsSync(join(root, 'stolen'))]).toEqual([
      true,
      ['first\n\na b.txt\n'],
      false,
    ]);
  });

  test.skipIf(!has('jq'))('jq reads the text it is given with the real jq (skipped where there is none)', async () => {
    const answer = await call(
      'jq',
      'run',
      { filter: '.a[] | .b', input: '{"a":[{"b":1},{"b":"x"}]}', 'compact-output': true },
      root,
    );
    expect([answer.isError, answer.blocks]).toEqual([false, ['1\n"x"\n']]);
  });

  test.skipIf(!has('rg'))(
    'rg finds a pattern that begins with a dash with the real rg (skipped where there is none)',
    async () => {
      writeFileSync(join(root, 'x.txt'), 'a --files b\n');
      const answer = await call('rg', 'run', { pattern: '--files', path: ['x.txt'] }, root);
      expect([answer.isError, answer.blocks]).toEqual([false, ['a --files b\n']]);
    },
  );
});
