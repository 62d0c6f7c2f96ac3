import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder, treeOf } from './testing/testFolder.ts';
import { type TestHands, testHands } from './testing/testHands.ts';

const why = (result: { ok: boolean; error?: { code: string; details?: unknown } }) =>
  result.ok ? 'ok' : [result.error?.code, result.error?.details];

async function applied(made: TestHands, edits: Readonly<Record<string, string | null>>) {
  const changes = await Promise.all(Object.entries(edits).map(([name, text]) => made.propose(name, text)));
  const result = await made.hands.applyChanges(changes);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

test('an undo brings everything back, rights included, and can itself be undone', async () => {
  const made = await testHands({ a: '1', 'tool.sh': '#!' });
  chmodSync(path.join(made.root, 'tool.sh'), 0o755);
  const files = await applied(made, { a: '2', 'tool.sh': null, new: 'n' });
  expect(await made.hands.undoChangeSet(files)).toEqual({ ok: true, value: { files, skipped: [] } });
  expect([treeOf(made.root), statSync(path.join(made.root, 'tool.sh')).mode & 0o777]).toEqual([
    { a: '1', 'tool.sh': '#!' },
    0o755,
  ]);
  expect(await made.hands.redoChangeSet(files)).toEqual({ ok: true, value: { files, skipped: [] } });
  expect(treeOf(made.root)).toEqual({ a: '2', new: 'n' });
  expect((await made.hands.undoChangeSet(files)).ok).toBe(true);
  expect(treeOf(made.root)).toEqual({ a: '1', 'tool.sh': '#!' });
});

test('folders that were made go with an undo, unless something else is in them', async () => {
  const made = await testHands({ 'had/x': '1' });
  const files = await applied(made, { 'had/new/deep/a': 'a', 'had/new/b': 'b', 'top/c': 'c' });
  writeFileSync(path.join(made.root, 'top/mine'), 'mine');
  expect((await made.hands.undoChangeSet(files)).ok).toBe(true);
  expect(treeOf(made.root)).toEqual({ 'had/x': '1', 'top/mine': 'mine' });
  expect((await made.hands.redoChangeSet(files)).ok).toBe(true);
  expect(treeOf(made.root)).toEqual({
    'had/x': '1',
    'had/new/deep/a': 'a',
    'had/new/b': 'b',
    'top/c': 'c',
    'top/mine': 'mine',
  });
});

test('P7 an undo removes no folder outside, whatever a journal names', async () => {
  const made = await testHands({});
  const [file] = await applied(made, { a: '1' });
  if (!file) throw new Error('applied');
  const outside = path.join(made.root, '..', `${path.basename(made.root)}-empty`);
  mkdirSync(outside);
  onTestFinished(() => rmSync(outside, { recursive: true }));
  expect((await made.hands.undoChangeSet([{ ...file, madeFolders: [`../${path.basename(outside)}`, '.'] }])).ok).toBe(
    true,
  );
  expect([existsSync(outside), existsSync(made.root)]).toEqual([true, true]);
});

test('what was changed since is never overwritten; the rest can be undone on request', async () => {
  const made = await testHands({ a: '1', b: '1', c: '1', d: '1' });
  const files = await applied(made, { a: '2', b: '2', c: '2', d: null, n: '2' });
  writeFileSync(path.join(made.root, 'a'), 'typed by hand');
  rmSync(path.join(made.root, 'c'));
  writeFileSync(path.join(made.root, 'd'), 'again');
  const stale = [
    { path: 'a', why: 'its content changed since' },
    { path: 'c', why: 'it no longer exists' },
    { path: 'd', why: 'it exists again' },
  ];
  expect(why(await made.hands.undoChangeSet(files))).toEqual(['STALE', { files: stale }]);
  expect(treeOf(made.root)).toEqual({ a: 'typed by hand', b: '2', d: 'again', n: '2' });
  expect(await made.hands.undoChangeSet(files, { skipStale: true })).toEqual({
    ok: true,
    value: { files: [files[1], files[4]], skipped: stale },
  });
  expect(treeOf(made.root)).toEqual({ a: 'typed by hand', b: '1', d: 'again' });
  expect(why(await made.hands.undoChangeSet(files.slice(0, 1), { skipStale: true }))).toEqual([
    'STALE',
    { files: stale.slice(0, 1) },
  ]);
});

test('P6 an undo never goes through symbolic links, and breaks hard ones', async () => {
  const away = testFolder({ a: '2', 'd/b': '2' });
  const made = await testHands({ a: '1', 'd/b': '1', h: '1' });
  const files = await applied(made, { a: '2', 'd/b': '2', h: '2' });
  rmSync(path.join(made.root, 'a'));
  symlinkSync(path.join(away, 'a'), path.join(made.root, 'a'));
  renameSync(path.join(made.root, 'd'), path.join(made.root, 'e'));
  symlinkSync('e', path.join(made.root, 'd'));
  rmSync(path.join(made.root, 'h'));
  writeFileSync(path.join(away, 'h'), '2');
  linkSync(path.join(away, 'h'), path.join(made.root, 'h'));
  expect(why(await made.hands.undoChangeSet(files))).toEqual([
    'STALE',
    {
      files: [
        { path: 'a', why: 'its path leads out of the project' },
        { path: 'd/b', why: 'a link lies on its path' },
      ],
    },
  ]);
  expect((await made.hands.undoChangeSet(files, { skipStale: true })).ok).toBe(true);
  expect(treeOf(away)).toEqual({ a: '2', 'd/b': '2', h: '2' });
  expect(treeOf(path.join(made.root, 'e'))).toEqual({ b: '2' });
  expect(treeOf(made.root)['h']).toBe('1');
});

test('rejected files of a set are not touched, and a content that is gone is told', async () => {
  const made = await testHands({ a: '1', b: '1' });
  const files = await applied(made, { a: '2', b: '2' });
  const [a, b] = files;
  if (!a || !b) throw new Error('applied');
  expect((await made.hands.undoChangeSet([a, { ...b, verdict: 'rejected' }])).ok).toBe(true);
  expect(treeOf(made.root)).toEqual({ a: '1', b: '2' });
  rmSync(made.contents.folder, { recursive: true });
  expect(why(await made.hands.undoChangeSet([b]))).toEqual(['FILE_NOT_FOUND', undefined]);
  expect(treeOf(made.root)).toEqual({ a: '1', b: '2' });
});
