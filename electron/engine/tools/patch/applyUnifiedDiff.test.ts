import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, treeOf } from '../../workspace/testing/testFolder.ts';
import { applyUnifiedDiff } from './applyUnifiedDiff.ts';
import { assessPatchRisk } from './assessPatchRisk.ts';

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

const change = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
const create = '--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+made\n';
const remove = '--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n';
const files = { 'a.txt': 'one\ntwo\n', 'old.txt': 'bye\n' };

describe('apply_unified_diff', () => {
  test('changes, makes and deletes files together', async () => {
    const root = testFolder(files);
    const trial = await tryIn(root);
    expect(await trial.tool(applyUnifiedDiff, { diff: change + create + remove, assessRisk: true })).toMatchObject({
      success: true,
      data: {
        applied: [
          {
            path: 'a.txt',
            status: 'modified',
            hunks: [{ index: 0, line: 1, offset: 0, fuzz: 0 }],
            additions: 1,
            deletions: 1,
          },
          { path: 'new/b.txt', status: 'added', additions: 1, deletions: 0 },
          { path: 'old.txt', status: 'deleted', additions: 0, deletions: 1 },
        ],
        dryRun: false,
        risk: { riskLevel: 'high', warnings: ['old.txt is deleted'] },
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'one\n2\n', 'new/b.txt': 'made\n' });
  });

  test('one file that does not fit leaves every file as it was', async () => {
    const root = testFolder({ ...files, 'old.txt': 'other\n' });
    const trial = await tryIn(root);
    expect(await trial.tool(applyUnifiedDiff, { diff: change + create + remove })).toMatchObject({
      error: { code: 'PATCH_FAILED', details: [{ path: 'old.txt' }] },
    });
    expect(treeOf(root)).toEqual({ ...files, 'old.txt': 'other\n' });
  });

  test('a dry run shows the texts, asks for nothing and writes nothing', async () => {
    const root = testFolder(files);
    const trial = await tryIn(root);
    const input = { diff: change, dryRun: true };
    expect((await trial.plan(applyUnifiedDiff, input)).intent.risk).toBe('none');
    expect((await trial.plan(applyUnifiedDiff, { diff: change })).intent.risk).toBe('dangerous');
    expect(await trial.tool(applyUnifiedDiff, input)).toMatchObject({
      data: { applied: [{ path: 'a.txt' }], dryRun: true, preview: { 'a.txt': 'one\n2\n' } },
    });
    expect(treeOf(root)).toEqual(files);
  });

  test('rootPath is where the names start', async () => {
    const root = testFolder({ 'sub/a.txt': 'one\ntwo\n' });
    const trial = await tryIn(root);
    await trial.tool(applyUnifiedDiff, { diff: change, rootPath: 'sub' });
    expect(treeOf(root)).toEqual({ 'sub/a.txt': 'one\n2\n' });
  });

  test('what the person left out is told', async () => {
    const root = testFolder(files);
    const trial = await tryIn(root);
    const verdicts = [
      { path: 'a.txt', keep: 'all' as const },
      { path: 'old.txt', keep: 'none' as const, comments: [{ text: 'still used' }] },
    ];
    expect(await trial.tool(applyUnifiedDiff, { diff: change + remove }, { verdicts })).toMatchObject({
      data: {
        applied: [{ path: 'a.txt' }],
        review: {
          outcome: 'partial',
          files: [
            { path: 'a.txt', verdict: 'applied' },
            { path: 'old.txt', verdict: 'rejected', comments: [{ text: 'still used' }] },
          ],
        },
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'one\n2\n', 'old.txt': 'bye\n' });
  });

  test('each refusal has its code', async () => {
    const root = testFolder({ ...files, bin: new Uint8Array([0]) });
    symlinkSync('a.txt', path.join(root, 'link.txt'));
    const trial = await tryIn(root);
    const apply = async (diff: string, more = {}) => code(await trial.tool(applyUnifiedDiff, { diff, ...more }));
    expect(await apply('no diff at all')).toBe('NO_VALID_DIFF');
    expect(await apply(change.replace('two', 'three'))).toBe('PATCH_FAILED');
    expect(await apply(change.replaceAll('a.txt', '../a.txt'))).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await apply('diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n')).toBe('BINARY_FILE');
    expect(await apply(change, { rootPath: 'none' })).toBe('DIRECTORY_NOT_FOUND');
    expect(await apply(change, { rootPath: 'a.txt' })).toBe('NOT_A_DIRECTORY');
    expect(await apply(change, { rootPath: '..' })).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await apply(change, { dryRun: 'yes' })).toBe('VALIDATION_ERROR');
    expect(treeOf(root)).toMatchObject(files);
  });

  test('P4 a patch neither makes a link nor writes through one', async () => {
    const root = testFolder(files);
    symlinkSync('a.txt', path.join(root, 'link.txt'));
    const trial = await tryIn(root);
    const link = 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n';
    expect(code(await trial.tool(applyUnifiedDiff, { diff: link }))).toBe('PATCH_FAILED');
    expect(code(await trial.tool(applyUnifiedDiff, { diff: change.replaceAll('a.txt', 'link.txt') }))).toBe(
      'PATCH_FAILED',
    );
    expect(treeOf(root)).toEqual({ ...files, 'link.txt': '→ a.txt' });
  });
});

describe('assess_patch_risk', () => {
  test('tells what to look at twice, needs no permission', async () => {
    const trial = await tryIn(testFolder());
    expect(await trial.tool(assessPatchRisk, { diff: change })).toEqual({
      success: true,
      data: {
        riskLevel: 'low',
        warnings: [],
        isBinary: false,
        affectsMultipleFiles: false,
        totalChanges: 2,
        files: [{ path: 'a.txt', status: 'modified', hunkCount: 1, additions: 1, deletions: 1 }],
      },
    });
    expect((await trial.plan(assessPatchRisk, { diff: change })).intent.risk).toBe('none');
    expect(code(await trial.tool(assessPatchRisk, { diff: '' }))).toBe('NO_VALID_DIFF');
    expect(code(await trial.tool(assessPatchRisk, {}))).toBe('VALIDATION_ERROR');
  });
});

test('a patch whose header is wrong is assessed where the files can prove its place, and not without them', async () => {
  const wrong = change.replace('@@ -1,2 +1,2 @@', '@@ -1,7 +1,7 @@');
  const trial = await tryIn(testFolder(files));
  expect(await trial.tool(assessPatchRisk, { diff: wrong })).toMatchObject({
    error: { code: 'PATCH_FAILED', details: [{ line: 3, reason: 'malformed' }] },
  });
  const dry = { diff: wrong, dryRun: true, assessRisk: true };
  expect(await trial.tool(applyUnifiedDiff, dry)).toMatchObject({
    data: { risk: { riskLevel: 'low', totalChanges: 2 }, preview: { 'a.txt': 'one\n2\n' } },
  });
});
