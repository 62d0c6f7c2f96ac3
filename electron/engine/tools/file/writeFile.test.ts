import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, treeOf } from '../../workspace/testing/testFolder.ts';
import { writeFile } from './writeFile.ts';

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

describe('write_file', () => {
  test('makes a new file and the folders above it, counting bytes', async () => {
    const root = testFolder();
    const trial = await tryIn(root);
    expect(await trial.tool(writeFile, { filePath: 'a/b/é.txt', content: 'é\n' })).toEqual({
      success: true,
      data: { filePath: 'a/b/é.txt', bytesWritten: 3, created: true },
    });
    expect(treeOf(root)).toEqual({ 'a/b/é.txt': 'é\n' });
  });

  test('the content may be empty', async () => {
    const root = testFolder({ 'a.txt': 'old' });
    const trial = await tryIn(root);
    expect(await trial.tool(writeFile, { filePath: 'a.txt', content: '' })).toEqual({
      success: true,
      data: { filePath: 'a.txt', bytesWritten: 0, created: false },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': '' });
  });

  test('a backup keeps the old content under the first free name', async () => {
    const root = testFolder({ 'a.txt': 'one', 'a.txt.bak': 'older' });
    const trial = await tryIn(root);
    expect(await trial.tool(writeFile, { filePath: 'a.txt', content: 'two', createBackup: true })).toMatchObject({
      data: { backupPath: 'a.txt.bak.1', created: false },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'two', 'a.txt.bak': 'older', 'a.txt.bak.1': 'one' });
    const fresh = await trial.tool(writeFile, { filePath: 'b.txt', content: 'x', createBackup: true });
    expect(fresh).toEqual({ success: true, data: { filePath: 'b.txt', bytesWritten: 1, created: true } });
  });

  test('line ends, encoding, byte order mark and mode of the old file stay', async () => {
    const root = testFolder({
      'crlf.txt': 'a\r\nb\r\n',
      'bom.txt': '\ufeffa\n',
      'latin.txt': Buffer.from('caf\u00e9\xff', 'latin1'),
      'run.sh': '#!/bin/sh\n',
    });
    chmodSync(path.join(root, 'run.sh'), 0o750);
    const trial = await tryIn(root);
    expect(await trial.tool(writeFile, { filePath: 'crlf.txt', content: 'x\ny\n' })).toMatchObject({
      data: { kept: 'The lines of the file end with CRLF, as before.' },
    });
    expect(await trial.tool(writeFile, { filePath: 'bom.txt', content: 'x\n' })).toEqual({
      success: true,
      data: { filePath: 'bom.txt', bytesWritten: 5, created: false },
    });
    expect(await trial.tool(writeFile, { filePath: 'latin.txt', content: 'th\u00e9' })).toMatchObject({
      data: { kept: 'The file is latin-1, as before.' },
    });
    await trial.tool(writeFile, { filePath: 'run.sh', content: '#!/bin/bash\n' });
    expect(readFileSync(path.join(root, 'crlf.txt'), 'utf8')).toBe('x\r\ny\r\n');
    expect(readFileSync(path.join(root, 'bom.txt'), 'utf8')).toBe('\ufeffx\n');
    expect(readFileSync(path.join(root, 'latin.txt'), 'latin1')).toBe('th\u00e9');
    expect(statSync(path.join(root, 'run.sh')).mode & 0o777).toBe(0o750);
  });

  test('a character that the old encoding lacks makes the file UTF-8', async () => {
    const root = testFolder({ 'latin.txt': Buffer.from('caf\u00e9\xff', 'latin1') });
    const trial = await tryIn(root);
    expect(await trial.tool(writeFile, { filePath: 'latin.txt', content: '中' })).toMatchObject({
      data: { kept: 'The file was latin-1, which lacks a character of the content: it is UTF-8 now.' },
    });
    expect(readFileSync(path.join(root, 'latin.txt'), 'utf8')).toBe('中');
  });

  test('is dangerous, and shows what it will write before it does', async () => {
    const root = testFolder({ 'a.txt': 'old' });
    const { intent } = await (await tryIn(root)).plan(writeFile, { filePath: 'a.txt', content: 'new' });
    expect(intent).toMatchObject({ risk: 'dangerous', effects: ['writes'], summary: 'Overwrite a.txt' });
    expect(treeOf(root)).toEqual({ 'a.txt': 'old' });
  });

  test('refuses what cannot be written, each with its code', async () => {
    const outside = testFolder();
    const root = testFolder({ 'dir/x': '', file: '' });
    symlinkSync(path.join(outside, 'new'), path.join(root, 'dangling'));
    symlinkSync(outside, path.join(root, 'out'));
    const trial = await tryIn(root);
    const write = async (filePath: string) => code(await trial.tool(writeFile, { filePath, content: 'x' }));
    expect(await write('dir')).toBe('NOT_A_FILE');
    expect(await write('new/')).toBe('NOT_A_FILE');
    expect(await write('file/below')).toBe('FILE_WRITE_ERROR');
    expect(await write('../x')).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await write('dangling')).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await write('out/new/deep')).toBe('PATH_TRAVERSAL_DETECTED');
    expect(code(await trial.tool(writeFile, { filePath: 'x' }))).toBe('VALIDATION_ERROR');
    const large = await trial.tool(writeFile, { filePath: 'x', content: 'x'.repeat(10 * 1024 * 1024 + 1) });
    expect(code(large)).toBe('FILE_TOO_LARGE');
    expect(treeOf(outside)).toEqual({});
  });

  test('N4 a file that changed while it was judged is not overwritten', async () => {
    const root = testFolder({ 'a.txt': 'old' });
    const trial = await tryIn(root);
    const meanwhile = () => writeFileSync(path.join(root, 'a.txt'), 'typed by hand');
    const result = await trial.tool(writeFile, { filePath: 'a.txt', content: 'new' }, { meanwhile });
    expect(code(result)).toBe('STALE');
    expect(treeOf(root)).toEqual({ 'a.txt': 'typed by hand' });
  });

  test('what the person rejected is not written, and the reason is told', async () => {
    const root = testFolder({ 'a.txt': 'old' });
    const trial = await tryIn(root);
    const verdicts = [{ path: 'a.txt', keep: 'none' as const, comments: [{ text: 'keep it' }] }];
    expect(await trial.tool(writeFile, { filePath: 'a.txt', content: 'new' }, { verdicts })).toEqual({
      success: false,
      error: {
        code: 'PERMISSION_DENIED',
        message: 'The change was rejected, nothing was written. The person says: a.txt: keep it',
        details: { comments: [{ path: 'a.txt', text: 'keep it' }] },
      },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'old' });
  });
});
