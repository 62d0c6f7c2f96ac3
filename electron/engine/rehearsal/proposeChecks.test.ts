import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { testLook } from '../workspace/testing/testLook.ts';
import { proposeChecks } from './proposeChecks.ts';

/** No program is there: nothing is asked of it but that. */
const tasks = {
  plan: async () => ({ ok: false, error: { code: 'COMMAND_NOT_FOUND', message: '' } }),
} as unknown as TaskPort;

const usual = ['types', 'lint', 'tests'];
const scripts = (all: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: all });

test.each<[string, Readonly<Record<string, string>>, readonly string[], readonly (readonly [string, string])[]]>([
  [
    'scripts of the manifest, by the manager of the lock file',
    { 'package.json': scripts({ 'type-check': 'tsc', lint: 'eslint .', test: 'vitest run' }), 'pnpm-lock.yaml': '' },
    usual,
    [
      ['types', 'pnpm run type-check'],
      ['lint', 'pnpm run lint'],
      ['tests', 'pnpm test'],
    ],
  ],
  [
    'the compiler where only its settings are there',
    { 'package.json': '{}', 'tsconfig.json': '{}' },
    usual,
    [['types', 'npx --no-install tsc --noEmit']],
  ],
  [
    'the commands of other languages',
    { 'Cargo.toml': '' },
    usual,
    [
      ['types', 'cargo check'],
      ['lint', 'cargo clippy'],
      ['tests', 'cargo test'],
    ],
  ],
  ['nothing where nothing is known', { 'notes.txt': '' }, usual, []],
  ['nothing of a broken manifest', { 'package.json': '{' }, usual, []],
  [
    'chosen ones and command lines, each once',
    { 'package.json': scripts({ lint: 'x' }) },
    ['lint', 'npm run lint', 'make -s check'],
    [
      ['npm run', 'npm run lint'],
      ['make -s', 'make -s check'],
    ],
  ],
])('proposes %s', async (_, files, chosen, checks) => {
  const proposed = await proposeChecks(chosen, await testLook(testFolder(files)), tasks, []);
  expect(proposed.map(({ name, command }) => [name, command])).toEqual(checks);
});

test('servers are those for the languages of what is changed, of the project before those of PATH', async () => {
  const inPath = {
    plan: async ({ command }: { command: string }) =>
      command === 'gopls' || command === 'pyright-langserver' ? { ok: true } : { ok: false },
  } as unknown as TaskPort;
  const files = {
    'node_modules/typescript/bin/tsc': '',
    'node_modules/.bin/typescript-language-server': '',
    'node_modules/.bin/pyright-langserver': '',
    'node_modules/typescript/package.json': '{ "version": "5.9.3" }',
  };
  const propose = async (more: Readonly<Record<string, string>>, changed: readonly string[]) => {
    const folder = testFolder({ ...files, ...more });
    // As npm lays it.
    symlinkSync('../typescript/bin/tsc', join(folder, 'node_modules/.bin/tsc'));
    const look = await testLook(folder);
    return (await proposeChecks(['diagnostics'], look, inPath, changed)).map(({ command }) => command);
  };
  const typescript7 = { 'node_modules/typescript/package.json': '{ "version": "7.0.2" }' };
  expect([
    await propose({}, ['a.ts', 'b.tsx', 'c.py', 'd.go', 'e.rs', 'f.txt']),
    await propose(typescript7, ['a.ts']),
    await propose({}, []),
  ]).toEqual([
    [
      'node_modules/.bin/typescript-language-server --stdio',
      'node_modules/.bin/pyright-langserver --stdio',
      'gopls serve',
    ],
    ['node_modules/.bin/tsc --lsp --stdio'],
    [],
  ]);
});
