import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './makeFolder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-make-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what is missing above is made too, for this user alone, and again is no error', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect([deep, join(folder, 'a')].map((path) => statSync(path).mode & 0o777)).toEqual(
    process.platform === 'win32' ? [0o666, 0o666] : [0o700, 0o700],
  );
});

test('a file in the way is the error of the system, above or in its place', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR|ENOENT|EEXIST/);
});

test('a link to a folder is one', () => {
  makeFolder(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  makeFolder(join(folder, 'link', 'below'));
  expect(existsSync(join(folder, 'real', 'below'))).toBe(true);
});

const proc = existsSync('/proc/self');
test.skipIf(!proc)(
  `a folder that takes no children ends in an error${proc ? '' : ' (skipped: there is no /proc)'}`,
  () => {
    expect(() => makeFolder('/proc/none/below')).toThrow('ENOENT');
  },
);
