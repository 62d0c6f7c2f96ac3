import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childEnvironment } from './childEnvironment.ts';
import { type PlanOptions, planCommand } from './commandPlan.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-plan-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const options = (more: Partial<PlanOptions> = {}): PlanOptions => ({
  cwd: folder,
  env: { PATH: folder },
  shell: '',
  slowCommands: {},
  platform: 'linux',
  ...more,
});
const program = (name: string, mode = 0o755): void => {
  writeFileSync(join(folder, name), '');
  chmodSync(join(folder, name), mode);
};

describe('planCommand', () => {
  test('direct mode keeps the words, shell mode the text', () => {
    program('tool');
    expect(planCommand("tool 'a b'", undefined, options())).toEqual({
      ok: true,
      value: { mode: 'direct', argv: ['tool', 'a b'], file: 'tool', args: ['a b'], estimateSeconds: null },
    });
    expect(planCommand('make | cat', undefined, options({ shell: 'tool' }))).toEqual({
      ok: true,
      value: { mode: 'shell', file: 'tool', args: ['-c', 'make | cat'], estimateSeconds: 30 },
    });
  });

  test.each([
    ['   ', undefined, 'command must be provided'],
    ['echo "x', undefined, 'unterminated quote'],
  ])('%j is refused', (command, args, message) => {
    expect(planCommand(command, args, options())).toEqual({ ok: false, error: { code: 'VALIDATION_ERROR', message } });
  });

  test.each([
    ['echo a\0b', undefined],
    ['echo', ['a\0b']],
  ])('a NUL is refused: %j %j', (command, args) => {
    program('echo');
    expect(planCommand(command, args, options())).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  });

  test('with arguments the command is a program, blanks and all, before it is split', () => {
    program('git log');
    expect(planCommand('git log', ['-1'], options())).toMatchObject({ value: { argv: ['git log', '-1'] } });
    rmSync(join(folder, 'git log'));
    program('git');
    expect(planCommand('git log', ['-1', '$x'], options())).toMatchObject({
      value: { argv: ['git', 'log', '-1', '$x'] },
    });
    expect(planCommand('git log', [], options())).toMatchObject({ value: { argv: ['git', 'log'] } });
  });

  test.each([
    ['tool %s*', ['tool', '%s*', 'x']],
    ['tool "a  b" $c', ['tool', 'a  b', '$c', 'x']],
    ["tool 'it'\\''s' | > ;", ['tool', "it's", '|', '>', ';', 'x']],
    ['FOO=1 tool', undefined],
  ])('what is split from a command with arguments is only split, not interpreted: %s', (command, argv) => {
    program('tool');
    const planned = planCommand(command, ['x'], options());
    expect(planned.ok ? planned.value.argv : undefined).toEqual(argv);
  });

  test('a quote without end in a command with arguments is an error', () => {
    expect(planCommand("tool 'a", ['x'], options())).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: 'unterminated quote' },
    });
  });

  test.each(['cd src', 'cd', ' cd "a b" ', "cd 'a b'", 'cd -- x'])(
    'a lone cd says that it does not last: %s',
    (command) => {
      expect(planCommand(command, undefined, options())).toMatchObject({
        value: { mode: 'shell', hint: 'working directory does not persist between calls' },
      });
    },
  );

  test.each(['cd x && ls', 'cd x; ls', '(cd x; ls)', 'cd $(pwd)'])(
    'cd with something behind it does not: %s',
    (command) => {
      expect(planCommand(command, undefined, options())).not.toHaveProperty('value.hint');
    },
  );

  test('a folder or a file without the execute bit cannot be run', () => {
    mkdirSync(join(folder, 'dir'));
    program('file', 0o644);
    expect(planCommand('./dir', undefined, options())).toMatchObject({ error: { code: 'NOT_EXECUTABLE' } });
    expect(planCommand('./file', undefined, options())).toMatchObject({ error: { code: 'NOT_EXECUTABLE' } });
    expect(planCommand('./file/below', undefined, options())).toMatchObject({ error: { code: 'COMMAND_NOT_FOUND' } });
  });

  test('an interpreter that is missing is named, with what to do', () => {
    writeFileSync(join(folder, 'gone'), '#! /no/such/interpreter -x\n', { mode: 0o755 });
    writeFileSync(join(folder, 'crlf'), '#!/bin/sh\r\necho hi\r\n', { mode: 0o755 });
    writeFileSync(join(folder, 'weak'), `#!${folder}/plain\n`, { mode: 0o755 });
    program('plain', 0o644);
    expect([
      planCommand('./gone', undefined, options()),
      planCommand('gone', ['x'], options()),
      planCommand('crlf', undefined, options()),
      planCommand('weak', undefined, options()),
    ]).toMatchObject([
      {
        error: {
          code: 'NOT_EXECUTABLE',
          message: expect.stringContaining("'/no/such/interpreter', does not exist") as unknown,
          details: { hint: expect.stringContaining('Install it') as unknown },
        },
      },
      { error: { code: 'NOT_EXECUTABLE' } },
      {
        error: {
          message: expect.stringContaining("'/bin/sh\\r', does not exist") as unknown,
          details: { hint: expect.stringContaining('LF') as unknown },
        },
      },
      { error: { message: expect.stringContaining(`'${folder}/plain', may not be executed`) as unknown } },
    ]);
  });

  test('a program without a first line of that kind, or whose interpreter is there, is started', () => {
    program('empty');
    writeFileSync(join(folder, 'script'), `#!${folder}/empty\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]), { mode: 0o755 });
    expect(['empty', 'script', 'binary'].map((name) => planCommand(name, undefined, options()).ok)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a shell of the settings that cannot be started is named as such; without a shell nothing is lost', () => {
    program('tool');
    program('plain', 0o644);
    const hint = expect.stringContaining('shell.program') as unknown;
    expect([
      planCommand('a | b', undefined, options({ shell: '/no/such/shell' })),
      planCommand('a | b', undefined, options({ shell: './plain' })),
      planCommand('tool a', undefined, options({ shell: '/no/such/shell' })),
    ]).toMatchObject([
      { error: { code: 'COMMAND_NOT_FOUND', message: expect.stringContaining("'/no/such/shell'"), details: { hint } } },
      { error: { code: 'NOT_EXECUTABLE', message: expect.stringContaining("'./plain'"), details: { hint } } },
      { ok: true },
    ]);
  });

  test('on Linux a word that is longer than the system takes is refused, one byte less is not', () => {
    program('tool');
    const tooLong = { error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('131071') as unknown } };
    expect([
      planCommand('tool', ['é'.repeat(65_536)], options()),
      planCommand(`tool; ${'x'.repeat(131_072)}`, undefined, options()),
      planCommand('tool', ['x'.repeat(131_071)], options()),
      planCommand('tool', ['x'.repeat(131_072)], options({ platform: 'darwin' })),
    ]).toMatchObject([tooLong, tooLong, { ok: true }, { ok: true }]);
  });

  test('a pipe with the execute bit is no program, and is not waited for (not on Windows: no pipes)', ({ skip }) => {
    skip(process.platform === 'win32');
    execFileSync('mkfifo', ['-m', '755', join(folder, 'pipe')]);
    expect(planCommand('./pipe', undefined, options())).toMatchObject({ error: { code: 'NOT_EXECUTABLE' } });
  });

  test("an empty word is no program: '' x", () => {
    expect(planCommand("'' x", undefined, options())).toMatchObject({ error: { code: 'COMMAND_NOT_FOUND' } });
  });

  test('PATH is found by its own name, on Windows in any case', () => {
    program('tool');
    program('tool.EXE');
    const env = { Path: '/nowhere', PATH: folder };
    expect(planCommand('tool', undefined, options({ env })).ok).toBe(true);
    expect(planCommand('tool', undefined, options({ env: { pAth: folder }, platform: 'win32' })).ok).toBe(true);
    expect(planCommand('tool', undefined, options({ env: { pAth: folder } })).ok).toBe(false);
  });

  test.each([
    ['python3.12', 'python3.12.EXE'],
    ['tool.exe', 'tool.exe'],
    ['tool', 'tool.CMD'],
  ])('on Windows %s is looked up with the endings of PATHEXT', (word, file) => {
    program(file);
    const env = { PATH: folder, PathExt: '.EXE;;.CMD' };
    const planned = planCommand(word, ['x'], options({ platform: 'win32', env }));
    expect([planned.ok, JSON.stringify(planned).includes(file)]).toEqual([true, true]);
  });

  test('on Windows a batch file takes no line break', () => {
    program('npm.CMD');
    const env = { PATH: folder, PATHEXT: '.CMD' };
    expect(planCommand('npm', ['a\nb'], options({ platform: 'win32', env }))).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  test('on Windows a batch file goes through cmd.exe with every active character escaped', () => {
    program('npm.CMD');
    const planned = planCommand(
      'npm',
      ['a&b'],
      options({ platform: 'win32', env: { PATH: folder, PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' } }),
    );
    expect(planned).toMatchObject({ value: { mode: 'direct', file: 'C:\\cmd.exe', verbatim: true } });
    expect(planned.ok && planned.value.args.at(-1)).toMatch(/a\^\^\^&b"$/);
  });

  test('on Windows a shell command is handed to cmd.exe as it is', () => {
    expect(planCommand('dir & echo x', undefined, options({ platform: 'win32' }))).toMatchObject({
      value: { file: 'cmd.exe', args: ['/d', '/s', '/c', '"dir & echo x"'], verbatim: true },
    });
  });
});

describe('childEnvironment (C6)', () => {
  const base = { extraPaths: [], workspace: '/w', home: '/h', allow: [], secrets: [], additions: {} };

  test('takes secrets out by name, unless it is allowed, and by value, whatever is allowed', () => {
    const parent = {
      OPENAI_API_KEY: '1',
      GITHUB_TOKEN: '2',
      NPM_TOKEN: '3',
      TOKEN: '4',
      COPY: 'sk-secret',
      MY_TOKEN: 'sk-secret',
      TOKENIZERS: 'kept',
      PATH: '/bin',
      EMPTY: undefined,
      ELECTRON_RUN_AS_NODE: '1',
    };
    expect(childEnvironment(parent, { ...base, allow: ['NPM_TOKEN', 'MY_TOKEN'], secrets: ['sk-secret', ''] })).toEqual(
      {
        NPM_TOKEN: '3',
        TOKENIZERS: 'kept',
        PATH: '/bin',
      },
    );
  });

  test.each([
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASSWD',
    'SSH_PASSPHRASE',
    'SESSION_SECRET',
    'GITHUB_PAT',
    'DEPLOY_PRIVATE_KEY',
    'GOOGLE_CREDENTIALS',
    'oauth_client_secret',
    'RAILS_MASTER_KEY',
    'STRIPE_KEY',
    'DB_PWD',
    'REDISCLI_AUTH',
    'npm_config__auth',
    'npm_config_//registry.example.org/:_authToken',
    'AZURE_STORAGE_CONNECTION_STRING',
  ])('takes %s out', (name) => {
    expect(childEnvironment({ [name]: 'x' }, base)).toEqual({});
  });

  test.each([
    'SSH_AUTH_SOCK',
    'GIT_ASKPASS',
    'PASSWORD_STORE_DIR',
    'PATH',
    'COMPAT',
    'PUBLIC_KEY',
    'GPG_KEY',
    'OLDPWD',
    'PWD',
    'KEYBOARD',
    'SECRETARY',
  ])('leaves %s, which names no secret', (name) => {
    expect(childEnvironment({ [name]: 'x' }, base)).toEqual({ [name]: 'x' });
  });

  test('takes out an address with a password, but for this machine and proxies', () => {
    const parent = {
      DATABASE_URL: 'postgres://app:x@db.example.org/app',
      QUEUE: 'amqps://:x@queue.example.org',
      LOCAL_URL: 'postgres://app:x@localhost:5432/app',
      FALSE_URL: 'postgres://app:x@localhost.example.org/app',
      https_proxy: 'http://me:x@proxy.example.org:3128',
      REPO: 'ssh://git@example.org/a.git',
    };
    const { LOCAL_URL, https_proxy, REPO } = parent;
    expect(childEnvironment(parent, base)).toEqual({ LOCAL_URL, https_proxy, REPO });
    expect(childEnvironment(parent, { ...base, allow: ['DATABASE_URL'] })).toHaveProperty('DATABASE_URL');
  });

  test('puts existing extra paths in front, once, and changes nothing else', () => {
    mkdirSync(join(folder, 'bin'));
    const { PATH } = childEnvironment(
      { PATH: `/usr/bin:${folder}/bin::/bin` },
      { ...base, workspace: folder, home: folder, extraPaths: ['bin', '~/bin', '~', 'missing'] },
    );
    expect(PATH).toBe(`${folder}/bin:${folder}:/usr/bin::/bin`);
  });
});
