import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type PathProbe, type Sandbox } from './sandbox.ts';
import { testFolder, writeFiles } from './testing/testFolder.ts';

async function sandboxOf(...roots: string[]): Promise<Sandbox> {
  const made = await createSandbox({ roots });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

async function codeFor(sandbox: Sandbox, given: string, from?: string): Promise<string> {
  const result = await sandbox.resolve(given, from);
  return result.ok ? `${result.value.relative} ${result.value.kind}` : result.error.code;
}

test('a path inside is told with its relative and its real name', async () => {
  const root = testFolder({ 'src/a.ts': 'x' });
  const sandbox = await sandboxOf(root);
  expect(await sandbox.resolve('src/./../src/a.ts')).toEqual({
    ok: true,
    value: {
      absolute: path.join(root, 'src/a.ts'),
      relative: 'src/a.ts',
      real: path.join(root, 'src/a.ts'),
      realRelative: 'src/a.ts',
      root,
      exists: true,
      kind: 'file',
      isLink: false,
    },
  });
  expect(await codeFor(sandbox, '.')).toBe('. directory');
  expect(await codeFor(sandbox, path.join(root, 'new/deep/file'))).toBe('new/deep/file missing');
  expect(await codeFor(sandbox, '..x')).toBe('..x missing');
  expect(await codeFor(sandbox, '%2e%2e/x')).toBe('%2e%2e/x missing');
  expect(await codeFor(sandbox, '~/x')).toBe('~/x missing');
});

test.each(['..', '../x', '/etc/passwd', 'src/../../x', '/', 'a/../../project2', 'x\0y'])(
  '%j is outside',
  async (given) => {
    const sandbox = await sandboxOf(testFolder());
    expect(await codeFor(sandbox, given)).toBe('PATH_TRAVERSAL_DETECTED');
  },
);

test('P1 a linked file or folder that leaves the project is refused, one that stays inside is followed', async () => {
  const away = testFolder({ 'secret.txt': 's', 'folder/x': 'x' });
  const root = testFolder({ 'real.txt': 'r' });
  symlinkSync(path.join(away, 'secret.txt'), path.join(root, 'file'));
  symlinkSync(path.join(away, 'folder'), path.join(root, 'dir'));
  symlinkSync('real.txt', path.join(root, 'inside'));
  symlinkSync('b', path.join(root, 'a'));
  symlinkSync('a', path.join(root, 'b'));
  const sandbox = await sandboxOf(root);
  expect(await codeFor(sandbox, 'file')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, 'dir/x')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, 'dir')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, 'a')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await sandbox.resolve('inside')).toMatchObject({
    ok: true,
    value: { relative: 'inside', realRelative: 'real.txt', isLink: true, kind: 'file' },
  });
});

test('P2 a dangling link is judged by where it would create', async () => {
  const away = testFolder();
  const root = testFolder();
  symlinkSync(path.join(away, 'not-yet'), path.join(root, 'out'));
  symlinkSync('sub/not-yet', path.join(root, 'in'));
  symlinkSync('hop', path.join(root, 'first'));
  symlinkSync(path.join(away, 'deep/er'), path.join(root, 'hop'));
  const sandbox = await sandboxOf(root);
  expect(await codeFor(sandbox, 'out')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, 'first')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await sandbox.resolve('in')).toMatchObject({
    ok: true,
    value: { relative: 'in', realRelative: 'sub/not-yet', isLink: true, exists: false },
  });
});

test('P3 missing parents below a linked ancestor are refused', async () => {
  const away = testFolder();
  const root = testFolder();
  symlinkSync(away, path.join(root, 'link'));
  symlinkSync(path.join(away, 'missing'), path.join(root, 'dangling'));
  const sandbox = await sandboxOf(root);
  expect(await codeFor(sandbox, 'link/new/deep/file.txt')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, 'dangling/new/file.txt')).toBe('PATH_TRAVERSAL_DETECTED');
});

test('P5 state folders that are links out of the project are refused', async () => {
  const away = testFolder({ 'config.json': '{}' });
  const root = testFolder();
  for (const name of ['.vise', '.cli-bridge', '.git']) symlinkSync(away, path.join(root, name));
  const sandbox = await sandboxOf(root);
  for (const name of ['.vise', '.cli-bridge', '.git'])
    expect(await codeFor(sandbox, `${name}/config.json`)).toBe('PATH_TRAVERSAL_DETECTED');
});

test('P7 a neighbour with the same prefix is outside, and a chosen folder never widens the root', async () => {
  const base = testFolder({ 'proj/a': '', 'proj/sub/b': '', 'proj2/secret': '' });
  const sandbox = await sandboxOf(path.join(base, 'proj'));
  expect(await codeFor(sandbox, path.join(base, 'proj2/secret'))).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, '../a', 'sub')).toBe('a file');
  expect(await codeFor(sandbox, 'secret', '../proj2')).toBe('PATH_TRAVERSAL_DETECTED');
  expect(await codeFor(sandbox, 'secret', path.join(base, 'proj2'))).toBe('PATH_TRAVERSAL_DETECTED');
});

test('P9 a folder replaced by a link is seen at the next look', async () => {
  const away = testFolder({ 'a.txt': 'theirs' });
  const root = testFolder({ 'sub/a.txt': 'mine' });
  const sandbox = await sandboxOf(root);
  expect(await codeFor(sandbox, 'sub/a.txt')).toBe('sub/a.txt file');
  rmSync(path.join(root, 'sub'), { recursive: true });
  symlinkSync(away, path.join(root, 'sub'));
  expect(await codeFor(sandbox, 'sub/a.txt')).toBe('PATH_TRAVERSAL_DETECTED');
});

test('further roots are inside too and are named absolutely', async () => {
  const one = testFolder({ a: '' });
  const two = testFolder({ b: '' });
  const sandbox = await sandboxOf(one, two);
  expect(await codeFor(sandbox, path.join(two, 'b'))).toBe(`${two}/b file`);
  expect(await codeFor(sandbox, `${two}/b`)).toBe(`${two}/b file`);
});

test('a root that is itself a link is entered by either name', async () => {
  const base = testFolder({ 'real/a': '' });
  symlinkSync('real', path.join(base, 'alias'));
  const sandbox = await sandboxOf(path.join(base, 'alias'));
  expect(await codeFor(sandbox, path.join(base, 'alias/a'))).toBe('a file');
  expect(await codeFor(sandbox, path.join(base, 'real/a'))).toBe('a file');
  expect(sandbox.root).toBe(path.join(base, 'real'));
});

test('a file in the place of a folder leaves the rest missing', async () => {
  const root = testFolder({ file: 'x' });
  mkdirSync(path.join(root, 'dir'));
  expect(await codeFor(await sandboxOf(root), 'file/below')).toBe('file/below missing');
  expect(await codeFor(await sandboxOf(root), '')).toBe('VALIDATION_ERROR');
  expect(await codeFor(await sandboxOf(root), 'x'.repeat(300))).toBe('PATH_TRAVERSAL_DETECTED');
});

test('a root must exist, be a folder and be absolute', async () => {
  const root = testFolder({ file: 'x' });
  const codes = [];
  for (const roots of [[], ['relative'], [path.join(root, 'no')], [path.join(root, 'file')]]) {
    const made = await createSandbox({ roots });
    codes.push(made.ok ? 'ok' : made.error.code);
  }
  expect(codes).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR', 'DIRECTORY_NOT_FOUND', 'NOT_A_DIRECTORY']);
});

/** A Windows or macOS file system in memory: enough for the sandbox's questions. */
function pretendedDisk(entries: Readonly<Record<string, 'file' | 'folder' | { readonly link: string }>>): PathProbe {
  const folded = new Map(Object.entries(entries).map(([name, what]) => [name.toLowerCase(), { name, what }]));
  const missing = () => Object.assign(new Error('missing'), { code: 'ENOENT' });
  const find = (name: string) => {
    const entry = folded.get(name.toLowerCase());
    if (!entry) throw missing();
    return entry;
  };
  const stats = (what: unknown) => ({
    isSymbolicLink: () => typeof what === 'object',
    isFile: () => what === 'file',
    isDirectory: () => what === 'folder',
  });
  return {
    realpath: async (name) => {
      const { name: real, what } = find(name);
      return typeof what === 'object' ? find(what.link).name : real;
    },
    lstat: async (name) => stats(find(name).what),
    stat: async (name) => stats(find(name).what) as never,
    readlink: async (name) => {
      const { what } = find(name);
      if (typeof what !== 'object') throw missing();
      return what.link;
    },
  };
}

test('P8 Windows: case does not matter, drives do, strange spellings are refused', async () => {
  const probe = pretendedDisk({
    'C:\\': 'folder',
    'C:\\Proj': 'folder',
    'C:\\Proj\\src': 'folder',
    'C:\\Proj\\src\\a.ts': 'file',
    'C:\\Proj\\out': { link: 'C:\\Away' },
    'C:\\Away': 'folder',
    'D:\\': 'folder',
  });
  const made = await createSandbox({ roots: ['C:\\Proj'], platform: 'win32', probe });
  if (!made.ok) throw new Error(made.error.message);
  const answers: Record<string, string> = {};
  for (const given of [
    'src\\a.ts',
    'SRC/A.TS',
    'c:\\pROJ\\src\\new.ts',
    'out\\x',
    'D:\\Proj\\src',
    '..\\Away',
    'C:\\Project2\\x',
    'C:src',
    'src\\a.ts:stream',
    'src\\a.ts::$DATA',
    'src\\name.',
    'src\\name ',
    'src.\\a.ts',
    'NUL',
    'con.txt',
    'src\\COM1',
    'lpt9.log',
    'com¹',
    '\\\\server\\share\\x',
    '\\\\?\\C:\\Proj\\src',
    '//?/C:/Proj/src',
    '\\\\.\\pipe\\x',
    'a<b',
    'a|b',
    'console.txt',
    'nullable.ts',
    'src\\.x',
    '..\\Proj\\src',
  ])
    answers[given] = await codeFor(made.value, given);
  const no = 'PATH_TRAVERSAL_DETECTED';
  expect(answers).toEqual({
    'src\\a.ts': 'src/a.ts file',
    'SRC/A.TS': 'SRC/A.TS file',
    'c:\\pROJ\\src\\new.ts': 'src/new.ts missing',
    'out\\x': no,
    'D:\\Proj\\src': no,
    '..\\Away': no,
    'C:\\Project2\\x': no,
    'C:src': no,
    'src\\a.ts:stream': no,
    'src\\a.ts::$DATA': no,
    'src\\name.': no,
    'src\\name ': no,
    'src.\\a.ts': no,
    NUL: no,
    'con.txt': no,
    'src\\COM1': no,
    'lpt9.log': no,
    'com¹': no,
    '\\\\server\\share\\x': no,
    '\\\\?\\C:\\Proj\\src': no,
    '//?/C:/Proj/src': no,
    '\\\\.\\pipe\\x': no,
    'a<b': no,
    'a|b': no,
    'console.txt': 'console.txt missing',
    'nullable.ts': 'nullable.ts missing',
    'src\\.x': 'src/.x missing',
    '..\\Proj\\src': 'src directory',
  });
});

test('P8 macOS: a name in another case or composition is the same place', async () => {
  const probe = pretendedDisk({ '/': 'folder', '/Users': 'folder', '/Users/café': 'folder' });
  const made = await createSandbox({ roots: ['/Users/café'], platform: 'darwin', probe });
  if (!made.ok) throw new Error(made.error.message);
  expect(await codeFor(made.value, '/users/CAFÉ/x')).toBe('x missing');
});

test('a name that looks safe only because it was written over many lines is shown without control characters', async () => {
  const sandbox = await sandboxOf(testFolder());
  const result = await sandbox.resolve('../a\nb');
  expect(result.ok ? '' : result.error.message).toBe('The path "../a␀b" is refused: it is outside the project');
  writeFiles(sandbox.root, {});
});
