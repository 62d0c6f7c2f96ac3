import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../../../shared/model/settings.ts';
import { nodeIn } from '../testing/nodeIn.ts';
import { type TestExecutor, testExecutor } from '../testing/testExecutor.ts';
import { sandboxCommand } from './sandboxCommand.ts';
import { withSocketFilter } from './socketFilter.ts';

const works =
  process.platform === 'linux' &&
  sandboxCommand('true', [], { project: '/', cwd: '/', writable: false, network: false }).ok;

/** Perl is on every system with git, and makes sockets of any kind. */
const asking = (what: string): string => `perl -MSocket -e '${what}'`;
const connecting = (path: string): string =>
  `./node -e 'const name = process.argv[1].replace("@", String.fromCharCode(0)); require("net").connect(name).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))' '${path}'`;

describe.skipIf(!works)(`C13: sockets of this machine${works ? '' : ' (skipped: bubblewrap is not installed)'}`, () => {
  let one: TestExecutor | undefined;
  const make = (sandbox: Partial<Settings['sandbox']> = {}): TestExecutor => {
    one = testExecutor({ sandbox: { commands: true, ...sandbox } });
    nodeIn(one.workspace);
    return one;
  };
  afterEach(async () => {
    await one?.close();
  });

  /** A server of the machine that is there only once the command already runs, so that no mount can cover it. */
  async function lateAgent(path: string): Promise<() => Promise<void>> {
    const agent = createServer((socket) => socket.end('secret'));
    onTestFinished(() => new Promise<void>((resolve) => void agent.close(() => resolve())));
    return () => new Promise<void>((resolve) => void agent.listen(path, resolve));
  }

  test.each([
    ['without a network', false],
    ['with the whole network', true],
    ['with a list of hosts', ['fine.test']],
  ] as const)('C13: %s, one that begins to listen later is not reached', async (_, network) => {
    const shown = mkdtempSync('/var/tmp/vise-sock-');
    onTestFinished(() => rmSync(shown, { recursive: true, force: true }));
    const begin = await lateAgent(join(shown, 'agent.sock'));
    const { run, workspace } = make({ network: typeof network === 'boolean' ? network : [...network] });
    const wait = 'while [ ! -e go ]; do sleep 0.02; done';
    const asked = run(`${wait}; ${connecting(join(shown, 'agent.sock'))}`);
    await begin();
    writeFileSync(join(workspace, 'go'), '');
    expect((await asked).output.stdout).toBe('EPERM\n');
  });

  test('C13: a name without a file is not reached, though the network is open', async () => {
    const name = `vise-test-${process.pid}`;
    const begin = await lateAgent(`\0${name}`);
    await begin();
    const { run } = make({ network: true });
    expect((await run(connecting(`@${name}`))).output.stdout).toBe('EPERM\n');
  });

  test('C13: no other way leads to one: pairs of datagrams, rings, keyrings, sockets to the host of a machine', async () => {
    const { run } = make();
    const tries = [
      'socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0)',
      'socketpair(A, B, AF_UNIX, SOCK_RAW, 0)',
      'socket(A, 40, SOCK_STREAM, 0)',
      'socket(A, AF_UNIX, SOCK_DGRAM, 0)',
      'socket(A, AF_UNIX, 5, 0)',
      'syscall(425, 1, 0) >= 0', // io_uring_setup
      `syscall(${process.arch === 'x64' ? 250 : 219}, 0, -3, 0) >= 0`, // keyctl
    ];
    const { output } = await run(
      asking(tries.map((one) => `print((${one}) ? "made" : $!{EPERM} ? "no" : "other: $!", "\\n");`).join(' ')),
    );
    expect(output.stdout.trim().split('\n')).toEqual(tries.map(() => 'no'));
  });

  test('pipes between relatives, the loopback and the input of a command are as they were', async () => {
    const { run } = make();
    const forked = `require("child_process").fork(process.argv[1]).on("message", (m) => console.log(m))`;
    const { workspace } = one ?? make();
    writeFileSync(join(workspace, 'child.js'), 'process.send("hello"); process.disconnect();');
    const { output } = await run(
      `./node -e '${forked}' ./child.js; ${asking('print socket(A, AF_INET, SOCK_STREAM, 0) ? "inet" : $!')}; echo; cat`,
      { input: 'typed\n', terminal: 'none' },
    );
    expect(output.stdout).toContain('hello\ninet\n');
    expect(output.stdout).toContain('typed');
  });

  test('are made where the settings allow it', async () => {
    const { run } = make({ sockets: true });
    expect((await run(asking('print socket(A, AF_UNIX, SOCK_STREAM, 0) ? "made" : $!'))).output.stdout).toBe('made');
  });

  test('C12: what cleans up behind a command is not a program of the project', async () => {
    const folder = mkdtempSync('/var/tmp/vise-path-');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    one = testExecutor({ sandbox: { commands: true }, shell: { extraPaths: ['bin'] } });
    const { run, workspace } = one;
    mkdirSync(join(workspace, 'bin'));
    for (const name of ['rm', 'rmdir', 'env', 'printf', 'sh', 'bwrap'])
      writeFileSync(join(workspace, 'bin', name), `#!/bin/sh\n/bin/touch ${folder}/escaped-${name}\n`, { mode: 0o755 });
    await run('true');
    one.settings = { ...one.settings, sandbox: { ...one.settings.sandbox, network: ['fine.test'] } };
    await run('true');
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('');
  });
});

test('C13: where no filter is known, there is none to run with', () => {
  expect([withSocketFilter('riscv64'), withSocketFilter('x64')?.length, withSocketFilter('arm64')?.length]).toEqual([
    undefined,
    expect.any(Number),
    expect.any(Number),
  ]);
});
