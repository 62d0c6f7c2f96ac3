import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { grepSearch } from './grepSearch.ts';

interface Data {
  readonly matches: readonly { readonly file: string; readonly line: number; readonly text: string }[];
}

async function grep(root: string, input: Record<string, unknown>) {
  const trial = await tryIn(root);
  return trial.tool(grepSearch, input);
}

async function places(root: string, input: Record<string, unknown>) {
  const result = (await grep(root, input)) as { data?: Data; error?: { code: string } };
  return result.data ? result.data.matches.map(({ file, line }) => `${file}:${line}`) : result.error?.code;
}

describe('grep_search', () => {
  test('tells every match with its place, in the order of paths', async () => {
    const root = testFolder({ 'b.txt': 'x\r\nab ab\r\ny\r\n', 'a/c.txt': 'ñ🙂 ab\n' });
    expect(await grep(root, { pattern: 'ab', contextLines: 1 })).toEqual({
      success: true,
      data: {
        matches: [
          { file: 'a/c.txt', line: 1, column: 5, text: 'ñ🙂 ab', matchStart: 4, matchEnd: 6, before: [], after: [] },
          { file: 'b.txt', line: 2, column: 1, text: 'ab ab', matchStart: 0, matchEnd: 2, before: ['x'], after: ['y'] },
          { file: 'b.txt', line: 2, column: 4, text: 'ab ab', matchStart: 3, matchEnd: 5, before: ['x'], after: ['y'] },
        ],
        totalMatches: 3,
        filesWithMatches: 2,
        truncated: false,
      },
    });
  });

  test('filePattern with ! in front means all other files, by ripgrep and by script', async () => {
    const root = testFolder({ 'a.ts': 'ab', 'a.md': 'ab', 'src/b.ts': 'ab', 'src/c.md': 'ab' });
    for (const pattern of ['ab', '(?<!x)ab']) {
      expect(await places(root, { pattern, filePattern: '!*.ts' })).toEqual(['a.md:1', 'src/c.md:1']);
      expect(await places(root, { pattern, filePattern: '!src/**' })).toEqual(['a.md:1', 'a.ts:1']);
    }
    expect(await places(root, { pattern: 'ab', filePattern: '' })).toBe('VALIDATION_ERROR');
  });

  test('what is no regular expression says how to go on', async () => {
    const root = testFolder({ a: '' });
    const message = async (pattern: string) => JSON.stringify(await grep(root, { pattern }));
    expect(await message('f(x')).toContain('escape it: f\\\\(x');
    expect(await message('(?i)x')).toContain('use caseInsensitive');
  });

  test('the ignore set, .gitignore, .viseignore and binary files are left out, hidden files are not', async () => {
    const root = testFolder({
      'a.txt': 'hit',
      '.env': 'hit',
      'node_modules/m/i.js': 'hit',
      '.git/info/exclude': 'mine.txt\n',
      'mine.txt': 'hit',
      '.git/config': 'hit',
      '.vise/rules': 'hit',
      '.gitignore': 'no.txt\n/top\n',
      'no.txt': 'hit',
      'top/x': 'hit',
      'sub/top/x': 'hit',
      '.viseignore': 'vise.txt\n',
      'vise.txt': 'hit',
      'deep/.floydignore': 'f.txt\n',
      'deep/f.txt': 'hit',
      'deep/er/f.txt': 'hit',
      'deep/g.txt': 'hit',
      '.ignore': 'a.txt\n',
      'bin.dat': new Uint8Array([0, 104, 105, 116]),
    });
    expect(await places(root, { pattern: 'hit' })).toEqual(['.env:1', 'a.txt:1', 'deep/g.txt:1', 'sub/top/x:1']);
  });

  test('a folder below the root keeps the rules from above it', async () => {
    const root = testFolder({
      '.gitignore': 'no.txt\n/sub/anchored\n',
      'sub/no.txt': 'hit',
      'sub/anchored/x': 'hit',
      'sub/in/.gitignore': 'y\n',
      'sub/in/ner/y': 'hit',
      'sub/in/ner/z': 'hit',
    });
    expect(await places(root, { pattern: 'hit', path: 'sub' })).toEqual(['sub/in/ner/z:1']);
    expect(await places(root, { pattern: 'hit', path: 'sub/in/ner' })).toEqual(['sub/in/ner/z:1']);
  });

  test('a folder of dependencies that the project takes back is searched, and build folders that git knows', async () => {
    const root = testFolder({ '.gitignore': '!venv/\n', 'venv/a': 'hit', 'node_modules/b': 'hit', 'build/c': 'hit' });
    expect(await places(root, { pattern: 'hit' })).toEqual(['build/c:1', 'venv/a:1']);
  });

  test('files of other encodings are found by what their characters are', async () => {
    const german = Buffer.from('// f\u00fcr die Gr\u00f6\u00dfe\n// f\u00fcr sp\u00e4ter\n', 'latin1');
    const root = testFolder({
      'a.ts': '// f\u00fcr alle\n',
      'latin.ts': german,
      'gb.ts': Buffer.from('2f2f20b7b5bbd8cec4bcfeb4f3d0a10a', 'hex'),
      'wide.ts': Buffer.from('\ufefff\u00fcr\n', 'utf16le'),
      'z.bin': new Uint8Array([0xff, 0, 0xfc]),
    });
    expect(await places(root, { pattern: 'f\u00fcr' })).toEqual(['a.ts:1', 'latin.ts:1', 'latin.ts:2', 'wide.ts:1']);
    expect(await places(root, { pattern: 'f.r (die|alle)' })).toEqual(['a.ts:1', 'latin.ts:1']);
    expect(await places(root, { pattern: '\u6587\u4ef6' })).toEqual(['gb.ts:1']);
    expect(await places(root, { pattern: 'Gr\u00f6\u00dfe', path: 'latin.ts' })).toEqual(['latin.ts:1']);
  });

  test('the answer says what was left out and how to see it', async () => {
    const root = testFolder({
      '.gitignore': 'out/\n*.log\n',
      'out/x': 'hit',
      'a.log': 'hit',
      'node_modules/b': 'hit',
      c: '',
    });
    const trial = await tryIn(root);
    expect(await trial.tool(grepSearch, { pattern: 'hit' })).toEqual({
      success: true,
      data: {
        matches: [],
        totalMatches: 0,
        filesWithMatches: 0,
        truncated: false,
        ignored: { count: 3, paths: ['a.log', 'node_modules/', 'out/'] },
      },
      warnings: ['Left out as ignored: a.log, node_modules/, out/; give one as path to look into it'],
    });
    expect(await places(root, { pattern: 'hit', path: 'out' })).toEqual(['out/x:1']);
  });

  test('a glob with the folder of the project in front works, one that leads outside is refused', async () => {
    const root = testFolder({ 'src/a.ts': 'hit', 'b.ts': 'hit', 'src/b.ts': 'hit' });
    expect(await places(root, { pattern: 'hit', filePattern: `${root}/src/**/*.ts` })).toEqual([
      'src/a.ts:1',
      'src/b.ts:1',
    ]);
    expect(await places(root, { pattern: 'hit', filePattern: `${root}/b.ts` })).toEqual(['b.ts:1']);
    expect(await places(root, { pattern: 'hit', path: 'src', filePattern: `!${root}/src/a.ts` })).toEqual([
      'src/b.ts:1',
    ]);
    const refused = await (await tryIn(root)).tool(grepSearch, { pattern: 'hit', filePattern: '/etc/**' });
    expect(refused).toMatchObject({
      error: { code: 'PATH_TRAVERSAL_DETECTED', message: expect.stringContaining('lies outside the project') },
    });
  });

  test('a file that is named is searched even if it is ignored', async () => {
    const root = testFolder({ '.gitignore': 'a.log\n', 'a.log': 'x\nhit\n' });
    expect(await places(root, { pattern: 'hit', path: 'a.log' })).toEqual(['a.log:2']);
  });

  test.each([
    ['*.ts', ['a.ts:1', 'src/b.ts:1']],
    ['*.{ts,js}', ['a.ts:1', 'src/b.ts:1', 'src/c.js:1']],
    ['src/**/*.ts', ['src/b.ts:1']],
    ['src/**', ['src/b.ts:1', 'src/c.js:1']],
  ])('filePattern %s', async (filePattern, expected) => {
    const root = testFolder({ 'a.ts': 'hit', 'src/b.ts': 'hit', 'src/c.js': 'hit', 'd.md': 'hit' });
    expect(await places(root, { pattern: 'hit', filePattern })).toEqual(expected);
  });

  test('filePattern does not bring back what is ignored', async () => {
    const root = testFolder({ '.gitignore': 'gen.ts\n', 'gen.ts': 'hit', 'a.ts': 'hit' });
    expect(await places(root, { pattern: 'hit', filePattern: '*.ts' })).toEqual(['a.ts:1']);
  });

  test('500 matches are told, all are counted', async () => {
    const root = testFolder(
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i + 10}.txt`, 'hit hit\n'.repeat(20)])),
    );
    const { data } = (await grep(root, { pattern: 'hit' })) as { data: Data };
    expect(data).toMatchObject({ totalMatches: 1200, filesWithMatches: 30, truncated: true });
    expect(data.matches).toHaveLength(500);
    expect(data.matches.at(-1)).toMatchObject({ file: 'f22.txt', line: 10 });
  });

  test('a very long line is cut to what surrounds the match', async () => {
    const root = testFolder({ 'min.js': `${'x'.repeat(5000)}hit${'y'.repeat(5000)}` });
    const { data } = (await grep(root, { pattern: 'hit' })) as {
      data: { matches: { text: string; column: number; matchStart: number; matchEnd: number }[] };
    };
    const [match] = data.matches;
    expect(match?.column).toBe(5001);
    expect(match?.text).toHaveLength(500);
    expect(match?.text.slice(match.matchStart, match.matchEnd)).toBe('hit');
  });

  test('what a shell would take for its own is only a pattern', async () => {
    const root = testFolder({ 'a.txt': '$(touch x) `touch y`; "q"\n' });
    expect(await places(root, { pattern: String.raw`\$\(touch x\) .touch y.; "q"` })).toEqual(['a.txt:1']);
    expect(await places(root, { pattern: '--files', path: '.' })).toEqual([]);
  });

  test('each refusal has its code', async () => {
    const root = testFolder({ 'a.txt': 'x' });
    expect(await places(root, { pattern: '(' })).toBe('INVALID_REGEX');
    expect(await places(root, { pattern: 'x', path: 'none' })).toBe('DIRECTORY_NOT_FOUND');
    expect(await places(root, { pattern: 'x', path: '..' })).toBe('PATH_TRAVERSAL_DETECTED');
    expect(await places(root, { pattern: 'x', contextLines: 11 })).toBe('VALIDATION_ERROR');
    expect(await places(root, { pattern: '' })).toBe('VALIDATION_ERROR');
    const trial = await tryIn(root);
    expect(await trial.tool(grepSearch, { pattern: 'x' }, { signal: AbortSignal.abort() })).toMatchObject({
      success: false,
      error: { code: 'CANCELLED' },
    });
  });

  test('P1 links are never followed', async () => {
    const outside = testFolder({ 'o.txt': 'hit' });
    const root = testFolder({ 'a.txt': 'hit' });
    symlinkSync(outside, path.join(root, 'out'));
    symlinkSync('a.txt', path.join(root, 'b.txt'));
    expect(await places(root, { pattern: 'hit' })).toEqual(['a.txt:1']);
    expect(await places(root, { pattern: 'hit', path: 'out' })).toBe('PATH_TRAVERSAL_DETECTED');
  });
});

describe('grep_search by JavaScript’s own engine', () => {
  test.each([
    [String.raw`(?<=a)hit(?!x)`, ['b.txt:2']],
    [String.raw`(\w)\1`, ['b.txt:3']],
    [String.raw`h\u0069t|\cA`, ['b.txt:1', 'b.txt:2']],
  ])('%s', async (pattern, expected) => {
    const root = testFolder({ 'b.txt': 'hitx\nahit\nzz\n', '.gitignore': 'c.txt\n', 'c.txt': 'ahit' });
    expect(await places(root, { pattern })).toEqual(expected);
  });

  test('tells the same as the other engine', async () => {
    const root = testFolder({ 'b.txt': 'x\r\nab ab\r\ny\r\n', 'a/c.txt': 'ñ🙂 ab\n' });
    const plain = await grep(root, { pattern: 'ab', contextLines: 1 });
    expect(await grep(root, { pattern: '(?=a)ab', contextLines: 1 })).toEqual(plain);
  });

  test('J5 a pattern that explodes is given up, file by file', async () => {
    const root = testFolder({ 'bomb.txt': `${'a'.repeat(60)}b\n`, 'fine.txt': 'aa\n' });
    expect(await grep(root, { pattern: '^(?=a)(a+)+$' })).toEqual({
      success: true,
      data: {
        matches: [
          { file: 'fine.txt', line: 1, column: 1, text: 'aa', matchStart: 0, matchEnd: 2, before: [], after: [] },
        ],
        totalMatches: 1,
        filesWithMatches: 1,
        truncated: false,
        timedOut: ['bomb.txt'],
      },
    });
  });

  test('J5 a pattern that explodes can be stopped', async () => {
    const root = testFolder({ 'bomb.txt': `${'a'.repeat(60)}b\n` });
    const stop = new AbortController();
    const trial = await tryIn(root);
    const running = trial.tool(grepSearch, { pattern: '^(?=a)(a+)+$' }, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(await running).toMatchObject({ success: false, error: { code: 'CANCELLED' } });
  });
});
