import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../testing/testExecutor.ts';
import { findProcesses, parsePs, send, stopProcesses, taskMark } from './processTree.ts';

describe.skipIf(process.platform !== 'linux')('processes of a task (skipped but on Linux: it reads /proc)', () => {
  test.each([0, -1, 1, 2])('a leader %i that no command has matches nothing', async (leader) => {
    expect([...((await findProcesses([{ task: 'none', leader }])).get('none') ?? [])]).toEqual([]);
  });

  test('this process and its ancestors are never taken for a task', async () => {
    const found = await findProcesses([
      { task: 'mine', leader: process.ppid },
      { task: 'self', leader: process.pid },
    ]);
    const all = [...found.values()].flat();
    expect([all.includes(process.pid), all.includes(process.ppid), all.includes(1)]).toEqual([false, false, false]);
  });

  test('a process whose number was given away again is not the leader', async () => {
    const child = spawn('sleep', ['100'], { detached: true, stdio: 'ignore' });
    const leader = child.pid ?? -1;
    const other = await findProcesses([{ task: 'x', leader, leaderStart: '1' }]);
    const same = await findProcesses([{ task: 'x', leader }]);
    expect([other.get('x'), same.get('x')]).toEqual([[], [leader]]);
    expect([await stopProcesses([{ task: 'x', leader }], { graceMs: 1_000 }), isAlive(leader)]).toEqual([[], false]);
  });

  test('a process that left session, group and parents is found by its mark', async () => {
    const env = { ...process.env, [taskMark]: 'marked_task' };
    const child = spawn('setsid', ['sh', '-c', 'setsid sleep 100 & exit'], { env, stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    const found = (await findProcesses([{ task: 'marked_task', leader: -1 }])).get('marked_task') ?? [];
    expect(found.length).toBe(1);
    expect(await stopProcesses([{ task: 'marked_task', leader: -1 }], { graceMs: 1_000 })).toEqual([]);
    expect(isAlive(found[0] ?? 0)).toBe(false);
  });
});

test('signals never go to groups or to init', () => {
  // With 0 or -1 this would end the test run itself.
  expect(() => send([0, -1, 1], 'SIGKILL')).not.toThrow();
});

test('rows of ps are read, zombies left out', () => {
  expect(parsePs('  10   1  10 0 Ss\n  11  10  10 0 Z+\n\n')).toEqual([
    { pid: 10, parent: 1, group: 10, session: 0, start: '' },
  ]);
});
