import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';

/** A browser of the person's own, started before Vise: its debugging address, and its process, which ends with the test. */
export async function startRunningBrowser(
  program: string,
): Promise<{ readonly address: string; readonly running: ChildProcess }> {
  const profile = testFolder();
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
  const running = spawn(program, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // What it is killed over is removed with its profile.
    env: { ...process.env, TMPDIR: profile },
  });
  const ended = once(running, 'exit');
  onTestFinished(async () => {
    running.kill('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  });
  let said = '';
  const address = await new Promise<string>((resolve) => {
    running.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });
  return { address, running };
}
