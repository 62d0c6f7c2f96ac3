import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { sandboxCommand } from './sandbox.ts';
import { seatbeltProfile } from './seatbeltProfile.ts';
import { type TestExecutor, testExecutor, until } from './testing/testExecutor.ts';

const works =
  process.platform === 'linux' &&
  sandboxCommand('true', [], { project: '/', cwd: '/', writable: false, network: false }).ok;

describe.skipIf(!works)(`commands in the sandbox (C9)${works ? '' : ' (skipped: bubblewrap is not installed)'}`, () => {
  let one: TestExecutor | undefined;
  const make = (network = false): TestExecutor => {
    one = testExecutor({ sandbox: { commands: true, network } });
    return one;
  };
  afterEach(async () => {
    await one?.close();
  });

  test('write inside the project and nowhere else', async () => {
    const { run, folder, workspace } = make();
    const { output } = await run(
      `echo in > a.txt; echo out > ${folder}/b.txt; echo etc > /etc/vise-test; echo home > ~/vise-test; ls`,
    );
    expect([readFileSync(join(workspace, 'a.txt'), 'utf8'), existsSync(join(folder, 'b.txt')), output.stdout]).toEqual([
      'in\n',
      false,
      'a.txt\n',
    ]);
    expect([existsSync('/etc/vise-test'), output.stderr.match(/Read-only file system/g)?.length ?? 0]).toEqual([
      false,
      2,
    ]);
  });

  test('cannot change what git runs by itself', async () => {
    const { run, workspace } = make();
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
    writeFileSync(join(workspace, '.git/config'), '[core]\n');
    await run(
      'echo evil > .git/hooks/pre-commit; echo evil >> .git/config; mv .git/hooks x; rm -rf .git/hooks; mv .git elsewhere; echo ok > .git/HEAD',
    );
    expect([
      readFileSync(join(workspace, '.git/config'), 'utf8'),
      readdirSync(join(workspace, '.git')).toSorted(),
    ]).toEqual(['[core]\n', ['HEAD', 'config', 'hooks']]);
    expect(readdirSync(join(workspace, '.git/hooks'))).toEqual([]);
  });

  test.each([
    ['no repository', [], 'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; echo evil > .git/config', ['-a']],
    [
      'a repository without hooks and settings',
      ['.git'],
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; echo evil > .git/config',
      ['-a', '.git'],
    ],
  ])('with %s neither plant hooks nor leave anything behind', async (_what, folders, command, left) => {
    const { run, workspace } = make();
    for (const folder of folders) mkdirSync(join(workspace, folder));
    const { task } = await run(`${command}; touch -- ./-a; exit 5`);
    expect([task.exitCode, readdirSync(workspace).toSorted()]).toEqual([5, left]);
    if (left.includes('.git')) expect(readdirSync(join(workspace, '.git'))).toEqual([]);
  });

  test('have no network', async () => {
    const { run } = make();
    const { output } = await run(`${process.execPath} -e "console.log(Object.keys(os.networkInterfaces()).join())"`);
    expect(output.stdout.trim()).toMatch(/^(?:lo)?$/);
  });

  test('still see terminals, keep their exit code and are stopped as any other', async () => {
    const { run, background, executor } = make();
    expect((await run('test -t 1 && exit 9')).task.exitCode).toBe(9);
    const { id } = await background('echo up; setsid sleep 108 & sleep 109');
    await until(() => (executor.get(id)?.outputBytes ?? 0) > 0);
    expect(await executor.cancel(id)).toMatchObject({ ok: true, value: { cancelled: true } });
  });

  test('that only read cannot write the project either', async () => {
    const { run, workspace } = make(true);
    const { task } = await run('echo x > a.txt', { readOnly: true });
    expect([task.exitCode === 0, readdirSync(workspace)]).toEqual([false, []]);
  });

  test('do not run when the sandbox cannot be what was asked for', async () => {
    one = testExecutor({ sandbox: { commands: true, network: ['example.org'] } });
    const outcome = await one.executor.run({ command: 'echo x > a.txt', cwd: one.workspace }, { owner: 't' });
    expect([outcome.ok ? '' : outcome.error.code, readdirSync(one.workspace)]).toEqual(['UNAVAILABLE', []]);
  });
});

test('the profile for macOS allows the project and denies git its hooks, quotes included', () => {
  expect(seatbeltProfile({ project: '/p "x"', writable: true, network: false })).toBe(
    [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
      '(allow file-write* (subpath "/p \\"x\\""))',
      '(deny file-write* (subpath "/p \\"x\\"/.git/hooks") (literal "/p \\"x\\"/.git/config"))',
      '(deny network*)',
      '(allow network* (local unix-socket))',
      '',
    ].join('\n'),
  );
  expect(seatbeltProfile({ project: '/p', writable: false, network: true })).not.toMatch(/"\/p"|network/);
});
