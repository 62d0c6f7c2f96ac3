import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { findLeftovers, type Leftover } from './leftovers.ts';

const onLinux = process.platform === 'linux';
/** No process has this id (the kernel's limit is 2^22). */
const stranger = 2 ** 30;

function end({ pid }: Leftover): void {
  process.kill(pid, 'SIGKILL');
}

test.runIf(onLinux)('a child is found by its parent', async () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
  const ended = once(child, 'exit');
  const found = findLeftovers(process.pid, 'NO_SUCH_MARK=1');
  found.forEach(end);
  await ended;
  expect(found).toEqual([{ pid: child.pid, command: 'sleep 600' }]);
});

test.runIf(onLinux)('a process that left its parent and its session is found by the mark', async () => {
  const mark = `LEFTOVER_TEST=${process.pid}`;
  const env = { PATH: process.env['PATH'], LEFTOVER_TEST: String(process.pid) };
  // The inner sleep answers through its parent's exit: once the shell has ended, it belongs to nobody here.
  const shell = spawn('sh', ['-c', 'setsid sleep 601 & exit 0'], { stdio: 'ignore', env });
  await once(shell, 'exit');
  let found = findLeftovers(stranger, mark);
  while (!found.some(({ command }) => command === 'sleep 601')) found = findLeftovers(stranger, mark);
  found.forEach(end);
  expect(found).toEqual([{ pid: expect.any(Number), command: 'sleep 601' }]);
});

test.runIf(onLinux)('a process without the mark and of another parent is nobody’s leftover', () => {
  expect(findLeftovers(2 ** 30, 'NO_SUCH_MARK=1')).toEqual([]);
});
