import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { chromiumLaunch } from '../harness/chromiumLaunch.ts';
import { Cdp } from './cdp.ts';

export interface Browser {
  readonly cdp: Cdp;
  /** Where a test joins it. */
  readonly endpoint: string;
  /** Ends it with its whole process group. */
  kill(): void;
}

/** Starts the Chromium that plays Electron's, with its profile where the app has its own. */
export async function startBrowser(profile: string): Promise<Browser> {
  const { executablePath, args = [] } = chromiumLaunch();
  const portFile = join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const child = spawn(
    executablePath ?? 'chromium',
    [
      ...args,
      '--headless=new',
      '--hide-scrollbars',
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-startup-window',
      '--password-store=basic',
      '--use-mock-keychain',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  );
  const [, , , write, read] = child.stdio;
  const cdp = new Cdp(write as Writable, read as Readable); // both are pipes
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  const version = cdp.send('Browser.getVersion');
  await Promise.race([version, new Promise((_, reject) => child.once('error', reject))]);
  for (;;) {
    const text = readIfThere(portFile);
    const [port, path] = text.split('\n');
    if (port && path) return { cdp, endpoint: `ws://127.0.0.1:${port}${path}`, kill };
    if (child.exitCode !== null) throw new Error(`Chromium ended at once (${child.exitCode}).`);
    await after(20);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
