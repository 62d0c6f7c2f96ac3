import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { testFolder, treeOf } from '../workspace/testing/testFolder.ts';
import { testLook } from '../workspace/testing/testLook.ts';
import { makeShadow } from './makeShadow.ts';

const { signal } = new AbortController();
const style = { encoding: 'utf-8', bom: false, eol: '\n' } as const;
const proposed = (path: string, text: string | null, more: Partial<ProposedChange> = {}): ProposedChange => ({
  path,
  status: 'modified',
  before: null,
  after: text === null ? null : { text, like: style },
  ...more,
});

async function shadowOf(root: string, changes: readonly ProposedChange[] = [], way: 'mounted' | 'bare' = 'bare') {
  const folder = testFolder();
  const made = await makeShadow({ look: await testLook(root), changes, folder, way, signal });
  if (!made.ok) throw new Error(made.error.message);
  return { ...made.value, folder };
}

test('a copy holds the project with the proposed contents, and the project stays as it is', async () => {
  const root = testFolder({ 'src/a.ts': 'a', 'src/gone.ts': 'x', 'src/old.ts': 'moved', 'run.sh': '#!/bin/sh' });
  chmodSync(join(root, 'run.sh'), 0o755);
  symlinkSync('src', join(root, 'link'));
  const before = treeOf(root);
  const { tree, remove, folder } = await shadowOf(root, [
    proposed('src/a.ts', 'first'),
    proposed('src/a.ts', 'last'),
    proposed('src/gone.ts', null, { status: 'deleted' }),
    proposed('src/new.ts', 'moved', { status: 'renamed', oldPath: 'src/old.ts' }),
    proposed('deep/new/file.ts', 'new', { status: 'added' }),
  ]);
  expect(treeOf(tree)).toEqual({
    'deep/new/file.ts': 'new',
    link: '→ src',
    'run.sh': '#!/bin/sh',
    'src/a.ts': 'last',
    'src/new.ts': 'moved',
  });
  expect(lstatSync(join(tree, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(treeOf(root)).toEqual(before);
  await remove();
  expect(treeOf(folder)).toEqual({});
});

test('packages are linked one by one, links between packages of the project stay, and tools may write beside them', async () => {
  const root = testFolder({
    'node_modules/dep/index.js': '',
    'node_modules/@team/lib/index.js': '',
    'node_modules/.vite/cache': '',
    'packages/own/index.js': '',
  });
  symlinkSync('../packages/own', join(root, 'node_modules/own'));
  const bare = await shadowOf(root);
  expect(treeOf(bare.tree)).toEqual({
    'node_modules/@team/lib': `→ ${join(root, 'node_modules/@team/lib')}`,
    'node_modules/dep': `→ ${join(root, 'node_modules/dep')}`,
    'node_modules/own': '→ ../packages/own',
    'packages/own/index.js': '',
  });
  const mounted = await shadowOf(root, [], 'mounted');
  expect(treeOf(mounted.tree)).toMatchObject({ 'node_modules/dep': '→ /run/vise-project/node_modules/dep' });
  expect(mounted.linked).toEqual(['node_modules']);
});

test('what git ignores is copied while it is small, linked when it is large, and left out when a build makes it', async () => {
  const many = (folder: string) =>
    Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${folder}/${at}`, '']));
  const root = testFolder({
    '.gitignore': 'generated\ndata\ndist\n*.tsbuildinfo\n',
    'generated/types.ts': 'type',
    'x.tsbuildinfo': '{}',
    ...many('data'),
    ...many('dist'),
  });
  const { tree, linked } = await shadowOf(root);
  expect(treeOf(tree)).toEqual({
    '.gitignore': readFileSync(join(root, '.gitignore'), 'utf8'),
    data: `→ ${join(root, 'data')}`,
    'generated/types.ts': 'type',
    'x.tsbuildinfo': '{}',
  });
  expect(linked).toEqual(['data']);
});

test('the print is that of the project, whatever is proposed, and another one once a file is another', async () => {
  const root = testFolder({ 'a.ts': 'a' });
  const plain = await shadowOf(root);
  expect((await shadowOf(root, [proposed('a.ts', 'b')])).print).toBe(plain.print);
  mkdirSync(join(root, 'more'));
  symlinkSync('a.ts', join(root, 'more/link.ts'));
  expect((await shadowOf(root)).print).not.toBe(plain.print);
});

test('what an engine has left that is no more is removed by the next copy', async () => {
  const root = testFolder({ 'a.ts': 'a' });
  const folder = testFolder({ '999999999-left/a.ts': 'old', 'strange/a.ts': 'old' });
  const made = await makeShadow({ look: await testLook(root), changes: [], folder, way: 'bare', signal });
  if (made.ok) await made.value.remove();
  expect(treeOf(folder)).toEqual({});
});
