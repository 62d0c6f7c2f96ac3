import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tryLock, withLock, withLockSync } from './fileLock.ts';

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const place = (): string => join(testFolder(), 's', 'lock');
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function lockedBy(path: string, holder: string): void {
  rmSync(path, { force: true });
  symlinkSync(holder, path);
}

test('a lock is taken once, and free again after it is given back', () => {
  const path = place();
  const first = tryLock(path);
  expect([first.held, tryLock(path)]).toEqual([true, { held: false, pid: process.pid }]);
  if (first.held) first.lock.dispose();
  expect(isThere(path)).toBe(false);
  const again = tryLock(path);
  expect(again.held).toBe(true);
  if (again.held) again.lock.dispose();
});

test('the lock of a process that ended does not count, and who lost it does not give back the next one', () => {
  const path = place();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const first = tryLock(path);
  lockedBy(path, `${pid} 1`);
  expect(tryLock(path).held).toBe(true);
  expect(readlinkSync(path).split(' ')[0]).toBe(String(process.pid));
  lockedBy(path, `1 `);
  if (first.held) first.lock.dispose();
  expect(readlinkSync(path)).toBe('1 ');
});

test.runIf(existsSync('/proc/self/stat'))('a number that another process has by now does not lock for ever', () => {
  const path = place();
  tryLock(path);
  lockedBy(path, `${process.pid} 1`); // this process did not start one tick after the boot
  expect(tryLock(path).held).toBe(true);
});

test('an empty file in the place of a lock does not lock for ever', () => {
  const path = join(testFolder(), 'lock');
  writeFileSync(path, '');
  expect(tryLock(path).held).toBe(true);
});

test('processes that add to one file behind a lock lose nothing', { timeout: 60_000 }, async () => {
  const folder = testFolder();
  writeFileSync(join(folder, 'count'), '0');
  const module = join(import.meta.dirname, 'fileLock.ts');
  const script = `const { withLock, withLockSync } = await import(${JSON.stringify(module)});
    const { readFileSync, writeFileSync } = await import('node:fs');
    const add = () => writeFileSync('count', String(Number(readFileSync('count', 'utf8')) + 1));
    for (let n = 0; n < 20; n += 1) n % 2 ? await withLock('lock', add) : withLockSync('lock', add);`;
  const run = (): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, stdio: 'inherit' });
      child.once('close', resolve);
    });
  expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
  expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('60');
  expect(isThere(join(folder, 'lock'))).toBe(false);
});

test('a lock that stays taken is said, after a while and not before', async () => {
  const path = place();
  const taken = tryLock(path);
  await expect(withLock(path, () => 1, 20)).rejects.toThrow(`is held by process ${process.pid}`);
  expect(() => withLockSync(path, () => 1, 20)).toThrow(`is held by process ${process.pid}`);
  if (taken.held) taken.lock.dispose();
  expect(withLockSync(path, () => 1)).toBe(1);
});
