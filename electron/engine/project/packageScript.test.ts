import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { packageScript } from './packageScript.ts';

test('the text of a script is that of the package in the folder', () => {
  const root = testFolder({
    'package.json': JSON.stringify({ scripts: { build: 'tsc -p .' } }),
    'sub/package.json': JSON.stringify({ scripts: { build: 'make' } }),
  });
  expect(packageScript(root, root, 'build')).toBe('tsc -p .');
  expect(packageScript(root, join(root, 'sub'), 'build')).toBe('make');
  expect(packageScript(root, root, 'test')).toBeUndefined();
  expect(packageScript(root, root, 'constructor')).toBeUndefined();
});

test('what is no package of the project has no scripts', () => {
  const root = testFolder({ 'a/package.json': '{', 'b/package.json': '{"scripts":{"x":1}}', 'c/x': '' });
  for (const folder of ['a', 'b', 'c', 'missing']) expect(packageScript(root, join(root, folder), 'x')).toBeUndefined();
  const outside = testFolder({ 'package.json': '{"scripts":{"x":"y"}}' });
  expect(packageScript(root, outside, 'x')).toBeUndefined();
  expect(packageScript(root, dirname(root), 'x')).toBeUndefined();
  symlinkSync(join(outside, 'package.json'), join(root, 'c', 'package.json'));
  expect(packageScript(root, join(root, 'c'), 'x')).toBeUndefined();
});
