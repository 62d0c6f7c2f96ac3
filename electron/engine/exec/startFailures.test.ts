import { EventEmitter } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { HostLink } from './hostLink.ts';
import { refusal } from './startRefused.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { waitFor } from './testing/shim.ts';
import { until } from './testing/testExecutor.ts';

const make = createTestExecutors();

describe('what the system says about a start is told with what to do', () => {
  const here = { file: './tool', cwd: tmpdir() };

  test.each([
    ['ENOENT', /'\.\/tool' cannot be started: .*Install what is missing/],
    ['EACCES', /'\.\/tool' may not be executed\. Set its execute bit/],
    ['EPERM', /Run it as one who may/],
    ['ENOEXEC', /no program for this system \(exec format error\)\. Build it for this one/],
    ['ENOTDIR', /Mend the path/],
    ['ELOOP', /Mend the link/],
    ['ETXTBSY', /Try again/],
    ['E2BIG', /Write long texts to a file/],
    ['EMFILE', /Stop some tasks, or raise the limit \(ulimit -n\)/],
    ['ENFILE', /raise its limit/],
    ['EAGAIN', /Stop some tasks, or raise the limit \(ulimit -u\)/],
    ['ENOMEM', /Stop some tasks or close programs/],
  ])('%s', (code, words) => {
    const told = refusal(code, `spawn ./tool ${code}`, here);
    expect([words.test(told), told.endsWith(`(${code})`)]).toEqual([true, true]);
  });

  test('and anything else as it was said', () => {
    expect(refusal('EWHAT', 'spawn EWHAT', here)).toBe("'./tool' cannot be started: spawn EWHAT");
  });

  test('a folder that is not there is not told as a program that is not', () => {
    const gone = { file: '/bin/sh', cwd: join(tmpdir(), 'no', 'such', 'folder') };
    expect(refusal('ENOENT', 'spawn /bin/sh ENOENT', gone)).toContain(
      `The working folder '${gone.cwd}' does not exist`,
    );
  });
});

/** Each is an error for whoever waits, and a failed task with the same reason for whoever does not. */
async function bothWays(one: ReturnType<typeof make>, command: string): Promise<readonly [string, string]> {
  const waited = await one.executor.run({ command, cwd: one.workspace }, { owner: 'test' });
  const { id } = await one.background(command);
  const task = await one.ended(id);
  expect([task.state, one.executor.list().map((left) => left.id)]).toEqual(['failed', [id]]);
  return [waited.ok ? '' : `${waited.error.code} ${waited.error.message}`, task.error ?? ''];
}

describe('a command that cannot be started says why, and the next one runs', () => {
  test('in a folder that is gone, or is none any more', async () => {
    const one = make();
    rmSync(one.workspace, { recursive: true });
    const [waited, failed] = await bothWays(one, 'true');
    expect([waited, failed]).toEqual([
      `TOOL_EXECUTION_FAILED ${failed}`,
      expect.stringContaining(`The working folder '${one.workspace}' does not exist`),
    ]);
    writeFileSync(one.workspace, '');
    expect((await one.ended((await one.background('true')).id)).error).toContain('is not a folder');
    rmSync(one.workspace);
    mkdirSync(one.workspace);
    expect(await one.run('echo again')).toMatchObject({ output: { stdout: 'again\n' } });
  });

  test('when its folder goes while it waits for a place', async () => {
    const one = make({ shell: { backgroundMaxWorkers: 1 } });
    const below = join(one.workspace, 'below');
    mkdirSync(below);
    const first = await one.background(waitFor('go'));
    const waiting = await one.background('true', { cwd: below });
    rmSync(below, { recursive: true });
    writeFileSync(join(one.workspace, 'go'), '');
    await one.ended(first.id);
    expect(await one.ended(waiting.id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining(`The working folder '${below}'`) as unknown,
    });
  });

  test('where its output cannot be kept', async () => {
    const one = make();
    const folder = join(one.folder, 'tasks');
    writeFileSync(folder, 'a file in the way');
    const [waited, failed] = await bothWays(one, 'true');
    expect([waited.includes(failed), failed]).toEqual([
      true,
      expect.stringMatching(/^The output of commands cannot be kept in .*tasks.test: .* Make the place writable/),
    ]);
    rmSync(folder);
    expect(await one.run('echo again')).toMatchObject({ output: { stdout: 'again\n' } });
  });

  test('without a program that runs commands: not there, and there but ending at once', async () => {
    const missing = make({ hostEntry: '/no/such/host.js' });
    const [waited, failed] = await bothWays(missing, 'true');
    expect([waited, failed]).toEqual([
      `TOOL_EXECUTION_FAILED ${failed}`,
      'The program that runs commands, /no/such/host.js, could not be started. The file is not there: install Vise anew.',
    ]);
    const empty = join(missing.folder, 'host.mjs');
    writeFileSync(empty, '');
    expect((await bothWays(make({ hostEntry: empty }), 'true'))[1]).toContain('It ended at once');
  });

  test('for a reason that only the system finds, while another command runs and after one has ended', async () => {
    const one = make();
    const holding = await one.background(waitFor('go'));
    const texts = Array.from({ length: 80 }, () => 'x'.repeat(100_000)); // each short enough, together too long
    for (let i = 0; i < 4; i += 1) {
      await one.ended((await one.background('true')).id);
      const { id } = await one.background('echo', { args: texts });
      const task = await one.ended(id);
      expect([task.state, task.error]).toEqual(['failed', expect.stringContaining('(E2BIG)')]);
    }
    writeFileSync(join(one.workspace, 'go'), '');
    expect((await one.ended(holding.id)).state).toBe('completed');
  });

  test('and what waits behind it is started all the same, each once', async () => {
    const one = make({ shell: { backgroundMaxWorkers: 2 } });
    const below = join(one.workspace, 'below');
    mkdirSync(below);
    const first = [await one.background(waitFor('go')), await one.background(waitFor('go'))];
    const lost = [];
    for (let i = 0; i < 3; i += 1) lost.push(await one.background('true', { cwd: below }));
    const last = [];
    for (let i = 0; i < 3; i += 1) last.push(await one.background('echo once'));
    rmSync(below, { recursive: true });
    writeFileSync(join(one.workspace, 'go'), '');
    const states = [];
    for (const { id } of [...first, ...lost, ...last]) states.push((await one.ended(id)).state);
    expect(states).toEqual([
      ...['completed', 'completed'],
      ...['failed', 'failed', 'failed'],
      ...['completed', 'completed', 'completed'],
    ]);
    for (const { id } of last) expect(await one.executor.result(id)).toMatchObject({ value: { stdout: 'once\n' } });
  });
});

test('a host for which no descriptor is left is a reason, not a crash', async () => {
  const child = Object.assign(new EventEmitter(), { stdio: undefined, unref: () => undefined });
  const none = (): never => child as never;
  const deaf = { message: () => undefined, bytes: () => undefined, lost: () => undefined };
  expect(() => HostLink.start({ file: 'node', args: [], env: {} }, deaf, none)).toThrow('ulimit -n');
  // Node tells it so, after the call; an error that nobody hears would end the engine.
  child.emit('error', new Error('spawn EMFILE'));
});

describe('the time limit of the settings', () => {
  test('holds for a command that became a background task by measured time, from its start', async () => {
    const clock = new ManualClock(Date.now());
    const one = make({ clock, shell: { autoBackgroundThresholdSeconds: 10, backgroundTimeoutSeconds: 60 } });
    const answer = one.run('sleep 100');
    await until(() => one.events.some(({ type }) => type === 'started'));
    clock.advance(10_000);
    const { task } = await answer;
    expect(task).toMatchObject({ state: 'running', background: 'measured' });
    clock.advance(49_000);
    expect(one.executor.get(task.id)?.state).toBe('running');
    clock.advance(1_000);
    expect(await one.ended(task.id)).toMatchObject({ state: 'timeout', signal: 'SIGTERM' });
  });

  test('a usual time limit holds as long as the command is waited for', async () => {
    const clock = new ManualClock(Date.now());
    const one = make({ clock });
    const answer = one.run('sleep 100', { usualTimeoutMs: 120_000 });
    await until(() => one.events.some(({ type }) => type === 'started'));
    clock.advance(120_000);
    expect(await answer).toMatchObject({ kind: 'finished', task: { state: 'timeout' } });
  });

  test('and not once it is in the background, whether by measured time or from the start', async () => {
    const clock = new ManualClock(Date.now());
    const one = make({ clock, shell: { autoBackgroundThresholdSeconds: 10 } });
    const answer = one.run(waitFor('go'), { usualTimeoutMs: 120_000 });
    const { id } = await one.background(waitFor('go'), { usualTimeoutMs: 120_000 });
    await until(() => one.events.filter(({ type }) => type === 'started').length === 2);
    clock.advance(10_000);
    const { task } = await answer;
    clock.advance(600_000);
    writeFileSync(join(one.workspace, 'go'), '');
    expect([await one.ended(task.id), await one.ended(id)]).toMatchObject([
      { state: 'completed' },
      { state: 'completed' },
    ]);
  });

  test('gives way to the one of the call', async () => {
    const clock = new ManualClock(Date.now());
    const one = make({ clock, shell: { autoBackgroundThresholdSeconds: 10, backgroundTimeoutSeconds: 20 } });
    const answer = one.run('sleep 100', { timeoutMs: 60_000 });
    await until(() => one.events.some(({ type }) => type === 'started'));
    clock.advance(10_000);
    const { task } = await answer;
    clock.advance(20_000);
    expect(one.executor.get(task.id)?.state).toBe('running');
    clock.advance(30_000);
    expect(await one.ended(task.id)).toMatchObject({ state: 'timeout' });
  });
});
