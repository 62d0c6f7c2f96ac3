import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathOutside } from './pathOutside.ts';

test('C12: folders of the project, relative ones and links into it are no part of the path', () => {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'vise-path-')));
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
  const project = join(outer, 'project');
  mkdirSync(join(project, 'bin'), { recursive: true });
  mkdirSync(join(outer, 'project2'));
  symlinkSync(join(project, 'bin'), join(outer, 'link'), 'dir');
  const kept = [join(outer, 'project2'), join(outer, 'missing')];
  const path = [project, join(project, 'bin'), join(project, 'later'), '.', '', 'bin', join(outer, 'link'), ...kept];
  expect(pathOutside(path.join(delimiter), project)).toBe(kept.join(delimiter));
});
