import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '../../../shared/model/task.ts';
import { isRunning, markOf } from '../base/processMark.ts';
import { signalProcess } from '../base/signals.ts';
import { ownSocketFolder } from './host/hostSockets.ts';
import { findProcesses } from './processes/processTree.ts';
import { type TestExecutor, testExecutor, until } from './testing/testExecutor.ts';

// Tasks that outlive their engine, and engines that come and go beside each other. `VISE_RESTARTS=200` for the long run.
const restarts = Number(process.env['VISE_RESTARTS'] ?? 4);
const linux = process.platform === 'linux';

let root = '';
const open = new Set<TestExecutor>();
const started = new Set<string>();

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-keep-')));
});
afterEach(async () => {
  for (const one of open) {
    one.settings = { ...one.settings, shell: { ...one.settings.shell, keepRunning: false } };
    one.executor.settingsChanged();
    await one.leave();
  }
  open.clear();
  const left = await findProcesses([...started].map((task) => ({ task, leader: -1 })));
  started.clear();
  for (const pid of [...left.values()].flat()) signalProcess(markOf(pid), 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** An engine for a project of a state folder; all share the folder of sockets, as those of one user do. */
function engine(name: string, keepRunning = true): TestExecutor {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const one = testExecutor({ folder, socketFolder: join(root, 'run'), shell: { keepRunning } });
  open.add(one);
  return one;
}

async function leave(one: TestExecutor): Promise<void> {
  open.delete(one);
  await one.leave();
}

async function begin(one: TestExecutor, command = 'echo up; exec sleep 1000'): Promise<Task> {
  const { id } = await one.background(command);
  started.add(id);
  await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
  return one.executor.get(id) as Task; // it was asked for a line above
}

describe.skipIf(!linux)(`kept tasks${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`, () => {
  test(
    `of two projects in two state folders are neither lost nor stopped in ${restarts} restarts`,
    async () => {
      const names = ['stateA/one', 'stateA/two', 'stateB/one', 'stateB/two'];
      const engines = new Map(names.map((name) => [name, engine(name)]));
      const tasks = new Map<string, Task>();
      for (const [name, one] of engines) tasks.set(name, await begin(one));
      // All are gone before the first is back, so that each meets the hosts of others that nobody has.
      for (let round = 0; round < restarts / names.length; round += 1) {
        for (const one of engines.values()) await leave(one);
        for (const name of round % 2 === 0 ? names : names.toReversed()) {
          const task = tasks.get(name);
          if (task === undefined) throw new Error('It was made above.');
          const next = engine(name);
          engines.set(name, next);
          await next.executor.recover([{ owner: 'test', task }]);
        }
        const found = [...engines].map(([at, one]) => {
          const known = tasks.get(at);
          return [at, one.executor.list().map(({ id, state, pid }) => [id === known?.id, state, pid === known?.pid])];
        });
        expect(found).toEqual(names.map((at) => [at, [[true, 'running', true]]]));
      }
      // The engine of one that keeps nothing ends its own task and no other.
      const last = engines.get('stateB/two');
      if (last === undefined) throw new Error('It was made above.');
      last.settings = { ...last.settings, shell: { ...last.settings.shell, keepRunning: false } };
      last.executor.settingsChanged();
      await leave(last);
      expect(names.map((name) => isRunning(tasks.get(name)?.pid ?? 0))).toEqual([true, true, true, false]);
    },
    30_000 + restarts * 2_000,
  );

  test('are told to a session that is opened after another one has taken over their host', async () => {
    const first = engine('state');
    const task = await begin(first, 'echo up; while ! [ -e go ]; do sleep 0.02; done; exit 3');
    await leave(first);
    const next = engine('state');
    await next.executor.recover([]);
    spawn('touch', [join(root, 'state', 'project', 'go')]);
    await next.ended(task.id);
    const told: (string | undefined)[] = [];
    next.executor.on((event) => told.push(event.type === 'removed' ? undefined : `${event.type} ${event.task.state}`));
    await next.executor.recover([{ owner: 'test', task }]);
    expect(told).toEqual(['ended completed']);
  });

  test('wait for no host of another engine that lives', async () => {
    const other = engine('state');
    await begin(other);
    const one = engine('state');
    const before = performance.now();
    await one.executor.recover([]);
    expect([one.executor.list(), performance.now() - before < 5_000]).toEqual([[], true]);
  });
});

test('a host of another project, or one that does not speak, is not even looked at', async () => {
  const sockets = join(root, 'run');
  const foreign = join(sockets, 'another');
  mkdirSync(foreign, { recursive: true });
  let connections = 0;
  const servers = [join(sockets, 'host-2.sock'), join(foreign, 'host-3.sock')].map((path) =>
    createServer(() => {
      connections += 1;
    }).listen(path),
  );
  try {
    const one = engine('state');
    await one.executor.recover([]);
    expect([connections, readdirSync(sockets)]).toEqual([0, ['another', 'host-2.sock']]);
  } finally {
    for (const server of servers) server.close();
  }
});

test('one folder of tasks has one folder of sockets, however it is reached, and two have two', () => {
  const [a, b] = ['a', 'b'].map((name) => ownSocketFolder('/run', join(root, name)));
  expect([ownSocketFolder('/run', join(root, 'b', '..', 'a')) === a, a === b]).toEqual([true, false]);
});
