import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { listDirectory } from './listDirectory.ts';

const modified = expect.stringMatching(/^\d{4}-.*Z$/);
const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

async function paths(root: string, input: Record<string, unknown>) {
  const { data } = (await (await tryIn(root)).tool(listDirectory, input)) as {
    data: { entries: { path: string }[] };
  };
  return data.entries.map((entry) => entry.path);
}

describe('list_directory', () => {
  test('lists a folder in byte order with the facts of each entry', async () => {
    const root = testFolder({ 'b.txt': 'abc', 'a/x': '', '.hidden': '' });
    symlinkSync('b.txt', path.join(root, 'link'));
    expect(await (await tryIn(root)).tool(listDirectory, {})).toEqual({
      success: true,
      data: {
        path: '.',
        entries: [
          { name: 'a', path: 'a', type: 'directory', modified },
          { name: 'b.txt', path: 'b.txt', type: 'file', size: 3, modified },
          { name: 'link', path: 'link', type: 'symlink', modified },
        ],
        count: 3,
        truncated: false,
      },
    });
  });

  test('hidden entries only when asked for', async () => {
    const root = testFolder({ 'a/.env': '', 'a/b': '' });
    expect(await paths(root, { path: 'a' })).toEqual(['a/b']);
    expect(await paths(root, { path: 'a', includeHidden: true })).toEqual(['a/.env', 'a/b']);
    expect(await paths(root, { recursive: true, includeHidden: true })).toEqual(['a', 'a/.env', 'a/b']);
  });

  test('recursive goes below, without what is ignored, and never through links', async () => {
    const outside = testFolder({ secret: '' });
    const root = testFolder({ 'a/b/c': '', 'node_modules/x': '', '.gitignore': 'no\n', no: '', 'a.txt': '' });
    symlinkSync(outside, path.join(root, 'out'));
    expect(await paths(root, { recursive: true })).toEqual(['a', 'a.txt', 'a/b', 'a/b/c', 'out']);
  });

  test('2000 entries are told, and that there are more', async () => {
    const root = testFolder(Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`d/f${i}`, ''])));
    const trial = await tryIn(root);
    for (const recursive of [false, true])
      expect(await trial.tool(listDirectory, { path: 'd', recursive })).toMatchObject({
        data: { count: 2000, truncated: true },
      });
  });

  test('each refusal has its code', async () => {
    const trial = await tryIn(testFolder({ 'a.txt': '' }));
    const list = async (input: Record<string, unknown>) => code(await trial.tool(listDirectory, input));
    expect(await list({ path: 'none' })).toBe('DIRECTORY_NOT_FOUND');
    expect(await list({ path: 'a.txt' })).toBe('NOT_A_DIRECTORY');
    expect(await list({ path: '..' })).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await list({ path: 7 })).toBe('VALIDATION_ERROR');
    const stopped = await trial.tool(listDirectory, { recursive: true }, { signal: AbortSignal.abort() });
    expect(code(stopped)).toBe('CANCELLED');
  });

  test('needs no permission', async () => {
    expect((await (await tryIn(testFolder())).plan(listDirectory, {})).intent.risk).toBe('none');
  });
});
