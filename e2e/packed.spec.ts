import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listPackage, statFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { electronBinary } from './harness/desktop.ts';
import { productRoot } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import { expect, test } from './harness/test.ts';

const unpacked = join(productRoot, 'dist', 'linux-unpacked');
const resources = join(unpacked, 'resources');
const megabyte = 1024 * 1024;

/** Runs a program to its end; what it said on both streams. */
function run(
  file: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(file, args, {
    encoding: 'utf8',
    env: env ?? process.env,
    timeout: 120_000,
  });
  return { code: status, output: `${stdout}\n${stderr}` };
}

/** Paths of all files below a folder. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    lstatSync(join(folder, path)).isFile(),
  );
}

const modeOf = (path: string): number => statSync(join(resources, path)).mode & 0o777;

test('the packed app holds what it needs, whole and once, and its command and PTY host run from where they lie', async ({
  home,
}) => {
  test.skip(process.platform !== 'linux', 'the package of another system is looked at on that system');
  const packed = run(process.execPath, [join(productRoot, '.setup', 'dist.mjs'), '--dir']);
  expect(packed.code, packed.output).toBe(0);

  // The archive: what the main process runs lies inside, what others open beside it, and nothing of npm in either.
  const archive = join(resources, 'app.asar');
  const entries = listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
  const isUnpacked = (path: string): boolean =>
    'unpacked' in statFile(archive, path) && !('files' in statFile(archive, path));
  expect(entries).toEqual(expect.arrayContaining(['package.json', 'out/main/main.js', 'out/preload/preload.cjs']));
  expect(entries.filter((path) => /node_modules|\.map$|compiled|\.stamps/.test(path))).toEqual([]);
  expect(['out/main/main.js', 'out/preload/preload.cjs', 'package.json'].filter(isUnpacked)).toEqual([]);
  const opened = [
    'out/ptyHost.js',
    'out/cli.js',
    'out/symbolWorker.js',
    'out/renderer/index.html',
    'resources/sampleScript.json',
  ];
  expect(opened.filter(isUnpacked)).toEqual(opened);
  expect(entries.filter((path) => path.startsWith('resources/specs/')).length).toBeGreaterThan(1);
  expect(entries.filter((path) => path.startsWith('resources/sample/')).length).toBeGreaterThan(3);

  // Of native parts, only those of this system and architecture; all can be run.
  const modules = filesBelow(join(resources, 'node_modules'));
  const rg = `node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`;
  expect(modules.filter((path) => /node-linux|darwin|win32|\.d\.ts$|\.map$/.test(path))).toEqual([]);
  expect(modules.filter((path) => path.endsWith('.node'))).toEqual(['node-pty/build/Release/pty.node']);
  expect(['bin/vise', rg].map((path) => [path, modeOf(path)])).toEqual([
    ['bin/vise', 0o755],
    [rg, 0o755],
  ]);

  const program = join(unpacked, 'vise');
  const fuses = await getCurrentFuseWire(program);
  const on = 49; // the character "1"
  const set = Object.entries(FuseV1Options).filter(([, option]) => typeof option === 'number');
  expect(Object.fromEntries(set.map(([name, option]) => [name, fuses[option as FuseV1Options] === on]))).toMatchObject({
    RunAsNode: true,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    GrantFileProtocolExtraPrivileges: false,
  });

  const sizeBytes = filesBelow(resources).reduce((sum, path) => sum + statSync(join(resources, path)).size, 0);
  expect(sizeBytes / megabyte).toBeLessThan(60);
  test
    .info()
    .annotations.push({ type: 'size', description: `${(sizeBytes / megabyte).toFixed(1)} MB without Electron` });

  // The packed command; what it runs is a child of the packed PTY host, which has loaded the packed binding.
  const command = 'grep pty.node /proc/$PPID/maps';
  const tool = ['tool', 'run', '--input', JSON.stringify({ command }), '--allow', 'dangerous', '--project', home];
  const answered = run(join(resources, 'bin', 'vise'), tool, programEnvironment(home));
  expect(answered.code, answered.output).toBe(0);
  expect(answered.output).toContain(join(resources, 'node_modules', 'node-pty', 'build', 'Release', 'pty.node'));
  if (electronBinary() !== undefined) return;
  const plain = run(program, [], programEnvironment(home));
  expect(plain.output).toContain('it has no window');
});
