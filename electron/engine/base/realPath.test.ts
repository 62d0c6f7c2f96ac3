import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realPath } from './realPath.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-real-')));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a'), '');
  symlinkSync('..', join(root, 'src', 'up'));
  symlinkSync('../gone/x', join(root, 'src', 'dangling'));
  symlinkSync('circle', join(root, 'circle'));
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ['src/a', 'src/a'],
  ['src/new/deep', 'src/new/deep'],
  ['src/up/b', 'b'],
  ['src/up/src/up/new/x', 'new/x'],
  ['src/dangling', 'gone/x'],
  ['src/dangling/y', 'gone/x/y'],
  ['circle', 'circle'],
])('%s leads to %s', (path, real) => {
  expect(realPath(join(root, path))).toBe(join(root, real));
});
