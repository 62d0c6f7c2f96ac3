import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { getFileInfo } from './getFileInfo.ts';

const time = expect.stringMatching(/^\d{4}-.*Z$/);

describe('get_file_info', () => {
  test('tells the facts of text, binary files, folders and links', async () => {
    const root = testFolder({ 'a.txt': 'one\ntwo', bin: new Uint8Array([1, 0]), 'dir/x': '' });
    chmodSync(path.join(root, 'a.txt'), 0o640);
    symlinkSync('a.txt', path.join(root, 'link'));
    const trial = await tryIn(root);
    const info = (filePath: string) => trial.tool(getFileInfo, { filePath });
    expect(await info('a.txt')).toEqual({
      success: true,
      data: {
        filePath: 'a.txt',
        type: 'file',
        size: 7,
        modified: time,
        created: time,
        mode: '0640',
        isReadable: true,
        isWritable: true,
        isBinary: false,
        lineCount: 2,
        encoding: 'utf-8',
      },
    });
    expect(await info('bin')).toMatchObject({ data: { type: 'file', size: 2, isBinary: true } });
    expect(await info('dir')).toMatchObject({ data: { type: 'directory', isBinary: false } });
    expect(await info('link')).toMatchObject({ data: { type: 'symlink', linkTarget: 'a.txt' } });
  });

  test('P1 a link that leads outside is told as a link, what lies behind it is not', async () => {
    const outside = testFolder({ secret: 'x' });
    const root = testFolder();
    symlinkSync(outside, path.join(root, 'out'));
    const trial = await tryIn(root);
    expect(await trial.tool(getFileInfo, { filePath: 'out' })).toMatchObject({ data: { type: 'symlink' } });
    expect(await trial.tool(getFileInfo, { filePath: 'out/secret' })).toMatchObject({
      error: { code: 'PATH_TRAVERSAL_DETECTED' },
    });
  });

  test('each refusal has its code, and no permission is needed', async () => {
    const trial = await tryIn(testFolder({ a: '' }));
    expect(await trial.tool(getFileInfo, { filePath: 'none' })).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
    expect(await trial.tool(getFileInfo, {})).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect((await trial.plan(getFileInfo, { filePath: 'a' })).intent.risk).toBe('none');
  });
});
