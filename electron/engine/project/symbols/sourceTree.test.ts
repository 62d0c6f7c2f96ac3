import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import type { FolderWatch } from './folderWatch.ts';
import { createSourceTree } from './sourceTree.ts';

/** A watch that tells what the test says: what nobody tells is not looked at. */
function told() {
  const watched = new Set<string>();
  let changed: Set<string> | undefined = new Set<string>();
  const watch: FolderWatch = {
    add: (folder) => watched.add(folder).has(folder),
    remove: (folder) => void watched.delete(folder),
    take() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    giveUp: () => watched.clear(),
  };
  const tell = (...folders: readonly string[]) => {
    changed = new Set(folders);
  };
  const tellNothing = () => {
    changed = undefined;
  };
  return { watch, watched, tell, tellNothing };
}

function open(files: Readonly<Record<string, string>>, maxFiles = 100) {
  const root = testFolder(files);
  const tree = createSourceTree(root, maxFiles);
  const lent = told();
  tree.watch(lent.watch);
  const names = () => {
    tree.refresh();
    return [...tree.files.keys()].sort();
  };
  return { root, tree, names, ...lent };
}

const files = { 'a.ts': '', 'in/b.ts': '', 'in/deep/c.ts': '', 'node_modules/d.ts': '', 'notes.md': '' };

test('folders that a walk enters are watched, and no others', () => {
  const { watched, names } = open(files);
  expect(names()).toEqual(['a.ts', 'in/b.ts', 'in/deep/c.ts']);
  expect([...watched].sort()).toEqual(['', 'in/', 'in/deep/']);
});

test('only what was told is looked at', () => {
  const { root, names, tell } = open(files);
  writeFiles(root, { 'new.ts': '', 'in/deep/new.ts': '' });
  expect(names()).not.toContain('new.ts');
  tell('in/deep/');
  expect(names()).toEqual(['a.ts', 'in/b.ts', 'in/deep/c.ts', 'in/deep/new.ts']);
});

test('when it cannot be told, everything is looked at', () => {
  const { root, tree, names, tellNothing } = open(files);
  writeFiles(root, { 'new.ts': '', 'in/deep/new.ts': '' });
  tellNothing();
  expect(names()).toEqual(['a.ts', 'in/b.ts', 'in/deep/c.ts', 'in/deep/new.ts', 'new.ts']);
  writeFiles(root, { 'in/newer.ts': '' });
  expect(names()).not.toContain('in/newer.ts');
  tree.lookOver();
  expect(names()).toContain('in/newer.ts');
});

test('a new folder is looked at with all that is in it, and watched', () => {
  const { root, names, tell, watched } = open(files);
  writeFiles(root, { 'new/one.ts': '', 'new/deep/two.ts': '' });
  tell('');
  expect(names()).toEqual(['a.ts', 'in/b.ts', 'in/deep/c.ts', 'new/deep/two.ts', 'new/one.ts']);
  expect([...watched].sort()).toEqual(['', 'in/', 'in/deep/', 'new/', 'new/deep/']);
});

test('a folder that was renamed, or put in the place of another, is looked at anew', () => {
  const { root, names, tell, watched } = open({ ...files, 'other/deep/e.ts': '' });
  renameSync(path.join(root, 'in'), path.join(root, 'old'));
  renameSync(path.join(root, 'other'), path.join(root, 'in'));
  tell('', 'other/', 'in/');
  expect(names()).toEqual(['a.ts', 'in/deep/e.ts', 'old/b.ts', 'old/deep/c.ts']);
  expect([...watched].sort()).toEqual(['', 'in/', 'in/deep/', 'old/', 'old/deep/']);
});

test('a folder that has gone is forgotten, also when a link or a file takes its place', () => {
  const { root, names, tell, watched } = open({ ...files, 'more/e.ts': '', 'else/f.ts': '' });
  const outside = testFolder({ 'secret.ts': '' });
  for (const name of ['in', 'more', 'else']) rmSync(path.join(root, name), { recursive: true });
  symlinkSync(outside, path.join(root, 'more'));
  writeFileSync(path.join(root, 'else'), '');
  tell('', 'in/', 'in/deep/', 'more/');
  expect(names()).toEqual(['a.ts']);
  expect([...watched]).toEqual(['']);
});

test('rules that change are followed in all folders below them', () => {
  const { root, names, tell } = open(files);
  writeFiles(root, { '.gitignore': 'c.ts\n' });
  tell('');
  expect(names()).toEqual(['a.ts', 'in/b.ts']);
  unlinkSync(path.join(root, '.gitignore'));
  tell('');
  expect(names()).toEqual(['a.ts', 'in/b.ts', 'in/deep/c.ts']);
});

test('another project at the same place is seen untold', () => {
  const { root, names } = open(files);
  renameSync(root, `${root}-old`);
  try {
    mkdirSync(root);
    writeFiles(root, { 'z.ts': '' });
    expect(names()).toEqual(['z.ts']);
  } finally {
    rmSync(`${root}-old`, { recursive: true });
  }
});

test('files that are new or look otherwise are touched, once', () => {
  const { root, tree, tell } = open(files);
  expect([...tree.takeTouched()].sort()).toEqual(['a.ts', 'in/b.ts', 'in/deep/c.ts']);
  writeFiles(root, { 'in/b.ts': 'more', 'in/new.ts': '' });
  tell('in/');
  tree.refresh();
  expect([...tree.takeTouched()].sort()).toEqual(['in/b.ts', 'in/new.ts']);
  expect([...tree.takeTouched()]).toEqual([]);
});

test('a tree with too many files is empty, and watches nothing', () => {
  const { tree, watched } = open(files, 2);
  expect([tree.refresh(), tree.files.size, watched.size]).toEqual([false, 0, 0]);
});
