import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, treeOf } from '../../workspace/testing/testFolder.ts';
import { readFile } from '../file/readFile.ts';
import { deleteRange } from './deleteRange.ts';
import { editRange } from './editRange.ts';
import { insertAt } from './insertAt.ts';

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;
const text = 'one\ntwo\nthree\n';
const head = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n';

describe('edit_range, insert_at, delete_range', () => {
  test('edit_range replaces lines counted from 1', async () => {
    const root = testFolder({ 'a.txt': text });
    const trial = await tryIn(root);
    expect(await trial.tool(editRange, { filePath: 'a.txt', startLine: 2, endLine: 3, content: '2\n' })).toEqual({
      success: true,
      data: {
        filePath: 'a.txt',
        startLine: 2,
        endLine: 3,
        originalLines: 2,
        modifiedLines: 1,
        diff: `${head}@@ -1,3 +1,2 @@\n one\n-two\n-three\n+2\n`,
        lineCount: 2,
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'one\n2\n' });
  });

  test('insert_at puts lines in front of a line, or behind the last one', async () => {
    const root = testFolder({ 'a.txt': text });
    const trial = await tryIn(root);
    expect(await trial.tool(insertAt, { filePath: 'a.txt', lineNumber: 4, content: '4' })).toEqual({
      success: true,
      data: {
        filePath: 'a.txt',
        lineNumber: 4,
        insertedLines: 1,
        diff: `${head}@@ -1,3 +1,4 @@\n one\n two\n three\n+4\n`,
        lineCount: 4,
      },
    });
    await trial.tool(insertAt, { filePath: 'a.txt', lineNumber: 1, content: '' });
    expect(treeOf(root)).toEqual({ 'a.txt': '\none\ntwo\nthree\n4\n' });
  });

  test('delete_range takes lines away', async () => {
    const root = testFolder({ 'a.txt': text });
    const trial = await tryIn(root);
    expect(await trial.tool(deleteRange, { filePath: 'a.txt', startLine: 1, endLine: 2 })).toEqual({
      success: true,
      data: {
        filePath: 'a.txt',
        startLine: 1,
        endLine: 2,
        deletedLines: 2,
        diff: `${head}@@ -1,3 +1 @@\n-one\n-two\n three\n`,
        lineCount: 1,
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'three\n' });
  });

  test('inserted text takes the line ends of the file, and a missing last one stays missing', async () => {
    const root = testFolder({ 'a.txt': 'a\r\nb' });
    const trial = await tryIn(root);
    await trial.tool(insertAt, { filePath: 'a.txt', lineNumber: 3, content: 'c\nd\n' });
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('a\r\nb\r\nc\r\nd');
  });

  test('a dry run answers the same, asks for nothing and writes nothing', async () => {
    const root = testFolder({ 'a.txt': text });
    const trial = await tryIn(root);
    const input = { filePath: 'a.txt', startLine: 1, endLine: 1, dryRun: true };
    expect((await trial.plan(deleteRange, input)).intent).toMatchObject({ risk: 'none', effects: ['reads'] });
    expect((await trial.plan(deleteRange, { ...input, dryRun: false })).intent).toMatchObject({ risk: 'dangerous' });
    expect(await trial.tool(deleteRange, input)).toMatchObject({
      data: { deletedLines: 1, lineCount: 2, dryRun: true },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': text });
  });

  test.each([
    [editRange, { startLine: 0, endLine: 1, content: '' }, 'INVALID_LINE_RANGE'],
    [editRange, { startLine: 3, endLine: 2, content: '' }, 'INVALID_LINE_RANGE'],
    [editRange, { startLine: 1, endLine: 4, content: '' }, 'INVALID_LINE_RANGE'],
    [deleteRange, { startLine: 4, endLine: 4 }, 'INVALID_LINE_RANGE'],
    [insertAt, { lineNumber: 0, content: '' }, 'INVALID_LINE_NUMBER'],
    [insertAt, { lineNumber: 5, content: '' }, 'INVALID_LINE_NUMBER'],
  ])('%# lines that are not there: the number of lines is told', async (tool, input, expected) => {
    const trial = await tryIn(testFolder({ 'a.txt': text }));
    expect(await trial.tool(tool, { filePath: 'a.txt', ...input })).toMatchObject({
      error: { code: expected, details: { lineCount: 3 } },
    });
  });

  test.each([
    [editRange, { startLine: 1, endLine: 1, content: 'x' }],
    [deleteRange, { startLine: 1, endLine: 1 }],
    [insertAt, { lineNumber: 1, content: 'x' }],
  ])('%# each other refusal has its code', async (tool, input) => {
    const root = testFolder({ 'a.txt': text, bin: new Uint8Array([0, 1]), 'dir/x': '' });
    const trial = await tryIn(root);
    const call = async (filePath: string, options = {}) =>
      code(await trial.tool(tool, { filePath, ...input }, options));
    const half = { filePath: 'none', ...input, startLine: 1.5, lineNumber: 1.5 };
    expect(code(await trial.tool(tool, half))).toBe('VALIDATION_ERROR');
    expect(await call('none')).toBe('FILE_NOT_FOUND');
    expect(await call('dir')).toBe('NOT_A_FILE');
    expect(await call('bin')).toBe('BINARY_FILE');
    expect(await call('../a')).toBe('PATH_TRAVERSAL_DETECTED');
    expect(code(await trial.tool(tool, { filePath: 'a.txt' }))).toBe('VALIDATION_ERROR');
    expect(await call('a.txt', { verdicts: [] })).toBe('PERMISSION_DENIED');
    const meanwhile = () => writeFileSync(path.join(root, 'a.txt'), 'new');
    expect(await call('a.txt', { meanwhile })).toBe('STALE');
    expect(treeOf(root)).toMatchObject({ 'a.txt': 'new' });
  });
});

test('an emptied last line is no line any more: what is told is what a reader counts', async () => {
  const trial = await tryIn(testFolder({ 'a.txt': 'a\nb' }));
  const input = { filePath: 'a.txt', startLine: 2, endLine: 2, content: '' };
  expect(await trial.tool(editRange, input)).toMatchObject({ data: { modifiedLines: 1, lineCount: 1 } });
  expect(await trial.tool(readFile, { filePath: 'a.txt' })).toMatchObject({ data: { content: 'a\n', lineCount: 1 } });
});
