import { describe, expect, test } from 'vitest';
import { testFolder, treeOf } from '../testing/testFolder.ts';
import { handsOver } from '../testing/testHands.ts';
import { parsePatch } from './parsePatch.ts';
import { patchReader, planPatch } from './planPatch.ts';

async function applyTo(files: Readonly<Record<string, string>>, patch: string) {
  const root = testFolder(files);
  const { look, hands } = await handsOver(root, testFolder());
  const parsed = parsePatch(patch);
  const planned = parsed.ok ? await planPatch(parsed.value, patchReader(look)) : parsed;
  if (planned.ok && !(await hands.applyChanges(planned.value.changes)).ok) throw new Error('not written');
  return {
    tree: treeOf(root),
    told: planned.ok
      ? planned.value.files.map(({ path, status, note }) => ({ path, status, note }))
      : planned.error.code,
    message: planned.ok ? '' : planned.error.message,
  };
}

const lines = (...numbers: readonly number[]) => numbers.map((number) => `line ${number}\n`).join('');

describe('the output of diff -ruN', () => {
  // As GNU diff 3.8 writes it in a zone behind UTC, names with blanks included.
  const now = '2026-11-22 10:00:00.000000000 -0500';
  const epoch = '1969-12-31 19:00:00.000000000 -0500';
  const output = [
    'diff -ruN old/docs/my notes.txt new/docs/my notes.txt',
    `--- old/docs/my notes.txt\t${now}`,
    `+++ new/docs/my notes.txt\t${now}`,
    '@@ -1 +1 @@',
    '-one',
    '+ONE',
    'diff -ruN old/gone.txt new/gone.txt',
    `--- old/gone.txt\t${now}`,
    `+++ new/gone.txt\t${epoch}`,
    '@@ -1 +0,0 @@',
    '-bye',
    'diff -ruN old/sub/made.txt new/sub/made.txt',
    `--- old/sub/made.txt\t${epoch}`,
    `+++ new/sub/made.txt\t${now}`,
    '@@ -0,0 +1,2 @@',
    '+a',
    '+b',
    '',
  ].join('\n');

  test('changes, makes and removes the files below its two folders', async () => {
    expect(await applyTo({ 'docs/my notes.txt': 'one\n', 'gone.txt': 'bye\n' }, output)).toMatchObject({
      tree: { 'docs/my notes.txt': 'ONE\n', 'sub/made.txt': 'a\nb\n' },
      told: [
        { path: 'docs/my notes.txt', status: 'modified' },
        { path: 'gone.txt', status: 'deleted' },
        { path: 'sub/made.txt', status: 'added' },
      ],
    });
  });

  test('is taken by its whole names where the project has them', async () => {
    const files = { 'old/docs/my notes.txt': 'one\n', 'old/gone.txt': 'bye\n' };
    expect((await applyTo(files, output)).tree).toEqual({
      'old/docs/my notes.txt': 'ONE\n',
      'new/sub/made.txt': 'a\nb\n',
    });
  });
});

test('a hunk without an old side makes a file that is missing', async () => {
  const patch = '--- a/new.txt\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n';
  expect(await applyTo({}, patch)).toMatchObject({
    tree: { 'new.txt': 'hello\n' },
    told: [{ path: 'new.txt', status: 'added' }],
  });
  const wanted = '--- a/new.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-x\n+hello\n';
  expect(await applyTo({}, wanted)).toMatchObject({ tree: {}, told: 'PATCH_FAILED' });
});

describe('hunks out of order', () => {
  const file = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const late = '@@ -10,3 +10,4 @@\n line 10\n+after ten\n line 11\n line 12\n';
  const early = '@@ -1,3 +1,4 @@\n line 1\n+after one\n line 2\n line 3\n';
  const wanted = file.replace('line 1\n', 'line 1\nafter one\n').replace('line 10\n', 'line 10\nafter ten\n');

  test('go where their numbers say', async () => {
    expect((await applyTo({ f: file }, `--- a/f\n+++ b/f\n${late}${early}`)).tree).toEqual({ f: wanted });
  });

  test('go where the file proves them when their numbers are wrong', async () => {
    const loose = `${late}${early}`.replace(/@@ .*@@/g, '@@');
    expect((await applyTo({ f: file }, `--- a/f\n+++ b/f\n${loose}`)).tree).toEqual({ f: wanted });
  });

  test('of equal lines never take the place of another', async () => {
    const twice = `${lines(1, 2, 3)}x\nx\n${lines(1, 2, 3)}`;
    const patch = `--- a/f\n+++ b/f\n@@ -6,3 +7,3 @@\n line 1\n-line 2\n+LATE\n line 3\n@@ -1,3 +1,4 @@\n line 1\n line 2\n+EARLY\n line 3\n`;
    expect((await applyTo({ f: twice }, patch)).tree).toEqual({
      f: 'line 1\nline 2\nEARLY\nline 3\nx\nx\nline 1\nLATE\nline 3\n',
    });
  });
});

test('*** Add File over a file is told as its replacement', async () => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch\n';
  expect(await applyTo({ 'a.txt': 'old\nold\n' }, patch)).toMatchObject({
    tree: { 'a.txt': 'new\n' },
    told: [{ path: 'a.txt', status: 'modified', note: expect.stringContaining('replaced') }],
  });
});

test('a binary patch says how it can be applied', async () => {
  const patch =
    'diff --git a/p.png b/p.png\nnew file mode 100644\nindex 0000000..1234567\nGIT binary patch\nliteral 3\nKcmZQzU|?imU|<9Q00jU5\n\nliteral 0\nHcmV?d00001\n\n';
  expect(await applyTo({}, patch)).toMatchObject({
    told: 'BINARY_FILE',
    message: expect.stringContaining('git apply'),
  });
});
