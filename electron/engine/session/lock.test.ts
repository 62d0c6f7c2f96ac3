import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { lockSession } from './lock.ts';

const place = (): string => join(testFolder(), 's', 'lock');

test('a session is locked once, and free again after its lock is given back', () => {
  const path = place();
  const lock = lockSession(path);
  expect(lock.ok).toBe(true);
  expect(lockSession(path)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  if (lock.ok) lock.value.dispose();
  expect(existsSync(path)).toBe(false);
  const again = lockSession(path);
  expect(again.ok).toBe(true);
  if (again.ok) again.value.dispose();
});

test('the lock of a process that ended does not count', () => {
  const path = place();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const first = lockSession(path);
  writeFileSync(path, `${pid} 1`);
  const lock = lockSession(path);
  expect(lock.ok).toBe(true);
  expect(readFileSync(path, 'utf8').split(' ')[0]).toBe(String(process.pid));
  if (first.ok) first.value.dispose();
});

test.runIf(existsSync('/proc/self/stat'))('a number that another process has by now does not lock for ever', () => {
  const path = place();
  const first = lockSession(path);
  writeFileSync(path, `${process.pid} 1`); // this process did not start one tick after the boot
  expect(lockSession(path).ok).toBe(true);
  if (first.ok) first.value.dispose();
});

test('an empty lock (a crash between making and writing it) does not lock for ever', () => {
  const path = place();
  const first = lockSession(path);
  writeFileSync(path, '');
  const lock = lockSession(path);
  expect(lock.ok).toBe(true);
  if (first.ok) first.value.dispose();
});
