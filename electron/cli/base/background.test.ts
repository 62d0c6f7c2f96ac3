import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../engine/base/processMark.ts';
import { main } from '../main.ts';
import { createTestIo, type TestIo } from '../testing/testIo.ts';

/** One call that starts this command in the background. */
async function inBackground(command: string, flags: readonly string[], io?: (folder: string) => TestIo) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-tool-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const used = io?.(folder) ?? createTestIo(folder, '', { VISE_HOME: join(folder, 'home'), PATH: process.env['PATH'] });
  const input = JSON.stringify({ command });
  const code = await main(['tool', 'start_background_task', '--allow', 'dangerous', '--input', input, ...flags], used);
  return { code, err: used.printed.err };
}

const sleeper = "node -e 'setTimeout(() => undefined, 60000)'";

test('a tool waits for what it started in the background', async () => {
  expect(await inBackground('sleep 1', [])).toEqual({ code: 0, err: '' });
});

test('on a terminal it says what it waits for; an interrupt stops that, and says so', async () => {
  const { code, err } = await inBackground(sleeper, [], (folder) => {
    const io = createTestIo(folder, '', { VISE_HOME: join(folder, 'home'), PATH: process.env['PATH'] });
    const runs: (() => void)[] = [];
    return {
      ...io,
      printed: io.printed,
      stderrIsTty: true,
      err(text) {
        io.err(text);
        if (text.includes('waits for')) setImmediate(() => runs.at(-1)?.());
      },
      onInterrupt(run) {
        runs.push(run);
        return { dispose: () => undefined };
      },
    };
  });
  expect(code).toBe(130);
  expect(err).toMatch(/^vise tool: waits for .*: node .*\nvise tool: stopped .*: node .*\n$/);
});

test('with --no-wait it says what was stopped, and exits with 1', async () => {
  const { code, err } = await inBackground(sleeper, ['--no-wait']);
  expect(code).toBe(1);
  expect(err).toMatch(/^vise tool: stopped .*: node /);
});

test.skipIf(process.platform === 'win32')('with --keep it says what was left running (POSIX only)', async () => {
  const { code, err } = await inBackground(sleeper, ['--keep']);
  const pid = Number(/^vise tool: left running \S+ \(process (\d+)\)/.exec(err)?.[1]);
  onTestFinished(() => {
    process.kill(pid, 'SIGKILL');
    // The host ends with its last task; the folder of its socket stays for the next one.
    rmSync(join(tmpdir(), `vise-${process.getuid?.() ?? 0}`), { recursive: true });
  });
  expect({ code, runs: isRunning(pid) }).toEqual({ code: 0, runs: true });
});
