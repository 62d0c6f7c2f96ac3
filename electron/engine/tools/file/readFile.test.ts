import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { readFile } from './readFile.ts';

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

describe('read_file', () => {
  test('reads a whole text file with its facts', async () => {
    const trial = await tryIn(testFolder({ 'src/a.txt': 'one\ntwo\n' }));
    expect(await trial.tool(readFile, { filePath: 'src/a.txt' })).toEqual({
      success: true,
      data: {
        filePath: 'src/a.txt',
        content: 'one\ntwo\n',
        startLine: 1,
        endLine: 2,
        lineCount: 2,
        size: 8,
        encoding: 'utf-8',
        truncated: false,
        lastModified: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  test.each([
    [
      { offset: 1, limit: 1 },
      { content: 'two\n', startLine: 2, endLine: 2 },
    ],
    [{ offset: 2 }, { content: 'three', startLine: 3, endLine: 3 }],
    [{ offset: 9 }, { content: '', startLine: 4, endLine: 3 }],
    [{ limit: 2 }, { content: 'one\ntwo\n', startLine: 1, endLine: 2 }],
  ])('%j selects lines, counted from 0 to skip', async (range, expected) => {
    const trial = await tryIn(testFolder({ 'a.txt': 'one\ntwo\nthree' }));
    expect(await trial.tool(readFile, { filePath: 'a.txt', ...range })).toMatchObject({
      success: true,
      data: { ...expected, lineCount: 3 },
    });
  });

  test('text over 200,000 characters ends with a whole line and says so', async () => {
    const trial = await tryIn(testFolder({ 'a.txt': `${'x'.repeat(99)}\n`.repeat(3000) }));
    const { data, warnings } = (await trial.tool(readFile, { filePath: 'a.txt' })) as {
      data: { content: string };
      warnings: readonly string[];
    };
    expect(warnings).toEqual(['Lines 1 to 2000 of 3000 are here; read on with offset 2000']);
    expect(data).toMatchObject({ endLine: 2000, lineCount: 3000, truncated: true });
    expect(data.content).toHaveLength(200_000);
  });

  test('lines carry their numbers where that is asked for', async () => {
    const trial = await tryIn(testFolder({ 'a.txt': 'one\ntwo\nthree' }));
    expect(await trial.tool(readFile, { filePath: 'a.txt', offset: 1, lineNumbers: true })).toMatchObject({
      data: { content: '2\ttwo\n3\tthree', startLine: 2 },
    });
  });

  test('each part of a German file in Latin-1 is read as such', async () => {
    const trial = await tryIn(
      testFolder({ 'a.txt': Buffer.from('plain\n\u00dcberpr\u00fcfung\ngr\u00f6\u00dfer\n', 'latin1') }),
    );
    const { data } = (await trial.tool(readFile, { filePath: 'a.txt', offset: 2 })) as { data: object };
    expect(data).toMatchObject({ content: 'gr\u00f6\u00dfer\n', encoding: 'latin-1' });
  });

  test('only the first bytes of a file make it binary, and UTF-16 has two bytes a character', async () => {
    const late = `${'x\n'.repeat(4_500)}\0z\ny\n`;
    const trial = await tryIn(
      testFolder({ late, odd: Buffer.from('fffe61', 'hex'), even: Buffer.from('fffe6100', 'hex'), nul: 'a\0' }),
    );
    expect(await trial.tool(readFile, { filePath: 'late', offset: 4_500, limit: 1 })).toMatchObject({
      data: { content: '\0z\n', startLine: 4_501, lineCount: 4_502 },
    });
    expect(await trial.tool(readFile, { filePath: 'late' })).toMatchObject({ data: { content: late } });
    expect(await trial.tool(readFile, { filePath: 'even' })).toMatchObject({
      data: { content: 'a', encoding: 'utf-16le' },
    });
    expect(await trial.tool(readFile, { filePath: 'odd' })).toMatchObject({
      data: { content: '\u00ff\u00fea', encoding: 'latin-1' },
    });
    expect(code(await trial.tool(readFile, { filePath: 'nul' }))).toBe('BINARY_FILE');
  });

  test('refuses what it cannot read, each with its code', async () => {
    const root = testFolder({ 'bin.dat': new Uint8Array([1, 0, 2]), 'dir/x': '', big: '' });
    truncateSync(path.join(root, 'big'), 11 * 1024 * 1024);
    const trial = await tryIn(root);
    expect(code(await trial.tool(readFile, { filePath: 'none' }))).toBe('FILE_NOT_FOUND');
    expect(code(await trial.tool(readFile, { filePath: 'dir' }))).toBe('NOT_A_FILE');
    expect(code(await trial.tool(readFile, { filePath: 'bin.dat' }))).toBe('BINARY_FILE');
    expect(code(await trial.tool(readFile, { filePath: 'big' }))).toBe('FILE_TOO_LARGE');
    expect(code(await trial.tool(readFile, { filePath: '../x' }))).toBe('PATH_TRAVERSAL_DETECTED');
    expect(code(await trial.tool(readFile, { filePath: 'a', offset: -1 }))).toBe('VALIDATION_ERROR');
    expect(code(await trial.tool(readFile, { filePath: 'a', limit: 0 }))).toBe('VALIDATION_ERROR');
    expect(code(await trial.tool(readFile, { offset: 0 }))).toBe('VALIDATION_ERROR');
  });

  test('a part of a file over the limit is read when a limit is given', async () => {
    const root = testFolder();
    writeFileSync(path.join(root, 'big.log'), 'a line of a log\n'.repeat(720_000));
    const trial = await tryIn(root);
    expect(await trial.tool(readFile, { filePath: 'big.log', offset: 719_999, limit: 5 })).toMatchObject({
      success: true,
      data: { content: 'a line of a log\n', startLine: 720_000, lineCount: 720_000, truncated: false },
    });
  });

  test('P1 a link that leaves the project is refused, one that stays is read', async () => {
    const outside = testFolder({ secret: 'no' });
    const root = testFolder({ 'a.txt': 'yes' });
    symlinkSync(path.join(outside, 'secret'), path.join(root, 'out'));
    symlinkSync('a.txt', path.join(root, 'in'));
    const trial = await tryIn(root);
    expect(code(await trial.tool(readFile, { filePath: 'out' }))).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await trial.tool(readFile, { filePath: 'in' })).toMatchObject({ success: true, data: { content: 'yes' } });
  });

  test.skipIf(process.platform === 'win32')(
    'P11 a named pipe is refused at once (not on Windows: no pipes)',
    async () => {
      const root = testFolder();
      mkdirSync(path.join(root, 'd'));
      execFileSync('mkfifo', [path.join(root, 'd', 'pipe')]);
      const trial = await tryIn(root);
      expect(code(await trial.tool(readFile, { filePath: 'd/pipe' }))).toBe('NOT_A_FILE');
    },
  );

  test('an input that it does not know is ignored with a warning', async () => {
    const trial = await tryIn(testFolder({ 'a.txt': 'x' }));
    expect(await trial.tool(readFile, { filePath: 'a.txt', encoding: 'utf8' })).toMatchObject({
      success: true,
      warnings: ['"encoding" is not an input of this tool and was ignored'],
    });
  });
});
