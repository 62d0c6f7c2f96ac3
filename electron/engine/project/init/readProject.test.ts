import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLook } from '../../workspace/look.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { isSecret, maxReadChars, readProject } from './readProject.ts';

async function materialOf(root: string, maxChars?: number): Promise<string> {
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const read = await readProject(createLook(sandbox.value), new AbortController().signal, maxChars);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

test('reads what tells most first, and leaves out what is ignored, linked, binary or secret', async () => {
  const outside = testFolder({ secret: 'outside' });
  const root = testFolder({
    'README.md': 'what it is',
    'src/main.ts': 'main',
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
  const order = [...material.matchAll(/^--- (\S+) /gm)].map(([, path]) => path);
  expect(order).toEqual(['.gitignore', 'src/main.ts', 'README.md', 'src/helper.ts']);
  expect(material).not.toMatch(/geheim|dependency|\[core\]|generated|outside/);
  expect(material).toMatch(/^ {2}\.env \(12B\)$/m);
  expect(material).toMatch(/^\* README\.md \(10B\)$/m);
});

test('stops at the limit, and the last file may be cut', async () => {
  const root = testFolder({ 'a.txt': 'a'.repeat(150_000), 'b.txt': 'b'.repeat(150_001), 'c.txt': 'c'.repeat(150_002) });
  const material = await materialOf(root);
  expect(material.replaceAll(/[^abc]/g, '').length).toBeGreaterThanOrEqual(maxReadChars);
  expect([material.split('aaaa').length > 1, (material.match(/c{100,}/)?.[0] ?? '').length]).toEqual([true, 7_199]);
});

test('lists sixty and counts the rest; fewer characters are read when the window of the model is small', async () => {
  const root = testFolder(
    Object.fromEntries(Array.from({ length: 75 }, (_, index) => [`f${index}.txt`, 'word '.repeat(20)])),
  );
  const material = await materialOf(root, 1_000);
  expect(material).toContain('\n... and 15 more\n');
  expect([...material.matchAll(/^--- /gm)]).toHaveLength(10);
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
