import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { searchFiles } from './searchFiles.ts';

async function find(root: string, input: Record<string, unknown>) {
  const result = (await (await tryIn(root)).tool(searchFiles, input)) as {
    data?: { files: string[] };
    error?: { code: string };
  };
  return result.data?.files ?? result.error?.code;
}

const project = {
  'a.ts': '',
  'README.md': '',
  '.env': '',
  '.github/ci.yml': '',
  'src/b.ts': '',
  'src/deep/c.tsx': '',
  'src/[x].ts': '',
  'node_modules/m/i.ts': '',
  '.gitignore': 'gen.ts\n',
  'src/gen.ts': '',
  '.viseignore': 'private/\n',
  'private/p.ts': '',
};

describe('search_files', () => {
  test.each([
    ['*.ts', ['a.ts', 'src/[x].ts', 'src/b.ts']],
    ['**/*.ts', ['a.ts', 'src/[x].ts', 'src/b.ts']],
    ['src/*.ts', ['src/[x].ts', 'src/b.ts']],
    ['src/**', ['src/[x].ts', 'src/b.ts', 'src/deep/c.tsx']],
    ['*.{md,tsx}', ['README.md', 'src/deep/c.tsx']],
    ['?.ts', ['a.ts', 'src/b.ts']],
    ['[ab].ts', ['a.ts', 'src/b.ts']],
    ['src/\\[x\\].ts', ['src/[x].ts']],
    ['.env', ['.env']],
    ['.github/**', ['.github/ci.yml']],
    ['*.yml', []],
    ['nothing', []],
    ['src', []],
  ])('%s', async (pattern, expected) => {
    expect(await find(testFolder(project), { pattern })).toEqual(expected);
  });

  test('patterns are for paths below the folder that is searched; excludes add to what is ignored', async () => {
    const root = testFolder(project);
    expect(await find(root, { pattern: 'deep/*', path: 'src' })).toEqual(['src/deep/c.tsx']);
    expect(await find(root, { pattern: '*.ts*', excludePatterns: ['deep', '[[]x*'] })).toEqual(['a.ts', 'src/b.ts']);
    expect(await find(root, { pattern: '*.ts', excludePatterns: ['src/**'] })).toEqual(['a.ts']);
  });

  test('a glob with the folder of the project in front works, one that leads outside is refused', async () => {
    const root = testFolder({ 'src/a.ts': '', 'b.ts': '', 'src/b.ts': '' });
    expect(await find(root, { pattern: `${root}/src/*.ts` })).toEqual(['src/a.ts', 'src/b.ts']);
    expect(await find(root, { pattern: `${root}/b.ts` })).toEqual(['b.ts']);
    expect(await find(root, { pattern: `${root}/src/*.ts`, path: 'src' })).toEqual(['src/a.ts', 'src/b.ts']);
    expect(await find(root, { pattern: '/etc/*' })).toBe('PATH_TRAVERSAL_DETECTED');
  });

  test('1000 files are told in byte order, and that there are more', async () => {
    const root = testFolder(Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`d${i % 7}/f${i}`, ''])));
    const result = await (await tryIn(root)).tool(searchFiles, { pattern: 'f*' });
    const { data } = result as { data: { files: string[]; count: number; truncated: boolean } };
    const all = Array.from({ length: 2500 }, (_, i) => `d${i % 7}/f${i}`).sort();
    expect(data).toEqual({ files: all.slice(0, 1000), count: 1000, truncated: true });
  });

  test('each refusal has its code', async () => {
    const root = testFolder({ 'a.txt': '' });
    expect(await find(root, { pattern: '*', path: 'none' })).toBe('DIRECTORY_NOT_FOUND');
    expect(await find(root, { pattern: '*', path: 'a.txt' })).toBe('NOT_A_DIRECTORY');
    expect(await find(root, { pattern: '*', path: '../..' })).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await find(root, { pattern: '' })).toBe('VALIDATION_ERROR');
    expect(await find(root, { pattern: '*', excludePatterns: 'x' })).toBe('VALIDATION_ERROR');
    const trial = await tryIn(root);
    expect(await trial.tool(searchFiles, { pattern: '*' }, { signal: AbortSignal.abort() })).toMatchObject({
      error: { code: 'CANCELLED' },
    });
  });

  test('P1 links are neither entered nor told as files', async () => {
    const outside = testFolder({ 'o.ts': '' });
    const root = testFolder({ 'a.ts': '' });
    symlinkSync(outside, path.join(root, 'out'));
    symlinkSync('a.ts', path.join(root, 'l.ts'));
    expect(await find(root, { pattern: '*.ts' })).toEqual(['a.ts']);
  });

  test('a pattern that could never match says what to do instead', async () => {
    const root = testFolder({ 'a.ts': '', '!b.ts': '', 'c..d.ts': '' });
    expect(await find(root, { pattern: '../*.ts' })).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await find(root, { pattern: '!*.ts' })).toBe('VALIDATION_ERROR');
    expect(await find(root, { pattern: '\\!*.ts' })).toEqual(['!b.ts']);
    expect(await find(root, { pattern: 'c..d.*' })).toEqual(['c..d.ts']);
  });

  test('needs no permission', async () => {
    expect((await (await tryIn(testFolder())).plan(searchFiles, { pattern: '*' })).intent.risk).toBe('none');
  });
});
