import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { findLeftovers } from './leftovers.ts';
import { machineFolder } from './testProcess.ts';

// Runs before each test file of the node project: a file that leaves a process, a server, a watcher or a temporary
// file behind fails, and names it.

/** What keeps a process alive or a port taken. Timers and plain pipes are left out: the test runner has its own. */
const watchedHandles = ['TCPServerWrap', 'UDPWrap', 'FSEventWrap', 'StatWatcher', 'ProcessWrap'];

/** How long something that is about to end may take, ms; a look every 25 ms. */
const grace = 3_000;

/** Node and its tools put caches here that are no test's business. */
const caches = /^(node-compile-cache|v8-compile-cache|tsx-)/;

const folder = mkdtempSync(join(machineFolder, 'vt-'));
const mark = `TEST_FILE_MARK=${folder}`;

function openHandles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => watchedHandles.includes(name));
}

function leftFiles(): readonly string[] {
  return readdirSync(folder).filter((name) => !caches.test(name));
}

function describeLeft(): readonly string[] {
  return [
    ...findLeftovers(process.pid, mark).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...openHandles().map((name) => `open handle: ${name}`),
    ...leftFiles().map((name) => `file in the temporary folder: ${name}`),
  ];
}

// At once, not in a hook: the test file may ask for the temporary folder while it is being imported.
process.env['TMPDIR'] = folder;
process.env['VISE_TEST_TMP'] = folder;
process.env['TEST_FILE_MARK'] = folder;

// A setup file's hook is registered first, so it runs last.
afterAll(async () => {
  const deadline = performance.now() + grace;
  let left = describeLeft();
  while (left.length > 0 && performance.now() < deadline) {
    await after(25);
    left = describeLeft();
  }
  for (const { pid } of findLeftovers(process.pid, mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (left.length > 0) throw new Error(`This test file leaves behind:\n  ${left.join('\n  ')}`);
});
