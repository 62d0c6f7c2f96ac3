import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isRunning, markOf } from './processMark.ts';
import { membersOf, StartedGroup, signalGroup, signalProcess } from './signals.ts';

afterEach(() => vi.restoreAllMocks());

/** What would be signalled, but for asking (0); nothing is. */
function watchKills() {
  const kill = process.kill.bind(process);
  const sent: (readonly [number, string | number | undefined])[] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, how) => {
    if (how === 0) return kill(pid, 0);
    sent.push([pid, how]);
    return true;
  });
  return sent;
}

/** A detached child whose last words on stdout are numbers. */
async function startGroup(script: string) {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const group = new StartedGroup(child);
  const exited = once(child, 'exit');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, group, exited, said: Number(said.toString()) };
}

const posix = process.platform !== 'win32';
const linux = process.platform === 'linux';

test('0, 1, negative and broken numbers, this process and its parent are never signalled', () => {
  const sent = watchKills();
  const numbers = [0, 1, -1, -4_000, Number.NaN, 1.5, process.pid, process.ppid];
  expect(numbers.map((pid) => signalProcess(markOf(pid), 'SIGKILL'))).toEqual(numbers.map(() => false));
  expect(numbers.map((pid) => signalGroup(markOf(pid), 'SIGKILL'))).toEqual(numbers.map(() => false));
  expect(sent).toEqual([]);
});

describe.runIf(linux)('on Linux, where a process is known by its start', () => {
  test('a number that was given away again is not signalled, alone or as a group', async () => {
    const { child, exited, group } = await startGroup('echo 1; exec sleep 100');
    const { pid, startedAt } = markOf(child.pid ?? 0);
    const sent = watchKills();
    for (const other of [String(Number(startedAt) - 1), '']) {
      expect(signalProcess({ pid, startedAt: other }, 'SIGKILL')).toBe(false);
      expect(signalGroup({ pid, startedAt: other }, 'SIGKILL')).toBe(false);
    }
    expect(sent).toEqual([]);
    vi.restoreAllMocks();
    expect(group.signal('SIGKILL')).toBe(true);
    await exited;
  });

  test('a process that leads no group is not signalled as one', async () => {
    const child = spawn('sleep', ['100']);
    const sent = watchKills();
    expect([signalGroup(markOf(child.pid ?? 0), 'SIGKILL'), sent]).toEqual([false, []]);
    vi.restoreAllMocks();
    expect(signalProcess(markOf(child.pid ?? 0), 'SIGKILL')).toBe(true);
    await once(child, 'exit');
  });

  test('the group of a child that has ended is signalled while one lives that it left, and never later', async () => {
    const { child, exited, group, said } = await startGroup('sleep 100 & echo $!');
    await exited;
    expect(membersOf(child.pid ?? 0)).toEqual([markOf(said)]);
    expect(group.signal('SIGKILL')).toBe(true);
    await vi.waitFor(() => expect(isRunning(said)).toBe(false), 5_000);
    const sent = watchKills();
    expect([group.signal('SIGKILL'), sent]).toEqual([false, []]);
  });

  test('a group that got the number of an ended one is not taken for it', async () => {
    const first = await startGroup('echo 1');
    await first.exited;
    const second = await startGroup('echo 1; exec sleep 100');
    // As if the second had got the first one's number.
    Object.defineProperty(first.child, 'pid', { value: second.child.pid });
    const taken = new StartedGroup(first.child);
    const sent = watchKills();
    expect([taken.signal('SIGKILL'), sent]).toEqual([false, []]);
    vi.restoreAllMocks();
    second.group.signal('SIGKILL');
    await second.exited;
  });
});

test.runIf(posix)('a group ends with what its child started', async () => {
  const { exited, group, said } = await startGroup('sleep 100 & echo $!; wait');
  expect(group.signal('SIGKILL')).toBe(true);
  await exited;
  while (isRunning(said)) await delay(5);
});

test('no other file of the product signals a process by its number', () => {
  const root = join(import.meta.dirname, '../..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|(^|[\\/])testing[\\/]/.test(name),
  );
  const signalling = files.filter((name) =>
    /process\.kill\((?!\s*(pid|Number\(process\.argv\[2\]\)), 0\))/.test(readFileSync(join(root, name), 'utf8')),
  );
  expect(signalling.map((name) => name.replaceAll('\\', '/'))).toEqual(['engine/base/signals.ts']);
});
