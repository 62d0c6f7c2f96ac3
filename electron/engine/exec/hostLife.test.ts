import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../../shared/model/task.ts';
import { isRunning, markOf } from '../base/processMark.ts';
import { signalProcess } from '../base/signals.ts';
import { ownSocketFolder } from './host/hostSockets.ts';
import { findProcesses } from './processes/processTree.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { until } from './testing/testExecutor.ts';

const make = createTestExecutors();

const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);

const linux = process.platform === 'linux';
describe.skipIf(!linux)(`when the host is killed${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`, () => {
  test('its tasks are lost with their output, nothing goes on running, and the next command has a new host', async () => {
    const one = make();
    const { id } = await one.background("trap '' HUP TERM; echo so far; setsid sleep 105 & while :; do sleep 1; done");
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    const pid = one.executor.get(id)?.pid ?? 0;
    expect(signalProcess(markOf(parentOf(pid)), 'SIGKILL')).toBe(true);
    expect(await one.ended(id)).toMatchObject({ state: 'lost' });
    expect(await one.executor.result(id)).toMatchObject({ ok: true, value: { stdout: 'so far\n' } });
    await until(async () => ((await findProcesses([{ task: id, leader: pid }])).get(id) ?? []).length === 0);
    expect((await one.run('echo again')).output.stdout).toBe('again\n');
  });

  test('a waiting foreground command is answered', async () => {
    const one = make();
    const run = one.run('echo x; sleep 100');
    await until(() => (one.executor.list()[0]?.outputBytes ?? 0) > 0 && one.executor.list()[0]?.pid !== undefined);
    expect(signalProcess(markOf(parentOf(one.executor.list()[0]?.pid ?? -1)), 'SIGKILL')).toBe(true);
    expect(await run).toMatchObject({ kind: 'finished', task: { state: 'lost' }, output: { stdout: 'x\n' } });
  });
});

/** An engine in a process of its own that starts one command in the background, says its task, and waits to be killed. */
const engineProcess = async (keep: boolean, command: string): Promise<{ pid: number; folder: string; task: Task }> => {
  const program = `
    const { testExecutor, until } = await import(${JSON.stringify(join(import.meta.dirname, 'testing/testExecutor.ts'))});
    const one = testExecutor({ shell: { keepRunning: ${keep} } });
    const { id } = await one.background(${JSON.stringify(command)});
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    console.log(JSON.stringify({ folder: one.folder, task: one.executor.get(id) }));
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data;
      if (text.includes('\n')) resolve(text);
    });
  });
  const { folder, task } = JSON.parse(line) as { folder: string; task: Task };
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  return { pid: task.pid ?? 0, folder, task };
};

describe.skipIf(!linux)(`when the engine is killed${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`, () => {
  test('the host ends what ran, children that left their session included, and itself', async () => {
    const { folder, task } = await engineProcess(false, "trap '' HUP; echo up; setsid sleep 106 & sleep 107");
    const left = async () => (await findProcesses([{ task: task.id, leader: task.pid ?? -1 }])).get(task.id) ?? [];
    await until(async () => (await left()).length === 0);
    rmSync(folder, { recursive: true });
  });

  test('what was to be kept goes on, is found again, and its output is complete', async () => {
    const { pid, folder, task } = await engineProcess(
      true,
      'echo one; while ! [ -e more ]; do sleep 0.02; done; echo two; while ! [ -e last ]; do sleep 0.02; done; echo three',
    );
    expect(isRunning(pid)).toBe(true);
    writeFileSync(join(folder, 'project', 'more'), '');
    const one = make({ folder, shell: { keepRunning: true } });
    await one.executor.recover([{ owner: 'test', task }]);
    expect(one.executor.get(task.id)).toMatchObject({ state: 'running', pid });
    writeFileSync(join(folder, 'project', 'last'), '');
    expect(await one.ended(task.id)).toMatchObject({ state: 'completed', exitCode: 0 });
    expect(await one.executor.result(task.id)).toMatchObject({ ok: true, value: { stdout: 'one\ntwo\nthree\n' } });
  });

  test('what was kept and ended in the meantime is reported with its output', async () => {
    const { folder, task } = await engineProcess(true, 'echo first; sleep 0.5; echo last; exit 6');
    await until(() => readdirSync(join(folder, 'tasks', 'test')).some((name) => name.endsWith('.json')));
    const one = make({ folder, shell: { keepRunning: true } });
    await one.executor.recover([{ owner: 'test', task }]);
    expect(one.executor.get(task.id)).toMatchObject({ state: 'completed', exitCode: 6 });
    expect(await one.executor.result(task.id)).toMatchObject({ ok: true, value: { stdout: 'first\nlast\n' } });
  });

  test('what had only been queued is dropped; what was lost can be run again, with its words as they were', async () => {
    const one = make();
    const base = {
      title: 'x',
      cwd: one.workspace,
      kind: 'agent',
      createdAt: new Date().toISOString(),
      outputBytes: 0,
      background: 'explicit',
    } as const;
    const queued: Task = {
      ...base,
      id: 'cli_queued',
      command: 'true',
      mode: 'direct',
      argv: ['true'],
      state: 'queued',
    };
    const lost: Task = {
      ...base,
      id: 'cli_lost00',
      command: 'printf',
      mode: 'direct',
      argv: ['printf', '%s|', 'a b', ';'],
      state: 'running',
    };
    await one.executor.recover([queued, lost].map((task) => ({ owner: 'test', task })));
    expect([one.executor.get(queued.id)?.state, one.executor.get(lost.id)?.state]).toEqual(['cancelled', 'lost']);
    const again = await one.executor.restart(lost.id);
    if (!again.ok) throw new Error(again.error.message);
    await one.ended(again.value.id);
    expect(await one.executor.result(again.value.id)).toMatchObject({ ok: true, value: { stdout: 'a b|;|' } });
  });

  test('what nobody knows of any more is lost, and a dead socket is removed', async () => {
    const one = make();
    await one.run('true');
    const socket = ownSocketFolder(join(one.folder, 'run'), join(one.folder, 'tasks'));
    const task: Task = {
      id: 'cli_gone00',
      title: 'x',
      command: 'x',
      mode: 'direct',
      cwd: one.workspace,
      kind: 'agent',
      state: 'running',
      createdAt: new Date().toISOString(),
      outputBytes: 0,
    };
    mkdirSync(socket, { recursive: true });
    writeFileSync(join(socket, 'host-1.sock'), '');
    await one.executor.recover([{ owner: 'test', task }]);
    expect([one.executor.get(task.id)?.state, readdirSync(socket)]).toEqual(['lost', []]);
  });
});

describe('a live view', () => {
  test('begins with the screen so far and then has every byte, in order', async () => {
    const one = make();
    const { id } = await one.background('printf "one\\n"; read go; seq 1 20000; read end');
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    let text = '';
    const view = await one.executor.attach(id, {
      columns: 80,
      rows: 24,
      onBytes: (bytes) => {
        text += bytes;
        if (view.ok) view.value.ack(bytes.length);
      },
      onEnd: () => {
        text += '<end>';
      },
    });
    expect(view).toMatchObject({
      ok: true,
      value: { screen: expect.stringMatching(/^one/), ended: false, convertEol: true },
    });
    one.executor.input(id, '\r');
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join('');
    await until(() => text.endsWith('20000\n'));
    expect(text.endsWith(lines)).toBe(true);
    one.executor.input(id, '\r');
    await until(() => text.endsWith('<end>'));
  });

  test('that is too slow is given a mark instead of what it missed, and the command is not held up', async () => {
    const one = make();
    const { id } = await one.background('read go; seq 1 1000000; echo finished');
    const chunks: Buffer[] = [];
    const view = await one.executor.attach(id, {
      columns: 80,
      rows: 24,
      onBytes: (bytes) => chunks.push(bytes),
      onEnd: () => undefined,
    });
    if (!view.ok) throw new Error(view.error.message);
    one.executor.input(id, '\r');
    expect(await one.ended(id)).toMatchObject({ state: 'completed' });
    const held = chunks.reduce((sum, { length }) => sum + length, 0);
    expect(held).toBeLessThan(700_000);
    view.value.ack(held);
    await until(() => chunks.some((chunk) => chunk.includes('finished')));
    expect(chunks.some((chunk) => chunk.includes('bytes left out here'))).toBe(true);
  });

  test('of a task that has ended is painted from its log', async () => {
    const one = make();
    const { task } = await one.run('echo done; printf "\\033]52;c;aGk=\\007"');
    const view = await one.executor.attach(task.id, {
      columns: 80,
      rows: 24,
      onBytes: () => undefined,
      onEnd: () => undefined,
    });
    expect(view).toMatchObject({ ok: true, value: { screen: expect.stringMatching(/^done(?!.*52)/), ended: true } });
  });
});
