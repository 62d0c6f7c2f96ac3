import { spawnSync } from 'node:child_process';
import { rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder, treeOf, writeFiles } from './testing/testFolder.ts';
import { handsOver } from './testing/testHands.ts';

function smallDisk(): string | undefined {
  const folder = testFolder();
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => {
    spawnSync('umount', [folder]);
    rmdirSync(folder);
  });
  return folder;
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('unshare', ['--mount', 'true']).status === 0;
}

test.skipIf(!canMount())(
  'N2 on a really full disk the old content stays (skipped without the right to mount)',
  async ({ skip }) => {
    const root = smallDisk();
    if (root === undefined) return skip('a small disk could not be mounted');
    writeFiles(root, { a: 'old', b: 'b'.repeat(20_000) });
    const free = statfsSync(root);
    writeFileSync(path.join(root, 'filler'), Buffer.alloc(free.bavail * free.bsize - 8192));
    const { hands, propose } = await handsOver(root, testFolder());
    const result = await hands.applyChanges([
      await propose('a', 'new'),
      await propose('b', 'c'.repeat(40_000)),
      await propose('n/m', 'new'),
    ]);
    expect(result).toMatchObject({ ok: false, error: { code: 'DISK_FULL', details: { path: 'b', system: 'ENOSPC' } } });
    expect(treeOf(root)).toMatchObject({ a: 'old', b: 'b'.repeat(20_000) });
    expect(Object.keys(treeOf(root))).toEqual(['a', 'b', 'filler']);
  },
);

test.skipIf(!canMount())(
  'N2 on a read-only disk the refusal is clear (skipped without the right to mount)',
  async ({ skip }) => {
    const root = smallDisk();
    if (root === undefined) return skip('a small disk could not be mounted');
    writeFiles(root, { a: 'old' });
    spawnSync('mount', ['-o', 'remount,ro', root]);
    const { hands, propose } = await handsOver(root, testFolder());
    const result = await hands.applyChanges([await propose('a', 'new')]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'FILE_WRITE_ERROR', message: expect.stringContaining('read-only') as unknown },
    });
    expect(treeOf(root)).toEqual({ a: 'old' });
  },
);
