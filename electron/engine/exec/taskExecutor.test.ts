import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { shim } from './testing/shim.ts';
import { isAlive, until } from './testing/testExecutor.ts';

const make = createTestExecutors();

describe('a foreground command', () => {
  test('gives both streams apart and the exit code', async () => {
    const outcome = await make().run('echo out; echo err >&2; exit 3');
    expect(outcome).toMatchObject({
      kind: 'finished',
      task: { state: 'completed', exitCode: 3, mode: 'shell' },
      output: { stdout: 'out\n', stderr: 'err\n', truncated: false, stdoutChars: 4, stderrChars: 4 },
    });
  });

  test('sees terminals on both streams and has empty input', async () => {
    const { output } = await make().run('test -t 1 && test -t 2 && echo terminals; cat; echo "read $?"');
    expect(output.stdout).toBe('terminals\nread 0\n');
  });

  test('gets its arguments verbatim', async () => {
    const { output, task } = await make().run('printf', { args: ['%s|', 'a b', '$HOME', ';', '*'] });
    expect(output.stdout).toBe('a b|$HOME|;|*|');
    // As the console and the transcript show it.
    expect([task.command, task.title]).toEqual(Array(2).fill(`printf '%s|' 'a b' '$HOME' ';' '*'`));
  });

  test('that only changes the folder is told that this does not last', async () => {
    const one = make();
    expect([await one.run('cd /tmp'), await one.run('cd /tmp; pwd')]).toMatchObject([
      { kind: 'finished', hint: 'working directory does not persist between calls' },
      { kind: 'finished', output: { stdout: '/tmp\n' } },
    ]);
  });

  test('splits a program with blanks when arguments are given apart', async () => {
    const { output, task } = await make().run('printf %s-', { args: ['x'] });
    expect([output.stdout, task.mode]).toEqual(['x-', 'direct']);
  });

  test('that does not exist is an error with a hint, and no task', async () => {
    const one = make();
    const outcome = await one.executor.run({ command: 'no-such-program-here -x', cwd: one.workspace }, { owner: 't' });
    expect([outcome, one.executor.list()]).toEqual([
      {
        ok: false,
        error: {
          code: 'COMMAND_NOT_FOUND',
          message: "executable 'no-such-program-here' not found in PATH",
          details: { hint: 'Configure extra_paths or provide full path to the executable.' },
        },
      },
      [],
    ]);
  });

  test('sees its own name as it was written', async () => {
    const one = make();
    const bin = shim(one, 'named', 'echo "$0"');
    expect((await one.run('./bin/named')).output.stdout).toBe('./bin/named\n');
    expect((await one.run('ls /no-such-folder')).output.stderr).toMatch(/^ls: /);
    expect(bin).toBe(join(one.workspace, 'bin'));
  });

  test('that may not be executed is an error', async () => {
    const one = make();
    writeFileSync(join(one.workspace, 'plain.txt'), 'x');
    const outcome = await one.executor.run({ command: './plain.txt', cwd: one.workspace }, { owner: 't' });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'NOT_EXECUTABLE' } });
  });

  test('ended by a signal says by which', async () => {
    const { task } = await make().run('kill -9 $$');
    expect([task.state, task.signal, task.exitCode]).toEqual(['completed', 'SIGKILL', undefined]);
  });

  test('never sees secrets of the parent (C6), and sees extra paths in front', async () => {
    const one = make({
      environment: {
        PATH: process.env['PATH'],
        HOME: '/h',
        LLM_API_KEY: 'secret 1',
        MY_API_KEY: 'secret 2',
        GH_TOKEN: 'secret 3',
        PLAIN: 'kept',
      },
    });
    const bin = shim(one, 'tool', 'echo shim');
    one.settings = { ...one.settings, shell: { ...one.settings.shell, extraPaths: ['bin', 'bin', 'missing'] } };
    const { output } = await one.run('env; tool');
    expect([
      /secret|API_KEY|_TOKEN/.test(output.stdout),
      output.stdout.includes(`PATH=${bin}:${process.env['PATH']}\n`),
      output.stdout.includes('PLAIN=kept\n'),
      output.stdout.endsWith('shim\n'),
    ]).toEqual([false, true, true, true]);
  });

  test('gets a secret of the parent that the settings pass on, from the next command on (C6)', async () => {
    const one = make({ environment: { PATH: process.env['PATH'], NPM_TOKEN: 't1', GH_TOKEN: 't2' } });
    const seen = async (): Promise<string> => (await one.run('echo "$NPM_TOKEN $GH_TOKEN"')).output.stdout;
    const before = await seen();
    one.settings = { ...one.settings, shell: { ...one.settings.shell, passVariables: ['NPM_TOKEN'] } };
    expect([before, await seen()]).toEqual([' \n', 't1 \n']);
  });

  test('over the limit is cut at its end, and the whole is on the disk', async () => {
    const { output, task } = await make().run("head -c 60000 /dev/zero | tr '\\0' x");
    expect([
      output.stdout.length,
      output.stdout.endsWith('x\n... (truncated)'),
      output.truncated,
      output.stdoutChars,
    ]).toEqual([50_000, true, true, 60_000]);
    expect(readFileSync(task.logPath ?? '').length).toBe(60_000);
  });

  test('exactly at the limit is not cut, and characters are counted, not bytes', async () => {
    const one = make({ shell: { maxOutputChars: 1000 } });
    const { output } = await one.run('i=0; while [ $i -lt 1000 ]; do printf 😀; i=$((i+1)); done');
    expect([output.stdout, output.truncated, output.stdoutChars]).toEqual(['😀'.repeat(1000), false, 1000]);
  });

  test('with threshold 0 is waited for', async () => {
    const { kind, output } = await make().run('sleep 0.5; echo late');
    expect([kind, output.stdout]).toEqual(['finished', 'late\n']);
  });

  test('with invalid UTF-8, clipboard writes, titles and colours leaves plain text (C8)', async () => {
    const { output } = await make().run(
      "printf 'a\\377b\\033]52;c;aGk=\\007\\033]0;evil\\007\\033[31mred\\033[0m\\n10%%\\r20%%\\n'",
    );
    expect(output.stdout).toBe('a\ufffdbred\n20%\n');
  });

  test('prints 10 MB in one line without harm', async () => {
    const { output, task } = await make().run("head -c 10000000 /dev/zero | tr '\\0' y");
    expect([output.stdout.length, output.truncated, output.stdoutChars, task.outputBytes]).toEqual([
      50_000,
      true,
      10_000_000,
      10_000_000,
    ]);
  });

  test('that prints at its very end loses nothing, twenty times', async () => {
    const one = make({ shell: { maxOutputChars: 0 } });
    const expected = Array.from({ length: 2_000 }, (_, i) => `${i + 1}\n`).join('');
    for (let i = 0; i < 20; i += 1) {
      const { output } = await one.run('seq', { args: ['1', '2000'] });
      expect(output.stdout === expected).toBe(true);
    }
  });

  test.each([
    ['keeps the streams open', 'sleep 100 & echo $!'],
    ['has streams of its own', 'sleep 100 >/dev/null 2>&1 & echo $!'],
  ])('whose child %s ends all the same, and the child is named with the end', async (_, command) => {
    const one = make();
    const { task, output } = await one.run(command);
    expect([task.state, task.survivors]).toEqual(['completed', [Number(output.stdout)]]);
    const ended = await one.executor.endSurvivors(task.id);
    expect([isAlive(Number(output.stdout)), ended]).toMatchObject([false, { ok: true, value: { survivors: [] } }]);
  });

  test('whose child only takes a moment longer to end has left nothing running', async () => {
    const one = make();
    const { task } = await one.run('sleep 0.03 >/dev/null 2>&1 & echo started');
    expect(task.survivors).toBe(undefined);
  });

  test('whose child keeps the streams open loses nothing of what it printed, however late it is read', async () => {
    const one = make({ shell: { maxOutputChars: 0 } });
    const expected = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join('');
    const { output, task } = await one.run('sleep 100 & seq 1 20000; seq 1 20000 >&2');
    expect([output.stdout === expected, output.stderr === expected]).toEqual([true, true]);
    await one.executor.endSurvivors(task.id);
  });

  test('leaves no other terminal open in what it starts', async () => {
    const one = make();
    const other = await one.background('sleep 100');
    const { output } = await one.run('readlink /proc/self/fd/*');
    const files = output.stdout.trim().split('\n');
    expect(files.filter((file) => !/^\/dev\/(?:null|pts\/\d+)$|^\/proc\//.test(file))).toEqual([]);
    expect(files.filter((file) => file.startsWith('/dev/pts/')).length).toBe(2);
    await one.executor.cancel(other.id);
  });

  test('that closes its streams and lives on is waited for', async () => {
    const { task, output } = await make().run('echo x; exec >&- 2>&-; sleep 0.3; exit 4');
    expect([task.exitCode, output.stdout]).toEqual([4, 'x\n']);
  });

  test('stopped by its call is gone at once, with everything it started', async () => {
    const one = make();
    const stop = new AbortController();
    const run = one.executor.run(
      { command: 'sleep 100 & echo $!; wait', cwd: one.workspace },
      { owner: 't', signal: stop.signal },
    );
    await until(() => one.executor.list()[0]?.outputBytes !== 0 && one.executor.list().length === 1);
    stop.abort();
    const outcome = await run;
    const sleeper = outcome.ok ? 0 : Number((outcome.error.details as { output: { stdout: string } }).output.stdout);
    expect([outcome.ok ? '' : outcome.error.code, sleeper > 1, isAlive(sleeper)]).toEqual(['CANCELLED', true, false]);
  });

  test('past its time limit is ended and keeps its output', async () => {
    const clock = new ManualClock();
    const one = make({ clock });
    const run = one.run('echo before; sleep 100', { timeoutMs: 300 });
    await until(() => (one.executor.list()[0]?.outputBytes ?? 0) > 0);
    clock.advance(300);
    const { task, output } = await run;
    expect([task.state, output.stdout]).toEqual(['timeout', 'before\n']);
  });

  test('shows its new output while it runs', async () => {
    const one = make();
    const seen: string[] = [];
    await one.executor.run(
      { command: 'echo first; sleep 0.3; echo second', cwd: one.workspace },
      { owner: 't', output: (text) => seen.push(text) },
    );
    expect(seen.join('')).toBe('first\nsecond\n');
  });
});

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

describe("a person's shell", () => {
  test('runs under a controlling terminal, sees its size and answers', async () => {
    const one = make({ environment: { ...process.env, SHELL: '/bin/sh', PS1: '$ ' } });
    const shell = await one.executor.shell('owner', one.workspace, 90, 20);
    if (!shell.ok) throw new Error(shell.error.message);
    const { id } = shell.value;
    one.executor.input(id, 'stty size; tty; : </dev/tty && echo controlling; exit 7\r');
    const ended = await one.ended(id);
    const log = readFileSync(ended.logPath ?? '', 'utf8');
    expect([ended.exitCode, log.includes('20 90\r\n'), /\/dev\/pts\/\d+\r\n/.test(log), ended.kind]).toEqual([
      7,
      true,
      true,
      'user',
    ]);
  });
});
