import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLook } from '../../workspace/look.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { isSecret, readProject } from './readProject.ts';

async function materialOf(root: string, maxChars?: number): Promise<string> {
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const read = await readProject(createLook(sandbox.value), new AbortController().signal, maxChars);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

/** The files whose contents are in it, in their order. */
function readIn(material: string): readonly string[] {
  return [...material.matchAll(/^--- (\S+) \(\d+B/gm)].map(([, path = '']) => path);
}

const text = (chars: number) => 'word '.repeat(chars / 5);

test('reads what tells most first, and leaves out what is ignored, linked, binary or secret', async () => {
  const outside = testFolder({ secret: 'outside' });
  const root = testFolder({
    'README.md': 'what it is',
    'src/main.ts': "import './helper.ts'",
    'src/helper.ts': 'helper '.repeat(100),
    'node_modules/x/index.js': 'dependency',
    '.git/config': '[core]',
    '.gitignore': 'built/\n',
    'built/out.js': 'generated',
    '.env': 'TOKEN=geheim',
    'key.pem': 'geheim',
    'logo.png': new Uint8Array([137, 80, 78, 71, 0, 0]),
  });
  symlinkSync(join(outside, 'secret'), join(root, 'link.txt'));
  const material = await materialOf(root);
  expect(readIn(material)).toEqual(['README.md', 'src/main.ts', 'src/helper.ts', '.gitignore']);
  expect(material).not.toMatch(/geheim|dependency|\[core\]|generated|outside/);
  expect(material).toMatch(/^ {2}\.env \(12B\)$/m);
  expect(material).toMatch(/^\* README\.md \(10B\)$/m);
});

test('a package is read from its readme, its manifest and its entry; then what most others import; few tests', async () => {
  const tests = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`test/case-${index}.test.js`, `require('../lib/rare')\n${text(400)}`]),
  );
  const root = testFolder({
    ...tests,
    'README.md': text(500),
    'package.json': JSON.stringify({ main: 'server.js', types: 'server.d.ts' }),
    'server.js': `require('./lib/reply')\n${text(40_000)}`,
    'server.d.ts': text(100),
    'lib/a.js': "require('./common')",
    'lib/b.js': "const x = require('./common.js')",
    'lib/common.js': text(100),
    'lib/rare.js': 'rare',
    'lib/reply.js': text(30_000),
    'test/fixtures/package.json': '{"main":"x.js"}',
    'test/fixtures/x.js': text(300),
    'examples/small.js': 'x',
    'docs/guide.md': text(100),
    'dist/server.min.js': text(10),
    LICENSE: text(1_000),
  });
  const material = await materialOf(root, 100_000);
  const read = readIn(material);
  expect(read.slice(0, 6)).toEqual([
    'README.md',
    'package.json',
    'server.js',
    'lib/reply.js',
    'lib/common.js',
    'lib/rare.js',
  ]);
  expect(read.filter((path) => /^(?:test|examples)\//.test(path))).toHaveLength(4);
  expect(read).not.toContain('LICENSE');
  expect(material).toMatch(/^--- server\.js \(40023B, its beginning\) ---$/m);
  expect(material).toMatch(/^ {2}test\/ 120 \(tests, examples\)$/m);
});

test('the sources of a package come before what was compiled of them, and exports name them', async () => {
  const root = testFolder({
    'package.json': JSON.stringify({
      exports: { '.': { types: './index.d.cts', import: './index.js' }, './mini/*': './mini/*.js' },
      bin: { tool: './dist/cli.js' },
    }),
    'index.js': 'compiled',
    'index.d.cts': 'compiled',
    'src/index.ts': "export * from './core.js'",
    'src/core.ts': 'core',
    'core.js': 'compiled',
    'dist/cli.js': 'compiled',
    'src/cli.ts': 'command',
  });
  expect(readIn(await materialOf(root))).toEqual(['package.json', 'src/index.ts', 'src/cli.ts', 'src/core.ts']);
});

test('an installed package of npm is described by its readme, its manifest and its entry points', async () => {
  const read = readIn(await materialOf(join(import.meta.dirname, '../../../../node_modules/zod'), 100_000));
  expect(read.slice(0, 3)).toEqual(['README.md', 'package.json', 'src/index.ts']);
  expect(read).toContain('src/v4/core/schemas.ts');
  expect(read.filter((path) => path.includes('/tests/')).length).toBeLessThanOrEqual(4);
});

test.each([
  [
    'Python',
    {
      'pyproject.toml': 'x',
      'app/__main__.py': 'from .core import x',
      'app/core.py': 'x',
      'tests/test_core.py': text(400),
    },
    ['pyproject.toml', 'app/__main__.py', 'app/core.py', 'tests/test_core.py'],
  ],
  [
    'Rust',
    { 'Cargo.toml': 'x', 'src/zoo.rs': 'x', 'src/lib.rs': 'mod zoo;', 'src/alone.rs': 'x' },
    ['Cargo.toml', 'src/lib.rs', 'src/zoo.rs', 'src/alone.rs'],
  ],
  [
    'Go',
    {
      'go.mod': 'module m',
      'main.go': 'import (\n\t"m/zoo"\n)',
      'zoo/zoo.go': 'x',
      'alone/alone.go': 'x',
      'zoo/zoo_test.go': text(400),
    },
    ['go.mod', 'main.go', 'alone/alone.go', 'zoo/zoo.go', 'zoo/zoo_test.go'],
  ],
  [
    'C',
    { Makefile: 'x', 'main.c': '#include "zoo.h"\n', 'zoo.h': 'x', 'alone.h': 'x' },
    ['Makefile', 'main.c', 'zoo.h', 'alone.h'],
  ],
])('where a program of %s begins is known by custom', async (_, files, order) => {
  expect(readIn(await materialOf(testFolder(files)))).toEqual(order);
});

test('one file takes a bounded part, and few are read when the window of the model is small', async () => {
  const root = testFolder({ 'a.ts': text(100_000), 'b.ts': text(90_000), 'c.ts': text(1_000) });
  const material = await materialOf(root, 10_000);
  expect(readIn(material)).toEqual(['c.ts', 'b.ts', 'a.ts']);
  expect(material.match(/word /g)).toHaveLength(1_300);
});

test('lists sixty and counts the rest', async () => {
  const root = testFolder(Object.fromEntries(Array.from({ length: 75 }, (_, index) => [`f${index}.ts`, text(100)])));
  expect(await materialOf(root)).toContain('\n... and 15 more\n');
});

test.each([
  ['.env', true],
  ['a/.env.local', true],
  ['certs/server.key', true],
  ['.ssh/id_ed25519', true],
  ['src/key.ts', false],
  ['environment.md', false],
])('%s is a secret: %s', (path, wanted) => {
  expect(isSecret(path)).toBe(wanted);
});
