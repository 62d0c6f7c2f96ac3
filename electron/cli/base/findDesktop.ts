import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The Electron program and what it is to run, when it is installed and there is a display to show a window on. */
export function findDesktop(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly program: string; readonly args: readonly string[] } | undefined {
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return undefined;
  // The packed command runs on the app's own program.
  if (process.versions['electron'] !== undefined) return { program: process.execPath, args: [] };
  // Chromium refuses to start as root on Linux, unless its sandbox is left off.
  if (process.platform === 'linux' && process.getuid?.() === 0) return undefined;
  const dist = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(root, 'node_modules', 'electron', 'dist');
  const names: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'Electron.app/Contents/MacOS/Electron',
    win32: 'electron.exe',
  };
  const program = join(dist, names[process.platform] ?? 'electron');
  return existsSync(program) ? { program, args: [root] } : undefined;
}
