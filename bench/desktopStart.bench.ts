import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { byTurns, compare, report } from './measure/report.ts';

// From the start of the main process to its first window, against an app that does nothing but open one: what Vise does
// before there is something to see (target: 150 ms more). Both on the stand-in for Electron, whose own start is in both.

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const empty = join(folder, 'empty');
mkdirSync(join(empty, 'out', 'main'), { recursive: true });
writeFileSync(join(empty, 'package.json'), '{"type": "module"}');
writeFileSync(
  join(empty, 'out', 'main', 'main.js'),
  "import { app, BrowserWindow } from 'electron';\nvoid app.whenReady().then(() => new BrowserWindow({ show: false }));\n",
);
let homes = 0;

function untilWindow(app: string): Promise<number> {
  homes += 1;
  const home = join(folder, `home${homes}`);
  mkdirSync(home);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    VISE_HOME: home,
    STAND_IN_UNTIL_WINDOW: '1',
    // Nothing is to be drawn: a program that ends at once stands for the browser.
    VISE_CHROMIUM: process.execPath,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'e2e', 'standIn', 'run.ts'), app], {
      cwd: home,
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let ms: number | undefined;
    child.on('message', ({ windowAfterMs }: { readonly windowAfterMs: number }) => (ms = windowAfterMs));
    child.on('close', (code) => (ms === undefined ? reject(new Error(`${app} ended with ${code}`)) : resolve(ms)));
  });
}

try {
  const series = await byTurns(15, { ours: () => untilWindow(root), reference: () => untilWindow(empty) });
  report(compare('desktopStart', 'ms', series));
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
