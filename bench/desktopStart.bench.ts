import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// From the start of the main process to its first window, against an app that does nothing but ask for the lock of the one
// instance and open a window: what Vise does before there is something to see (target: 150 ms more). `desktopStartCpu` is the
// processor time of it, which another load of the machine does not stretch. Both on the stand-in for Electron, whose own
// start is in both.

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const empty = join(folder, 'empty');
mkdirSync(join(empty, 'out', 'main'), { recursive: true });
writeFileSync(join(empty, 'package.json'), '{"type": "module"}');
writeFileSync(
  join(empty, 'out', 'main', 'main.js'),
  "import { app, BrowserWindow } from 'electron';\napp.requestSingleInstanceLock();\nvoid app.whenReady().then(() => new BrowserWindow({ show: false }));\n",
);
let homes = 0;

/** Processor time of each start, ms, by the app. */
const worked: Readonly<Record<string, number[]>> = { [root]: [], [empty]: [] };

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
    child.on(
      'message',
      ({ windowAfterMs, workedMs }: { readonly windowAfterMs: number; readonly workedMs: number }) => {
        ms = windowAfterMs;
        worked[app]?.push(workedMs);
      },
    );
    child.on('close', (code) => (ms === undefined ? reject(new Error(`${app} ended with ${code}`)) : resolve(ms)));
  });
}

try {
  const series = await byTurns(15, { ours: () => untilWindow(root), reference: () => untilWindow(empty) });
  report(compare('desktopStart', 'ms', series));
  // The first start of each warms up the caches.
  const counted = (app: string): readonly number[] => (worked[app] ?? []).slice(isSmoke ? 0 : 1);
  report(compare('desktopStartCpu', 'ms', { ours: counted(root), reference: counted(empty) }));
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
