import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdFolder } from './heldFolder.ts';
import { testFolder, treeOf } from './testing/testFolder.ts';

test.skipIf(process.platform !== 'linux')(
  'P9 what happens in a held folder happens there, wherever its path leads by then (Linux only: /proc)',
  async () => {
    const away = testFolder();
    const root = testFolder({ 'sub/a': 'a' });
    const held = await holdFolder(path.join(root, 'sub'));
    if (!held) throw new Error('held');
    onTestFinished(() => held.close());
    expect(await held.isStillThere()).toBe(true);
    renameSync(path.join(root, 'sub'), path.join(root, 'moved'));
    symlinkSync(away, path.join(root, 'sub'));
    writeFileSync(held.at('b'), 'b');
    expect([treeOf(away), treeOf(path.join(root, 'moved')), await held.isStillThere()]).toEqual([
      {},
      { a: 'a', b: 'b' },
      false,
    ]);
  },
);

test('a link, a file and nothing at all cannot be held, nor can a folder below a link', async () => {
  const root = testFolder({ 'real/deep/f': '' });
  symlinkSync('real', path.join(root, 'link'));
  const found = await Promise.all(
    ['link', 'real/deep/f', 'missing', 'link/deep'].map((name) => holdFolder(path.join(root, name))),
  );
  expect(found).toEqual([undefined, undefined, undefined, undefined]);
});
