import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../base/processMark.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { shim } from './testing/shim.ts';
import { until } from './testing/testExecutor.ts';

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
    expect([isRunning(Number(output.stdout)), ended]).toMatchObject([false, { ok: true, value: { survivors: [] } }]);
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
    expect([outcome.ok ? '' : outcome.error.code, sleeper > 1, isRunning(sleeper)]).toEqual(['CANCELLED', true, false]);
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
