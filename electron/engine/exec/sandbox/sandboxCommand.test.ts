import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ExecutorDeps } from '../executorDeps.ts';
import { nodeIn } from '../testing/nodeIn.ts';
import { type TestExecutor, testExecutor, until } from '../testing/testExecutor.ts';
import { sandboxCommand } from './sandboxCommand.ts';
import { seatbeltProfile } from './seatbeltProfile.ts';

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

  test('C13: have no capabilities, also as root, and can neither mount anew nor make user namespaces', async () => {
    const { run, folder } = make();
    const { output } = await run(
      `grep -h ^Cap /proc/self/status | cut -f2 | sort -u; mount -o remount,rw,bind / && touch ${folder}/out; unshare -Ur true && echo namespace`,
    );
    expect([output.stdout, existsSync(join(folder, 'out'))]).toEqual(['0000000000000000\n', false]);
  });

  test('C13: do not see keys below the home folder, but for those that the settings name', async () => {
    // In a place that the sandbox shows: its own temporary folder is empty.
    const shown = mkdtempSync('/var/tmp/vise-home-');
    onTestFinished(() => rmSync(shown, { recursive: true, force: true }));
    mkdirSync(join(shown, '.ssh'));
    writeFileSync(join(shown, '.ssh/id_ed25519'), 'private');
    for (const name of ['.netrc', '.npmrc', 'notes']) writeFileSync(join(shown, name), `in ${name}\n`);
    one = testExecutor({
      sandbox: { commands: true, readable: ['.npmrc'] },
      environment: { ...process.env, HOME: shown },
    });
    const { output } = await one.run('ls ~/.ssh; cat ~/.netrc ~/.npmrc ~/notes');
    expect(output.stdout).toBe('in .npmrc\nin notes\n');
  });

  test('C13: do not see the folders of Vise itself', async () => {
    const shown = mkdtempSync('/var/tmp/vise-home-');
    onTestFinished(() => rmSync(shown, { recursive: true, force: true }));
    mkdirSync(join(shown, 'config'));
    writeFileSync(join(shown, 'config/config.json'), '{"key": "sk-1"}');
    one = testExecutor({ sandbox: { commands: true }, environment: { ...process.env, VISE_HOME: shown } });
    const { output } = await one.run(`cat ${shown}/config/config.json; ls ${shown}/config`);
    expect(output.stdout).toBe('');
  });

  test('C13: see programs below /tmp where PATH names them, read-only, and nothing else there', async () => {
    const place = mkdtempSync('/tmp/vise-tools-');
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const own = ['tool/bin', 'tool/lib', 'flat', 'shared/bin', 'beside'];
    for (const folder of own) mkdirSync(join(place, folder), { recursive: true });
    for (const [name, text] of [
      ['tool/lib/main', '#!/bin/sh\necho from the library\n'],
      ['flat/flat-tool', '#!/bin/sh\necho flat\n'],
      ['shared/bin/planted', '#!/bin/sh\necho planted\n'],
      ['beside/secret', 'secret'],
    ] as const)
      writeFileSync(join(place, name), text, { mode: 0o755 });
    symlinkSync('../lib/main', join(place, 'tool/bin/lib-tool'));
    chmodSync(join(place, 'shared/bin'), 0o777);
    const path = ['tool/bin', 'flat', 'shared/bin'].map((name) => join(place, name)).join(':');
    one = testExecutor({
      sandbox: { commands: true },
      environment: { ...process.env, PATH: `${path}:/usr/bin:/bin` },
    });
    const { output } = await one.run(
      `lib-tool; flat-tool; planted; cat ${place}/beside/secret; echo x > ${place}/tool/bin/new; ls -1 ${place}`,
    );
    expect(output.stdout).toBe('from the library\nflat\nflat\ntool\n');
    expect(existsSync(join(place, 'tool/bin/new'))).toBe(false);
  });

  test('C13: see programs of ours below /tmp that a command on a copy of the project runs, read-only', async () => {
    const place = mkdtempSync('/tmp/vise-probe-');
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    writeFileSync(join(place, 'probe'), '#!/bin/sh\necho found\n', { mode: 0o755 });
    one = testExecutor({ sandbox: { commands: true } });
    const shadow = { tree: one.workspace, way: 'mounted', linked: [] } as const;
    const command = `${place}/probe; echo x > ${place}/new`;
    expect((await one.run(command, { shadow })).output.stdout).toBe('');
    expect((await one.run(command, { shadow: { ...shadow, programs: [place] } })).output.stdout).toBe('found\n');
    expect(existsSync(join(place, 'new'))).toBe(false);
  });

  test('C13: where sockets are allowed, those that listen already are covered all the same', async () => {
    const shown = mkdtempSync('/var/tmp/vise-sock-');
    const path = join(shown, 'agent.sock');
    const agent = createTcpServer((socket) => socket.end('secret'));
    await new Promise<void>((resolve) => void agent.listen(path, resolve));
    onTestFinished(async () => {
      await new Promise((resolve) => agent.close(resolve));
      rmSync(shown, { recursive: true, force: true });
    });
    one = testExecutor({ sandbox: { commands: true, sockets: true } });
    const { run } = one;
    const { output } = await run(`test -S ${path} && echo socket; test -e ${path} && echo covered`);
    expect(output.stdout).toBe('covered\n');
  });

  test('C12: change nothing that is obeyed outside, and plant nothing', async () => {
    const { run, workspace } = make();
    for (const folder of ['.vise', '.husky', '.claude', '.git/modules/sub', 'own'])
      mkdirSync(join(workspace, folder), { recursive: true });
    const kept = ['.vise/rules.json', '.husky/pre-commit', '.mcp.json', '.git/modules/sub/config', 'own/pre-push'];
    for (const file of kept) writeFileSync(join(workspace, file), 'ours');
    writeFileSync(join(workspace, '.git/config'), '[core]\n\thooksPath = own\n');
    const planted = [
      '.vscode/tasks.json',
      '.git/commondir',
      '.git/config.worktree',
      '.cli-bridge/specs/a.json',
      '.cursor/mcp.json',
      '.codex/config.toml',
      '.gemini/settings.json',
      '.devcontainer/devcontainer.json',
      '.zed/settings.json',
    ];
    await run(
      [...kept, ...planted].map((file) => `mkdir -p $(dirname ${file}); echo theirs > ${file}`).join('; ') +
        '; mv .vise .vise2; rm -rf .husky .claude/x; echo fine > .claude2',
    );
    expect(kept.map((file) => readFileSync(join(workspace, file), 'utf8'))).toEqual(kept.map(() => 'ours'));
    expect(planted.filter((file) => existsSync(join(workspace, file)))).toEqual([]);
    expect(readdirSync(workspace).toSorted()).toEqual(
      ['.claude', '.claude2', '.git', '.husky', '.mcp.json', '.vise', 'own'].toSorted(),
    );
  });

  test('C12: what the configuration of git includes, and hooks that a person keeps in each project, stay as they are', async () => {
    const home = mkdtempSync('/var/tmp/vise-home-');
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(join(home, '.gitconfig'), '[core] hooksPath = "team hooks" ; ours\n');
    one = testExecutor({ sandbox: { commands: true }, environment: { ...process.env, HOME: home } });
    const { run, workspace } = one;
    for (const folder of ['.git', 'team hooks', 'shared']) mkdirSync(join(workspace, folder));
    writeFileSync(
      join(workspace, '.git/config'),
      '[include]\n\tpath = ../shared/one\n[includeIf "onbranch:x"] path=../missing\n',
    );
    writeFileSync(join(workspace, 'shared/one'), '[include]\n\tpath = two\n[core]\n\thooksPath = later # none yet\n');
    writeFileSync(join(workspace, 'shared/two'), '');
    const planted = ['team hooks/pre-commit', 'shared/one', 'shared/two', 'missing', 'later/pre-commit'];
    await run(planted.map((file) => `mkdir -p "$(dirname '${file}')"; echo evil >> '${file}'`).join('; '));
    const found = planted.map((file) => [
      file,
      existsSync(join(workspace, file)) && readFileSync(join(workspace, file), 'utf8').includes('evil'),
    ]);
    expect(found).toEqual(planted.map((file) => [file, false]));
    expect(readdirSync(workspace).toSorted()).toEqual(['.git', 'shared', 'team hooks']);
  });

  test('C12: where an obeyed place is a link, or holds one, neither what it leads to nor the link itself changes', async () => {
    const { run, workspace } = make();
    for (const folder of ['.git/hooks', '.claude', 'conf/code', 'scripts', 'deep/er/hooks'])
      mkdirSync(join(workspace, folder), { recursive: true });
    const kept = ['conf/code/tasks.json', 'scripts/check.sh', 'scripts/later.sh', 'deep/er/hooks/pre-push', 'mcp.json'];
    for (const file of kept) writeFileSync(join(workspace, file), 'ours\n');
    symlinkSync('conf/code', join(workspace, '.vscode'));
    symlinkSync('mcp.json', join(workspace, '.mcp.json'));
    symlinkSync('../../scripts/check.sh', join(workspace, '.git/hooks/pre-commit'));
    symlinkSync('../scripts/later.sh', join(workspace, '.claude/hook'));
    symlinkSync('.idea', join(workspace, '.idea'));
    writeFileSync(join(workspace, '.git/config'), '[core]\n\thooksPath = deep/er/hooks\n');
    const { output } = await run(
      `${kept.map((file) => `echo theirs > ${file}`).join('; ')}; mv deep other; mkdir -p deep/er/hooks; ` +
        `echo theirs > deep/er/hooks/pre-push; mv conf conf2; mkdir -p conf/code; echo theirs > conf/code/tasks.json; ` +
        `rm .vscode .mcp.json; mkdir .vscode; echo theirs > .vscode/tasks.json; echo theirs > .mcp.json; echo fine > scripts/new.sh; cat .mcp.json`,
    );
    expect(kept.map((file) => readFileSync(join(workspace, file), 'utf8'))).toEqual(kept.map(() => 'ours\n'));
    expect(['.vscode', '.mcp.json'].map((name) => readlinkSync(join(workspace, name)))).toEqual([
      'conf/code',
      'mcp.json',
    ]);
    const beside = readdirSync(workspace).filter((name) => name.includes('.replaced.'));
    expect(beside.map((name) => name.replace(/\d+$/, '')).toSorted()).toEqual([
      '.mcp.json.replaced.',
      '.vscode.replaced.',
    ]);
    expect([output.stdout, existsSync(join(workspace, 'scripts/new.sh'))]).toEqual(['theirs\n', true]);
  });

  test('C12: repositories of submodules, and those that a .git file names in the project, are held as the outer one', async () => {
    const { run, workspace } = make();
    for (const folder of ['.bare/hooks', '.bare/modules/libs/one/hooks', 'libs/one', 'libs/two/.git/hooks'])
      mkdirSync(join(workspace, folder), { recursive: true });
    const kept: Readonly<Record<string, string>> = {
      '.git': 'gitdir: ./.bare\n',
      '.bare/HEAD': 'ref: refs/heads/main\n',
      '.bare/config': '[core]\n',
      '.bare/modules/libs/one/HEAD': 'ref: refs/heads/main\n',
      '.bare/modules/libs/one/config': '[core]\n',
      '.gitmodules': '[submodule "one"]\n\tpath = libs/one\n[submodule "two"]\n\tpath = libs/two\n',
      'libs/one/.git': 'gitdir: ../../.bare/modules/libs/one\n',
      'libs/two/.git/config': '[core]\n',
    };
    const ofGit = ['.bare/HEAD', '.bare/modules/libs/one/HEAD']; // git's own to write
    for (const [file, text] of Object.entries(kept)) writeFileSync(join(workspace, file), text);
    const attacked = Object.keys(kept).filter((file) => !ofGit.includes(file));
    const hooks = ['.bare/hooks', '.bare/modules/libs/one/hooks', 'libs/two/.git/hooks'].map(
      (folder) => `${folder}/pre-commit`,
    );
    const { output } = await run(
      `mv .bare b2; mv .bare/modules m2; mv libs l2; rm -f .git libs/one/.git; mv libs/two/.git g2; ` +
        [...attacked, ...hooks].map((file) => `mkdir -p $(dirname ${file}); echo theirs > ${file}`).join('; ') +
        '; echo x > .bare/index; echo y > libs/one/file; cat .bare/index libs/one/file',
    );
    expect(Object.keys(kept).map((file) => readFileSync(join(workspace, file), 'utf8'))).toEqual(Object.values(kept));
    expect(hooks.filter((file) => existsSync(join(workspace, file)))).toEqual([]);
    expect(output.stdout).toBe('x\ny\n');
  });

  test('C12: are not run by a bwrap that the project brings', async () => {
    one = testExecutor({ sandbox: { commands: true } });
    const { workspace, run } = one;
    writeFileSync(join(workspace, 'bwrap'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${workspace}:${process.env['PATH'] ?? ''}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await run('echo real')).output.stdout).toBe('real\n');
  });

  test('have no network', async () => {
    const { run } = make();
    const { output } = await run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
    expect(output.stdout.trim()).toBe('lo');
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

  describe('with a list of hosts', () => {
    const served = createServer((incoming, response) => response.end(`this is ${incoming.headers.host}\n`));
    let port = 0;
    let dialed: string[] = [];
    /** Every name leads to one server on this machine. */
    const dial: ExecutorDeps['dial'] = (host) => {
      dialed.push(host);
      return new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      });
    };
    beforeEach(async () => {
      dialed = [];
      await new Promise<void>((resolve) => void served.listen(0, '127.0.0.1', resolve));
      port = (served.address() as AddressInfo).port;
    });
    afterEach(async () => {
      served.closeAllConnections();
      await new Promise((resolve) => served.close(resolve));
    });
    /** A plain request to the environment's proxy, as most programs make it. */
    const asking = (address: string): string =>
      `./node -e "const {hostname,port} = new URL(process.env.http_proxy); require('http').get({hostname,port,path:'${address}'}, (r) => { console.log(r.statusCode); r.pipe(process.stdout); })"`;
    /** Node's `fetch` asks the proxy for a tunnel. */
    const fetching = (address: string, environment = 'x=1'): string =>
      `env ${environment} ./node -e "fetch('${address}').then(async (r) => console.log(r.status, await r.text()), () => console.log('failed'))"`;
    const withList = (hosts: readonly string[]): TestExecutor => {
      one = testExecutor({ sandbox: { commands: true, network: [...hosts] }, dial });
      nodeIn(one.workspace);
      return one;
    };

    test('reach a host on it, by its name alone', async () => {
      const { run } = withList(['fine.test']);
      const { output } = await run(`${asking('http://fine.test/')}; ${fetching('http://fine.test/')}`);
      expect([output.stdout, dialed]).toEqual([
        '200\nthis is fine.test\n200 this is fine.test\n\n',
        ['fine.test', 'fine.test'],
      ]);
    });

    test('are refused what is not on it, and nothing is dialled', async () => {
      const { run } = withList(['*.fine.test']);
      const { output } = await run(`${asking('http://evil.test/')}; ${fetching('https://evil.test/')}`);
      expect([output.stdout, dialed]).toEqual([
        "403\nvise: evil.test is not on the sandbox's list of hosts\nfailed\n",
        [],
      ]);
    });

    test('have no way past the proxy', async () => {
      const { run } = withList(['*']);
      const { output } = await run(fetching(`http://127.0.0.1:${port}/`, 'NODE_USE_ENV_PROXY=0'));
      expect([output.stdout, dialed]).toEqual(['failed\n', []]);
    });

    test('follow the list as it changes', async () => {
      const two = withList(['fine.test']);
      two.settings = {
        ...two.settings,
        sandbox: { commands: true, network: ['other.test'], readable: [], sockets: false },
      };
      const { output } = await two.run(`${asking('http://fine.test/')}; ${asking('http://other.test/')}`);
      expect(output.stdout.match(/^\d+$/gm)).toEqual(['403', '200']);
    });

    test('do not see the sockets of our own hosts', async () => {
      const { run, folder } = withList(['fine.test']);
      mkdirSync(join(folder, 'run'), { recursive: true });
      writeFileSync(join(folder, 'run', 'host-1.sock'), '');
      const { output } = await run(`ls ${folder}/run`);
      expect(output.stdout).toBe('');
    });

    test('do not run when the filter cannot be started', async () => {
      const { executor, folder, workspace } = withList(['fine.test']);
      writeFileSync(join(folder, 'run'), 'not a folder');
      const outcome = await executor.run({ command: 'echo x > a.txt', cwd: workspace }, { owner: 't' });
      expect([outcome.ok ? '' : outcome.error.code, existsSync(join(workspace, 'a.txt'))]).toEqual([
        'UNAVAILABLE',
        false,
      ]);
    });
  });
});

test('C12, C13: the profile for macOS allows the project, denies what is obeyed there and hides keys, quotes included', () => {
  const profile = seatbeltProfile({
    project: '/p "x"',
    writable: true,
    network: false,
    obeyed: ['/p "x"/.vise', '/p "x"/.git/hooks'],
    unseen: ['/u/.ssh', '/u/v "s"'],
  });
  const [places = '', ...rest] = profile.split('\n').slice(5);
  expect(profile.split('\n').slice(0, 5)).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    '(allow file-write* (subpath "/p \\"x\\""))',
  ]);
  expect(places).toBe('(deny file-write* (subpath "/p \\"x\\"/.vise") (subpath "/p \\"x\\"/.git/hooks"))');
  expect(rest).toEqual([
    '(deny file-read* (subpath "/u/.ssh") (subpath "/u/v \\"s\\""))',
    '(deny network*)',
    '(allow network* (local unix-socket))',
    '',
  ]);
  expect(seatbeltProfile({ project: '/p', writable: false, network: true })).not.toMatch(/"\/p"|network|read/);
});

test('C9: macOS shows a copy of a project that lies in a folder which is not to be read', () => {
  const unseen = ['/home/state'];
  const lines = seatbeltProfile({ project: '/home/state/copies/1', writable: true, network: true, unseen }).split('\n');
  expect(lines.indexOf('(allow file-read* (subpath "/home/state/copies/1"))')).toBeGreaterThan(
    lines.indexOf('(deny file-read* (subpath "/home/state"))'),
  );
});
