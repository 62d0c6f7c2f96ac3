import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { until } from './testing/testExecutor.ts';

const make = createTestExecutors();

describe('stopping (C7)', () => {
  test.each([
    ['ignores TERM', "trap '' TERM; echo up; while :; do sleep 1; done"],
    ['starts children', 'sleep 100 & sleep 101 & echo up; wait'],
    ['leaves its session', 'setsid sleep 102 & echo up; wait'],
    ['forks twice', '(setsid sh -c "sleep 103 & exit" &) ; echo up; sleep 104'],
    ['is stopped itself', 'echo up; kill -STOP $$'],
  ])('reaches a command that %s', async (_what, command) => {
    const one = make();
    const { id } = await one.background(command);
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    const stopped = await one.executor.cancel(id);
    expect(stopped).toMatchObject({ ok: true, value: { cancelled: true, task: { state: 'cancelled' } } });
    expect(one.executor.get(id)?.survivors).toBe(undefined);
    expect(await one.executor.cancel(id)).toMatchObject({ ok: true, value: { cancelled: false } });
    // `close` fails when a process of the task is left
  });

  test('leaves the output', async () => {
    const one = make();
    const { id } = await one.background('echo kept; sleep 100');
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    await one.executor.cancel(id);
    expect(await one.executor.result(id)).toMatchObject({ ok: true, value: { stdout: 'kept\n' } });
  });
});

describe('a background task', () => {
  test('can be typed to, also with Ctrl-C', async () => {
    const one = make();
    const { id } = await one.background('printf "name? "; read name; echo "hello $name"; sleep 100');
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    one.executor.input(id, 'ada\r');
    await until(async () => {
      const slice = await one.executor.output(id, 'stdout', {});
      return slice.ok && slice.value.text.includes('hello ada\n');
    });
    one.executor.input(id, '\x03');
    expect(await one.ended(id)).toMatchObject({ state: 'completed', signal: 'SIGINT' });
  });

  test('that is silent behind a question is shown as stalled, and no more once answered', async () => {
    const clock = new ManualClock();
    const one = make({ clock });
    const { id } = await one.background('printf "Continue? [y/N] "; read a');
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    clock.advance(44_999);
    expect(one.executor.get(id)?.stalledOn).toBe(undefined);
    clock.advance(1);
    expect(one.executor.get(id)?.stalledOn).toBe('Continue? [y/N]');
    one.executor.input(id, 'y\r');
    expect(one.executor.get(id)?.stalledOn).toBe(undefined);
    await one.ended(id);
  });

  test('gives its output in parts', async () => {
    const one = make();
    const { id } = await one.background('echo äbc; echo def; echo ghi');
    await one.ended(id);
    const part = (query: object) => one.executor.output(id, 'stdout', query);
    expect(await part({ maxChars: 2 })).toEqual({ ok: true, value: { text: 'äb', nextOffset: 2, eof: false } });
    expect(await part({ offset: 2 })).toEqual({
      ok: true,
      value: { text: 'c\ndef\nghi\n', nextOffset: 12, eof: true },
    });
    expect(await part({ tailLines: 2 })).toEqual({
      ok: true,
      value: { text: 'def\nghi\n', nextOffset: 12, eof: true },
    });
    expect(await one.executor.output('nope', 'stdout', {})).toMatchObject({
      ok: false,
      error: { code: 'TASK_NOT_FOUND' },
    });
  });

  test('gives its log in parts, as plain text and without cutting a character', async () => {
    const one = make();
    const { id } = await one.background("printf 'a\\303\\244b \\033]52;c;aGk=\\007\\033[31mred\\033[0m\\n'");
    const { logPath } = await one.ended(id);
    const size = readFileSync(logPath ?? '').length;
    const first = await one.executor.log(id, 0, 2);
    expect(first).toEqual({ ok: true, value: { text: 'a', nextOffset: 1, sizeBytes: size, path: logPath } });
    expect(await one.executor.log(id, 1, 1000)).toMatchObject({
      ok: true,
      value: { text: 'äb red\n', nextOffset: size },
    });
  });

  test('can be run again', async () => {
    const one = make();
    const { id } = await one.background('echo again');
    await one.ended(id);
    const restarted = await one.executor.restart(id);
    if (!restarted.ok) throw new Error(restarted.error.message);
    expect(restarted.value.id).not.toBe(id);
    expect(await one.ended(restarted.value.id)).toMatchObject({ state: 'completed', command: 'echo again' });
  });

  test('that still runs is stopped before it is run again', async () => {
    const one = make();
    const { id } = await one.background('echo up; sleep 100');
    const restarted = await one.executor.restart(id);
    if (!restarted.ok) throw new Error(restarted.error.message);
    expect([one.executor.get(id)?.state, one.executor.get(restarted.value.id)?.state]).toEqual([
      'cancelled',
      'running',
    ]);
    await one.executor.cancel(restarted.value.id);
  });

  test('names the ports it listens on', async () => {
    const one = make();
    const { id } = await one.background(
      `${process.execPath} -e "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"`,
    );
    const printed = async (): Promise<string> => {
      const slice = await one.executor.output(id, 'stdout', {});
      return slice.ok ? slice.value.text : '';
    };
    await until(async () => (one.executor.get(id)?.ports?.length ?? 0) > 0 && (await printed()).endsWith('\n'));
    expect(one.executor.get(id)?.ports).toEqual([Number(await printed())]);
  });

  test('past the time limit of the settings is ended', async () => {
    const one = make({ shell: { backgroundTimeoutSeconds: 0.3 } });
    const { id } = await one.background('sleep 100');
    expect(await one.ended(id)).toMatchObject({ state: 'timeout' });
  });

  test('is forgotten an hour after its end, with its files', async () => {
    const clock = new ManualClock(Date.now());
    const one = make({ clock });
    const { id } = await one.background('echo x');
    const { logPath } = await one.ended(id);
    clock.advance(3_700_000);
    expect([one.executor.list(), () => readFileSync(logPath ?? '')]).toEqual([[], expect.any(Function)]);
    expect(() => readFileSync(logPath ?? '')).toThrow('ENOENT');
  });
});
