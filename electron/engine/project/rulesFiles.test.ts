import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createRulesFiles } from './rulesFiles.ts';

test('those of the root, and of the folders that are worked in, each once', async () => {
  const rules = createRulesFiles(
    testFolder({ 'AGENTS.md': 'a', 'PROJECT.md': 'p', 'x/AGENTS.md': 'x', 'y/AGENTS.md': 'y' }),
  );
  expect(await rules()).toEqual([
    { path: 'AGENTS.md', text: 'a' },
    { path: 'PROJECT.md', text: 'p' },
  ]);
  expect((await rules(['x', 'none'])).map(({ path }) => path)).toEqual(['AGENTS.md', 'PROJECT.md', 'x/AGENTS.md']);
});

test("other programs' files stand in where there is no AGENTS.md, the first that says something", async () => {
  const root = testFolder({
    'AGENTS.md': ' ',
    'CLAUDE.md': 'c',
    '.github/copilot-instructions.md': 'g',
    'x/CLAUDE.md': 'xc',
    'y/AGENTS.md': 'ya',
    'y/CLAUDE.md': 'yc',
  });
  const rules = createRulesFiles(root);
  expect((await rules(['x', 'y'])).map(({ text }) => text)).toEqual(['c', 'xc', 'ya']);
  rmSync(join(root, 'CLAUDE.md'));
  expect(await rules()).toEqual([{ path: '.github/copilot-instructions.md', text: 'g' }]);
});

test("the person's own file comes first and is told apart from the project's", async () => {
  const own = testFolder({ 'AGENTS.md': 'mine' });
  const rules = createRulesFiles(testFolder({ 'AGENTS.md': 'theirs' }), own);
  expect(await rules()).toEqual([
    { path: 'AGENTS.md', text: 'mine', isOwn: true },
    { path: 'AGENTS.md', text: 'theirs' },
  ]);
});

test('a change is seen, and so is a removal', async () => {
  const root = testFolder({ 'AGENTS.md': 'one' });
  const rules = createRulesFiles(root);
  await rules();
  writeFileSync(join(root, 'AGENTS.md'), 'two');
  utimesSync(join(root, 'AGENTS.md'), 1, 1);
  expect(await rules()).toEqual([{ path: 'AGENTS.md', text: 'two' }]);
  rmSync(join(root, 'AGENTS.md'));
  expect(await rules()).toEqual([]);
});

test('blank, undecodable and foreign files count as absent; a long one is cut at a character', async () => {
  const outside = testFolder({ 'secret.md': 'outside' });
  const root = testFolder({
    'AGENTS.md': ' \n',
    'PROJECT.md': new Uint8Array([0xff, 0xfe, 0x41]),
    'long/AGENTS.md': `a${'é'.repeat(40_000)}`,
  });
  symlinkSync(join(outside, 'secret.md'), join(root, 'long', 'link.md'));
  const rules = createRulesFiles(root);
  const [file, ...others] = await rules(['long']);
  expect(others).toEqual([]);
  expect(file?.text).toBe(`a${'é'.repeat(32_767)}\n(cut: only the first 64 KiB are read)`);
  rmSync(join(root, 'AGENTS.md'));
  symlinkSync(join(outside, 'secret.md'), join(root, 'AGENTS.md'));
  expect(await rules()).toEqual([]);
});
