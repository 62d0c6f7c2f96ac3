import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { type IndexHelper, startIndexHelper } from './indexHelper.ts';
import type { IndexedFile } from './indexStore.ts';
import { restoreSymbols } from './storedSymbols.ts';
import { symbolWorkerFile } from './symbolReader.ts';

const seen = { mtimeMs: 1, ctimeMs: 2, size: 3, ino: 4 };

function start(files: Readonly<Record<string, string>>, entry = symbolWorkerFile().href) {
  const holds = new Int32Array(new SharedArrayBuffer(4));
  const helper = startIndexHelper(entry, { root: testFolder(files), holds });
  onTestFinished(() => void helper.stop());
  return { helper, holds };
}

/** Until it has nothing left. */
async function all(helper: IndexHelper) {
  const read: IndexedFile[] = [];
  const given: string[] = [];
  while (helper.left > 0) {
    helper.wait(100);
    // Its end is an event of this thread.
    await new Promise((resolve) => setImmediate(resolve));
    const more = helper.collect();
    read.push(...more.read);
    given.push(...more.given);
  }
  return {
    read: read.map(({ path: name, problem, symbols }) => [
      name,
      problem ?? restoreSymbols(symbols.text).map((one) => one.name),
    ]),
    given,
  };
}

test('what it is given is read in order, and told once', async () => {
  const { helper } = start({ 'a.ts': 'export function a() {}\n', 'b.py': 'def b(): pass\n' });
  for (const name of ['b.py', 'gone.ts', 'a.ts']) helper.give({ name, seen });
  expect(helper.left).toBe(3);
  const read = [
    ['b.py', ['b']],
    ['gone.ts', 'unreadable'],
    ['a.ts', ['a']],
  ];
  expect(await all(helper)).toEqual({ read, given: [] });
  expect(helper.collect()).toEqual({ read: [], given: [] });
});

test('while somebody waits for an answer it gives files back unread', async () => {
  const { helper, holds } = start({ 'a.ts': 'export function a() {}\n' });
  Atomics.store(holds, 0, 1);
  helper.give({ name: 'a.ts', seen });
  expect(await all(helper)).toEqual({ read: [], given: ['a.ts'] });
  Atomics.store(holds, 0, 0);
  helper.give({ name: 'a.ts', seen });
  expect(await all(helper)).toEqual({ read: [['a.ts', ['a']]], given: [] });
});

test('when it dies its files are given back', async () => {
  const nowhere = pathToFileURL(path.join(testFolder(), 'nowhere.ts')).href;
  const { helper } = start({}, nowhere);
  helper.give({ name: 'a.ts', seen });
  expect(await all(helper)).toEqual({ read: [], given: ['a.ts'] });
  expect(helper.hasEnded).toBe(true);
});

test('when it is stopped it tells what it has not read', () => {
  const { helper } = start({ 'a.ts': 'export function a() {}\n' });
  helper.give({ name: 'a.ts', seen });
  expect([helper.stop(), helper.left]).toEqual([['a.ts'], 0]);
});
