import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './project.mjs';

const folder = join(root, 'node_modules', 'electron');

/** Notes for which version the download failed, so that each start does not try again; `npm ci` forgets it. */
const noteFile = join(root, 'node_modules', '.vise-no-electron');

/** The binary is some 110 MB. */
const downloadLimitMs = 3 * 60_000;

export function findBinary(): string | undefined {
  const names: Readonly<Record<string, string>> = {
    darwin: 'Electron.app/Contents/MacOS/Electron',
    win32: 'electron.exe',
  };
  const path = join(
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] || join(folder, 'dist'),
    names[process.platform] ?? 'electron',
  );
  return existsSync(path) ? path : undefined;
}

/** Whether a window can be shown: elsewhere than on Linux there always is a screen to show it on. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Chromium refuses to start as root on Linux, unless its sandbox is left off, which Vise does not do. */
function isRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** node-pty's package ships the program that starts a terminal on macOS without the right to run it (node-pty#850). */
export function letHelpersRun(): void {
  const prebuilds = join(root, 'node_modules', 'node-pty', 'prebuilds');
  for (const arch of ['arm64', 'x64']) {
    const helper = join(prebuilds, `darwin-${arch}`, 'spawn-helper');
    if (process.platform === 'darwin' && existsSync(helper)) chmodSync(helper, 0o755);
  }
}

/** The desktop's program, or in a few words why there is none. Tries the download once a version. */
export async function findElectron(): Promise<{ readonly path: string } | { readonly why: string }> {
  if (!hasDisplay()) return { why: 'there is no display' };
  if (isRoot()) return { why: 'as root Electron runs only without its sandbox (start it as another user)' };
  const found = findBinary();
  if (found !== undefined) return { path: found };
  if (!existsSync(folder)) return { why: 'Electron is not installed' };
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  const why = `Electron ${version} could not be downloaded (delete ${noteFile} to try again)`;
  if (existsSync(noteFile) && readFileSync(noteFile, 'utf8') === version) return { why };
  await run(process.execPath, [join(folder, 'install.js')], { quiet: true, timeLimitMs: downloadLimitMs });
  const downloaded = findBinary();
  if (downloaded !== undefined) return { path: downloaded };
  writeFileSync(noteFile, version);
  return { why };
}
