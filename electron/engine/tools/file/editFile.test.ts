import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, treeOf } from '../../workspace/testing/testFolder.ts';
import type { Tool } from '../frame/tool.ts';
import { applyUnifiedDiff } from '../patch/applyUnifiedDiff.ts';
import { insertAt } from '../patch/insertAt.ts';
import { editFile } from './editFile.ts';
import { writeFile } from './writeFile.ts';

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

describe('edit_file', () => {
  test('replaces the one place and shows the difference', async () => {
    const root = testFolder({ 'a.txt': 'one\ntwo\nthree\n' });
    const trial = await tryIn(root);
    expect(await trial.tool(editFile, { filePath: 'a.txt', oldStr: 'two', newStr: "$& $' 2" })).toEqual({
      success: true,
      data: {
        filePath: 'a.txt',
        replacements: 1,
        firstLine: 2,
        diff: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+$& $' 2\n three\n",
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': "one\n$& $' 2\nthree\n" });
  });

  test('all replaces every place', async () => {
    const root = testFolder({ 'a.txt': 'aaaa' });
    const trial = await tryIn(root);
    expect(await trial.tool(editFile, { filePath: 'a.txt', oldStr: 'aa', newStr: 'b', all: true })).toMatchObject({
      data: { replacements: 2, firstLine: 1 },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'bb' });
  });

  test('line ends of the file stay, also where the passage was written with others', async () => {
    const root = testFolder({ 'a.txt': 'a\r\nb\r\nc' });
    const trial = await tryIn(root);
    await trial.tool(editFile, { filePath: 'a.txt', oldStr: 'a\nb', newStr: 'x\ny\nz' });
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('x\r\ny\r\nz\r\nc');
  });

  test('each refusal has its code, and says where to look', async () => {
    const trial = await tryIn(testFolder({ 'a.txt': 'one\none\nother\n', bin: new Uint8Array([0, 1]), 'dir/x': '' }));
    const edit = (input: Record<string, unknown>) =>
      trial.tool(editFile, { filePath: 'a.txt', oldStr: 'one', newStr: '1', ...input });
    expect(await edit({})).toMatchObject({ error: { code: 'MULTIPLE_MATCHES', details: { count: 2, lines: [1, 2] } } });
    expect(await edit({ oldStr: 'othes' })).toMatchObject({
      error: { code: 'STRING_NOT_FOUND', details: { nearest: [{ line: 3 }] } },
    });
    expect(code(await edit({ oldStr: '' }))).toBe('VALIDATION_ERROR');
    expect(code(await edit({ oldStr: 'x', newStr: 'x' }))).toBe('VALIDATION_ERROR');
    expect(code(await edit({ filePath: 'none' }))).toBe('FILE_NOT_FOUND');
    expect(code(await edit({ filePath: 'dir' }))).toBe('NOT_A_FILE');
    expect(code(await edit({ filePath: 'bin' }))).toBe('BINARY_FILE');
    expect(code(await edit({ filePath: '/etc/passwd' }))).toBe('PATH_TRAVERSAL_DETECTED');
  });

  test('tells what the person kept, edited and said', async () => {
    const root = testFolder({ 'a.txt': 'x\n1\n2\n3\n4\nx\n' });
    const trial = await tryIn(root);
    const input = { filePath: 'a.txt', oldStr: 'x', newStr: 'y', all: true };
    const keep = [{ path: 'a.txt', keep: [0], comments: [{ hunk: 1, text: 'not this one' }] }];
    expect(await trial.tool(editFile, input, { verdicts: keep })).toMatchObject({
      success: true,
      data: {
        replacements: 2,
        diff: expect.stringContaining('@@ -1,4 +1,4 @@\n-x\n+y\n'),
        review: {
          outcome: 'partial',
          files: [
            {
              path: 'a.txt',
              verdict: 'partial',
              rejectedHunks: [{ hunk: 1, line: 6, oldLines: 1, newLines: 1 }],
              comments: [{ hunk: 1, text: 'not this one' }],
            },
          ],
        },
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'y\n1\n2\n3\n4\nx\n' });
    const edited = [{ path: 'a.txt', keep: 'all' as const, content: 'mine\n' }];
    expect(await trial.tool(editFile, { ...input, all: false }, { verdicts: edited })).toMatchObject({
      data: { review: { outcome: 'edited', files: [{ path: 'a.txt', verdict: 'edited' }] } },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'mine\n' });
  });

  test('N4 a file that changed while it was judged stays as it is', async () => {
    const root = testFolder({ 'a.txt': 'one' });
    const trial = await tryIn(root);
    const meanwhile = () => writeFileSync(path.join(root, 'a.txt'), 'one more');
    const result = await trial.tool(editFile, { filePath: 'a.txt', oldStr: 'one', newStr: '1' }, { meanwhile });
    expect(code(result)).toBe('STALE');
    expect(treeOf(root)).toEqual({ 'a.txt': 'one more' });
  });

  test('is dangerous', async () => {
    const trial = await tryIn(testFolder({ 'a.txt': 'one' }));
    const { intent } = await trial.plan(editFile, { filePath: 'a.txt', oldStr: 'one', newStr: '1' });
    expect(intent).toMatchObject({ risk: 'dangerous', targets: [{ kind: 'path', path: 'a.txt', access: 'write' }] });
  });

  test('what the encoding of the file cannot hold is a fault of the input that brings it', async () => {
    const root = testFolder({ 'a.txt': Buffer.from('caf\u00e9\n', 'latin1') });
    const trial = await tryIn(root);
    const detailsOf = async (tool: Tool, input: unknown) => {
      const result = await trial.tool(tool, input);
      return result.success ? undefined : [result.error.code, result.error.details];
    };
    const message = expect.stringContaining('cannot hold the character "\u4e2d"');
    const edit = { filePath: 'a.txt', oldStr: 'caf', newStr: '\u4e2d' };
    expect(await detailsOf(editFile, edit)).toEqual(['VALIDATION_ERROR', [{ path: 'newStr', message }]]);
    const insert = { filePath: 'a.txt', lineNumber: 1, content: '\u4e2d' };
    expect(await detailsOf(insertAt, insert)).toEqual(['VALIDATION_ERROR', [{ path: 'content', message }]]);
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-caf\u00e9\n+\u4e2d\n';
    expect(await detailsOf(applyUnifiedDiff, { diff })).toEqual(['VALIDATION_ERROR', [{ path: 'diff', message }]]);
    expect(await detailsOf(writeFile, { filePath: 'b', content: '\ud800' })).toMatchObject([
      'VALIDATION_ERROR',
      [{ path: 'content' }],
    ]);
    expect(treeOf(root)).toEqual({ 'a.txt': 'caf\u00e9\n' });
  });

  test('a German file in Latin-1 keeps each byte outside the edit', async () => {
    const before = 'f\u00fcr\r\nGr\u00f6\u00dfe = 1\r\n\u00fcbrig\r\n';
    const root = testFolder({ 'a.txt': Buffer.from(before, 'latin1') });
    const trial = await tryIn(root);
    const edit = { filePath: 'a.txt', oldStr: 'Gr\u00f6\u00dfe = 1', newStr: 'Gr\u00f6\u00dfe = 2 // \u00e4' };
    expect(await trial.tool(editFile, edit)).toMatchObject({ success: true });
    expect(readFileSync(path.join(root, 'a.txt'), 'latin1')).toBe(before.replace('= 1', '= 2 // \u00e4'));
  });

  test('a file whose encoding is not certain is not edited, by whichever tool', async () => {
    const japanese = Buffer.from('8365835883670a', 'hex');
    const root = testFolder({ 'a.txt': japanese });
    const trial = await tryIn(root);
    const inputs: readonly (readonly [Tool, unknown])[] = [
      [editFile, { filePath: 'a.txt', oldStr: '\n', newStr: 'x\n' }],
      [insertAt, { filePath: 'a.txt', lineNumber: 1, content: 'x' }],
      [writeFile, { filePath: 'a.txt', content: 'x' }],
    ];
    for (const [tool, input] of inputs)
      expect(await trial.tool(tool, input)).toMatchObject({
        error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('Convert it to UTF-8 first') },
      });
    expect(readFileSync(path.join(root, 'a.txt'))).toEqual(japanese);
  });
});
