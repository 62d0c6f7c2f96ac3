import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** The desktop's program, or in a few words why there is none. Tries the download once a version. */
export async function findElectron(): Promise<{ readonly path: string } | { readonly why: string }> {
  if (!hasDisplay()) return { why: 'there is no display' };
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
