import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isRunning, markOf } from '../../base/processMark.ts';
import { membersOf } from '../../base/signals.ts';
import { findProcesses, parsePs, stopProcesses, taskMark } from './processTree.ts';

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
    const leaderStart = markOf(leader).startedAt;
    const other = await findProcesses([{ task: 'x', leader, leaderStart: '1' }]);
    const unknown = await findProcesses([{ task: 'x', leader }]);
    const same = await findProcesses([{ task: 'x', leader, leaderStart }]);
    expect([other.get('x'), unknown.get('x'), same.get('x')]).toEqual([[], [], [leader]]);
    expect([await stopProcesses([{ task: 'x', leader, leaderStart }], { graceMs: 1_000 }), isRunning(leader)]).toEqual([
      [],
      false,
    ]);
  });

  test('a process that left session, group and parents is found by its mark', async () => {
    const env = { ...process.env, [taskMark]: 'marked_task' };
    const child = spawn('setsid', ['sh', '-c', 'setsid sleep 100 & exit'], { env, stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    const found = (await findProcesses([{ task: 'marked_task', leader: -1 }])).get('marked_task') ?? [];
    expect(found.length).toBe(1);
    expect(await stopProcesses([{ task: 'marked_task', leader: -1 }], { graceMs: 1_000 })).toEqual([]);
    expect(isRunning(found[0] ?? 0)).toBe(false);
  });

  test("a group whose leader has ended is the task's only with one that carries its mark or was left in it", async () => {
    const script = (environment: string) => `env -i ${environment} sleep 100 & env -i sleep 100 & echo $!`;
    for (const marked of [true, false]) {
      const child = spawn('sh', ['-c', script(marked ? `${taskMark}=left_task` : '')], { detached: true });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const leader = child.pid ?? -1;
      const leaderStart = markOf(leader).startedAt;
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
      const count = async (left?: ReturnType<typeof membersOf>) =>
        (await findProcesses([{ task: 'left_task', leader, leaderStart, left }])).get('left_task')?.length;
      const left = membersOf(leader);
      const other = left.map(({ pid }) => ({ pid, startedAt: '1' }));
      // The mark is there once `env` has become the command.
      await expect
        .poll(async () => [await count(), await count(left), await count(other)])
        .toEqual([marked ? 2 : 0, 2, marked ? 2 : 0]);
      expect(await stopProcesses([{ task: 'left_task', leader, leaderStart, left }], { graceMs: 1_000 })).toEqual([]);
      expect(membersOf(leader)).toEqual([]);
    }
  });
});

test('rows of ps are read, zombies left out', () => {
  expect(parsePs('  10   1  10 0 Ss\n  11  10  10 0 Z+\n\n')).toEqual([
    { pid: 10, parent: 1, group: 10, session: 0, startedAt: '', hasEnded: false },
  ]);
});
