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
  const proposed = await proposeChecks(chosen, await testLook(testFolder(files)), tasks);
  expect(proposed.map(({ name, command }) => [name, command])).toEqual(checks);
});
