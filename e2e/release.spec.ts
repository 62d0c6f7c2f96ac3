import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productRoot } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import { expect, test } from './harness/test.ts';

const { version } = JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as { readonly version: string };

test('a release runs dry: its npm package is small, whole, and works where it is unpacked', async ({
  home,
  makeProject,
}) => {
  const made = spawnSync(process.execPath, [join(productRoot, '.setup', 'release.mjs')], {
    encoding: 'utf8',
    env: programEnvironment(home),
    timeout: 180_000,
  });
  expect(made.status, made.stderr).toBe(0);
  const archive = join(productRoot, 'dist', `vise-${version}.tgz`);
  expect(readFileSync(join(productRoot, 'dist', 'notes.md'), 'utf8')).toMatch(/\w/);

  const place = join(home, 'installed');
  mkdirSync(place, { recursive: true });
  expect(spawnSync('tar', ['-xzf', archive, '-C', place], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  const listed = spawnSync('tar', ['-tzf', archive], { encoding: 'utf8' }).stdout.split('\n');
  expect(listed.filter((path) => /\.map$|node_modules|out\/(?:main|preload|compiled)\//.test(path))).toEqual([]);
  for (const path of ['out/cli.js', 'out/ptyHost.js', 'out/renderer/index.html', 'resources/vise.1', 'NOTICE'])
    expect(listed).toContain(`package/${path}`);
  const shipped = JSON.parse(readFileSync(join(place, 'package', 'package.json'), 'utf8')) as Record<string, object>;
  expect(shipped['private']).toBeUndefined();
  // All else that it runs on is bundled.
  const needed = [
    '@vscode/ripgrep',
    '@vscode/tree-sitter-wasm',
    'jschardet',
    'node-pty',
    'playwright-core',
    'web-tree-sitter',
  ];
  expect(Object.keys(shipped['dependencies'] ?? {}).toSorted()).toEqual(needed);

  // What npm would install of them; nothing else may be found.
  for (const name of needed) {
    const target = join(place, 'package', 'node_modules', name);
    mkdirSync(join(target, '..'), { recursive: true });
    symlinkSync(join(productRoot, 'node_modules', name), target);
  }
  const project = makeProject({ 'a.txt': 'one\n' });
  const script = join(home, 'script.json');
  const call = { tool: 'run', input: { command: 'echo made > b.txt' } };
  writeFileSync(script, JSON.stringify({ replies: [{ calls: [call] }, { text: 'Done.' }] }));
  const vise = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(place, 'package', 'out', 'cli.js'), ...words], {
      cwd: project,
      encoding: 'utf8',
      env: programEnvironment(home),
      timeout: 60_000,
    });
  expect(vise('version').stdout).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')}( \\(.*\\))?\\n$`));
  const words = [
    'exec',
    '--provider',
    'scripted',
    '--script',
    script,
    '--mode',
    'direct',
    '--allow',
    'dangerous',
    'Go',
  ];
  expect(vise(...words)).toMatchObject({ status: 0, stdout: 'Done.\n' });
  expect(existsSync(join(project, 'b.txt'))).toBe(true);
});
