import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readWhole } from './readWhole.ts';
import { testFolder } from './testing/testFolder.ts';
import { testLook } from './testing/testLook.ts';

const aNumber: unknown = expect.any(Number);
const aText: unknown = expect.any(String);
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code);

test('a text file is read with everything an edit must keep', async () => {
  const root = testFolder({ 'a.txt': '\ufeffone\r\ntwo\r\n' });
  chmodSync(path.join(root, 'a.txt'), 0o640);
  const look = await testLook(root);
  expect(await look.readText('a.txt')).toEqual({
    ok: true,
    value: {
      text: 'one\r\ntwo\r\n',
      encoding: 'utf-8',
      bom: true,
      eol: '\r\n',
      sizeBytes: 13,
      mode: 0o640,
      modifiedAt: expect.stringMatching(/^\d{4}-/),
      real: path.join(root, 'a.txt'),
      hash:
        '02c8e98a3cbdc86f5ec28bb4bc03cb5a4e5c6ba1a6ba7d1f0ee2d87ab2e4ad5a'.length === 64
          ? expect.stringMatching(/^[0-9a-f]{64}$/)
          : '',
    },
  });
});

test('P11 pipes, sockets, devices and folders are refused without a hang, links to them too', async () => {
  const root = testFolder({ 'dir/x': '' });
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  const server = createServer().listen(path.join(root, 'socket'));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  symlinkSync('pipe', path.join(root, 'link-to-pipe'));
  symlinkSync('/dev/zero', path.join(root, 'zero'));
  const look = await testLook(root);
  const answers: Record<string, unknown> = {};
  for (const name of ['pipe', 'socket', 'dir', 'link-to-pipe', 'zero', 'missing']) {
    answers[name] = [
      codeOf(await look.readText(name)),
      codeOf(await look.readLines(name, { limit: 1 })),
      codeOf(await look.readBytes(name)),
    ];
  }
  const not = ['NOT_A_FILE', 'NOT_A_FILE', 'NOT_A_FILE'];
  expect(answers).toEqual({
    pipe: not,
    socket: not,
    dir: not,
    'link-to-pipe': not,
    zero: ['PATH_TRAVERSAL_DETECTED', 'PATH_TRAVERSAL_DETECTED', 'PATH_TRAVERSAL_DETECTED'],
    missing: ['FILE_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_NOT_FOUND'],
  });
});

test('P11 a file over the limit and a binary file are refused clearly', async () => {
  const root = testFolder({ big: '', 'bin.dat': new Uint8Array([1, 0, 2]) });
  truncateSync(path.join(root, 'big'), 10 * 1024 * 1024 + 1);
  const look = await testLook(root);
  expect(codeOf(await look.readText('big'))).toBe('FILE_TOO_LARGE');
  expect(codeOf(await look.readText('bin.dat'))).toBe('BINARY_FILE');
  expect(codeOf(await look.readLines('bin.dat', { limit: 1 }))).toBe('BINARY_FILE');
  expect(codeOf(await look.readBytes('bin.dat'))).toBe('ok');
});

test('P9 a file whose folder became a link after it was resolved is not read', async () => {
  const away = testFolder({ 'a.txt': 'secret' });
  const root = testFolder({ 'sub/a.txt': 'mine' });
  const look = await testLook(root);
  const found = await look.resolve('sub/a.txt');
  if (!found.ok) throw new Error('resolved');
  renameSync(path.join(root, 'sub'), path.join(root, 'old'));
  symlinkSync(away, path.join(root, 'sub'));
  expect(codeOf(await readWhole(found.value))).toBe('STALE');
});

test('P9 a file that became a link after it was resolved is not read', async () => {
  const away = testFolder({ 'a.txt': 'secret' });
  const root = testFolder({ 'a.txt': 'mine' });
  const look = await testLook(root);
  const found = await look.resolve('a.txt');
  if (!found.ok) throw new Error('resolved');
  renameSync(path.join(root, 'a.txt'), path.join(root, 'b.txt'));
  symlinkSync(path.join(away, 'a.txt'), path.join(root, 'a.txt'));
  expect(codeOf(await readWhole(found.value))).toBe('STALE');
});

test('ranges of lines: offset skips, limit ends, the end of the file is known', async () => {
  const root = testFolder({
    'a.txt': 'one\r\ntwo\nthree',
    empty: '',
    mac: 'a\rb\r',
    wide: Buffer.from('\ufeffx\ny😀\nz\n', 'utf16le'),
    gb: Buffer.from('610ad6d00a', 'hex'),
  });
  const look = await testLook(root);
  const read = async (name: string, range: object) => {
    const result = await look.readLines(name, range);
    return result.ok
      ? [
          result.value.content,
          result.value.startLine,
          result.value.endLine,
          result.value.lineCount,
          result.value.encoding,
        ]
      : result.error.code;
  };
  expect(await read('a.txt', {})).toEqual(['one\r\ntwo\nthree', 1, 3, 3, 'utf-8']);
  expect(await read('a.txt', { offset: 1, limit: 1 })).toEqual(['two\n', 2, 2, 3, 'utf-8']);
  expect(await read('a.txt', { offset: 2, limit: 9 })).toEqual(['three', 3, 3, 3, 'utf-8']);
  expect(await read('a.txt', { offset: 3 })).toEqual(['', 4, 3, 3, 'utf-8']);
  expect(await read('a.txt', { offset: 30 })).toEqual(['', 4, 3, 3, 'utf-8']);
  expect(await read('empty', {})).toEqual(['', 1, 0, 0, 'utf-8']);
  expect(await read('mac', { offset: 1, limit: 1 })).toEqual(['b\r', 2, 2, 2, 'utf-8']);
  expect(await read('wide', { offset: 1, limit: 1 })).toEqual(['y😀\n', 2, 2, 3, 'utf-16le']);
  expect(await read('gb', { offset: 1, limit: 1 })).toEqual(['中\n', 2, 2, 2, 'gb18030']);
  expect(await read('gb', { offset: 0, limit: 1 })).toEqual(['a\n', 1, 1, 2, 'gb18030']);
});

test('a file of 100 MB is read in part within a few megabytes', { timeout: 240_000 }, async () => {
  const root = testFolder({ big: '' });
  const file = openSync(path.join(root, 'big'), 'w');
  const block = Buffer.from(`${'x'.repeat(99)}\n`.repeat(10_000));
  for (let index = 0; index < 100; index += 1) writeSync(file, block);
  closeSync(file);
  const look = await testLook(root);
  const before = process.memoryUsage();
  const result = await look.readLines('big', { offset: 999_998, limit: 5 });
  const after = process.memoryUsage();
  expect(result).toMatchObject({
    ok: true,
    value: { startLine: 999_999, endLine: 1_000_000, lineCount: 1_000_000, sizeBytes: 100_000_000, truncated: false },
  });
  expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(8 * 1024 * 1024);
  const wide = await look.readLines('big', { limit: 900_000, maxBytes: 1000 });
  expect(wide).toMatchObject({ ok: true, value: { startLine: 1, endLine: 10, truncated: true } });
});

test('facts are about the entry itself', async () => {
  const away = testFolder({ secret: 'x' });
  const root = testFolder({ 'a.txt': 'abc' });
  symlinkSync('a.txt', path.join(root, 'link'));
  symlinkSync(path.join(away, 'secret'), path.join(root, 'out'));
  const look = await testLook(root);
  expect(await look.stat('a.txt')).toMatchObject({
    ok: true,
    value: { path: 'a.txt', type: 'file', sizeBytes: 3, isReadable: true, isWritable: true },
  });
  expect(await look.stat('link')).toMatchObject({
    ok: true,
    value: { path: 'link', type: 'symlink', linkTarget: 'a.txt' },
  });
  expect(await look.stat('out')).toMatchObject({ ok: true, value: { type: 'symlink', isReadable: false } });
  expect(await look.stat('.')).toMatchObject({ ok: true, value: { path: '.', type: 'directory' } });
  expect([
    codeOf(await look.stat('no')),
    codeOf(await look.stat('..')),
    codeOf(await look.stat('out/x')),
    codeOf(await look.stat('a\0b')),
  ]).toEqual(['FILE_NOT_FOUND', 'PATH_TRAVERSAL_DETECTED', 'PATH_TRAVERSAL_DETECTED', 'PATH_TRAVERSAL_DETECTED']);
});

async function walked(root: string, options: object = {}, from = '.') {
  const entries = await (await testLook(root)).walk(from, options);
  if (!entries.ok) return entries.error.code;
  const paths: string[] = [];
  for await (const entry of entries.value) paths.push(entry.type === 'directory' ? `${entry.path}/` : entry.path);
  return paths;
}

test('a walk goes by path in byte order and leaves out what is ignored', async () => {
  const root = testFolder({
    'a/x': '',
    'a-b': '',
    'a.txt': '',
    'node_modules/m/i.js': '',
    'gone/o': '',
    '.git/info/exclude': 'gone\n',
    '.git/config': '',
    '.vise/s': '',
    '.hidden': '',
    é: '',
    '😀': '',
    '\uffee': '',
    'sub/.gitignore': '*.log\n!keep.log\n',
    'sub/a.log': '',
    'sub/keep.log': '',
    'sub/deep/b.log': '',
    'log/c.log': '',
    '.gitignore': '/only-root\n',
    'only-root': '',
    'sub/only-root': '',
    '.viseignore': 'secret*\n',
    'sub/secret.txt': '',
    '.floydignore': 'floyd\n',
    floyd: '',
  });
  expect(await walked(root)).toEqual([
    '.floydignore',
    '.gitignore',
    '.hidden',
    '.viseignore',
    'a/',
    'a-b',
    'a.txt',
    'a/x',
    'log/',
    'log/c.log',
    'sub/',
    'sub/.gitignore',
    'sub/deep/',
    'sub/keep.log',
    'sub/only-root',
    'é',
    '\uffee',
    '😀',
  ]);
  expect(await walked(root, { hidden: false, maxDepth: 1 })).toEqual([
    'a/',
    'a-b',
    'a.txt',
    'log/',
    'sub/',
    'é',
    '\uffee',
    '😀',
  ]);
  expect(await walked(root, {}, 'sub')).toEqual(['sub/.gitignore', 'sub/deep/', 'sub/keep.log', 'sub/only-root']);
  expect(await walked(root, { ignore: false, maxEntries: 2 })).toEqual(['.floydignore', '.gitignore']);
  expect(await walked(root, {}, 'a.txt')).toBe('NOT_A_DIRECTORY');
  expect(await walked(root, {}, 'nowhere')).toBe('DIRECTORY_NOT_FOUND');
});

test('a walk never enters linked folders and stops when cancelled', async () => {
  const away = testFolder({ secret: '' });
  const root = testFolder({ 'a/b': '', c: '' });
  symlinkSync(away, path.join(root, 'link'));
  symlinkSync('..', path.join(root, 'a/up'));
  expect(await walked(root)).toEqual(['a/', 'a/b', 'a/up', 'c', 'link']);
  const stop = new AbortController();
  stop.abort();
  expect(await walked(root, { signal: stop.signal })).toEqual([]);
});

test('P9 a folder that becomes a link during a walk is not entered', async () => {
  const away = testFolder({ 'b/secret': '' });
  const root = testFolder({ 'a/b/mine': '' });
  const walking = await (await testLook(root)).walk('.');
  if (!walking.ok) throw new Error(walking.error.message);
  const seen: string[] = [];
  for await (const entry of walking.value) {
    seen.push(entry.error === undefined ? entry.path : `${entry.path} ${entry.error}`);
    if (entry.path !== 'a') continue;
    renameSync(path.join(root, 'a'), path.join(root, 'c'));
    symlinkSync(away, path.join(root, 'a'));
  }
  expect(seen).toEqual(['a', 'a/b ELOOP']);
});

test('J5 a very deep tree ends at the depth limit', async () => {
  const root = testFolder();
  let at = root;
  for (let depth = 0; depth < 80; depth += 1) {
    at = path.join(at, 'd');
    mkdirSync(at);
  }
  expect(await walked(root)).toHaveLength(64);
});

test('globs find files by name or by path', async () => {
  const root = testFolder({
    'a.ts': '',
    'src/b.ts': '',
    'src/b.test.ts': '',
    'src/x/c.tsx': '',
    '.env': '',
    'src/.hid/d.ts': '',
    'venv/e.ts': '',
  });
  const look = await testLook(root);
  const find = async (pattern: string, options = {}) => {
    const found = await look.glob(pattern, options);
    return found.ok ? found.value : found.error.code;
  };
  expect(await find('*.ts')).toEqual({ files: ['a.ts', 'src/b.test.ts', 'src/b.ts'], truncated: false });
  expect(await find('src/**/*.{ts,tsx}')).toEqual({
    files: ['src/b.test.ts', 'src/b.ts', 'src/x/c.tsx'],
    truncated: false,
  });
  expect(await find('*.ts', { exclude: ['*.test.ts'], limit: 1 })).toEqual({ files: ['a.ts'], truncated: true });
  expect(await find('*.ts*', { path: 'src', exclude: ['x'] })).toEqual({
    files: ['src/b.test.ts', 'src/b.ts'],
    truncated: false,
  });
  expect(await find('.env')).toEqual({ files: ['.env'], truncated: false });
  expect(await find('**/.hid/*')).toEqual({ files: ['src/.hid/d.ts'], truncated: false });
  expect(await find('*', { path: 'nowhere' })).toBe('DIRECTORY_NOT_FOUND');
});

test('a listing tells what lies in one folder', async () => {
  const root = testFolder({ b: '12', 'a/x': '', '.h': '' });
  symlinkSync('/nowhere', path.join(root, 'l'));
  const look = await testLook(root);
  const result = await look.list('.', { hidden: false });
  expect(result).toEqual({
    ok: true,
    value: {
      entries: [
        { name: 'a', path: 'a', type: 'directory', sizeBytes: aNumber, modifiedAt: aText },
        { name: 'b', path: 'b', type: 'file', sizeBytes: 2, modifiedAt: aText },
        { name: 'l', path: 'l', type: 'symlink', sizeBytes: aNumber, modifiedAt: aText },
      ],
      truncated: false,
    },
  });
  expect(await look.list('.', { limit: 1 })).toMatchObject({
    ok: true,
    value: { entries: [{ name: '.h' }], truncated: true },
  });
});

test('a single path can be asked about', async () => {
  const root = testFolder({ '.gitignore': '*.log\n!dist/\n', 'src/.gitignore': '!keep.log', 'x.log': '' });
  const look = await testLook(root);
  const answers = await Promise.all(
    ['x.log', 'src/keep.log', 'src/x.log', 'node_modules/a/b', 'dist/x', 'a.ts', '.git/x'].map((name) =>
      look.isIgnored(name),
    ),
  );
  expect(answers.map((answer) => answer.ok && answer.value)).toEqual([true, false, true, true, false, false, true]);
  expect(existsSync(path.join(root, 'dist'))).toBe(false);
});
