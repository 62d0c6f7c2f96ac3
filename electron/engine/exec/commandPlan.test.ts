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
    expect(planCommand('make | cat', undefined, options({ shell: '/bin/dash' }))).toEqual({
      ok: true,
      value: { mode: 'shell', file: '/bin/dash', args: ['-c', 'make | cat'], estimateSeconds: 30 },
    });
  });

  test.each([
    ['   ', undefined, 'cli_based_tool: command must be provided'],
    ['echo "x', undefined, 'cli_based_tool: unterminated quote'],
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

  test('takes secrets out by name and by value, unless they are allowed', () => {
    const parent = {
      OPENAI_API_KEY: '1',
      GITHUB_TOKEN: '2',
      NPM_TOKEN: '3',
      TOKEN: '4',
      COPY: 'sk-secret',
      TOKENIZERS: 'kept',
      PATH: '/bin',
      EMPTY: undefined,
      ELECTRON_RUN_AS_NODE: '1',
    };
    expect(childEnvironment(parent, { ...base, allow: ['NPM_TOKEN'], secrets: ['sk-secret', ''] })).toEqual({
      NPM_TOKEN: '3',
      TOKENIZERS: 'kept',
      PATH: '/bin',
    });
  });

  test('puts existing extra paths in front, once, and changes nothing else', () => {
    mkdirSync(join(folder, 'bin'));
    const { PATH } = childEnvironment(
      { PATH: `/usr/bin:${folder}/bin:/bin` },
      { ...base, workspace: folder, home: folder, extraPaths: ['bin', '~/bin', '~', 'missing'] },
    );
    expect(PATH).toBe(`${folder}/bin:${folder}:/usr/bin:/bin`);
  });
});
