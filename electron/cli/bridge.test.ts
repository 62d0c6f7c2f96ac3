import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sampleSpec } from '../engine/bridge/cliSpec/testing/sampleSpec.ts';
import type { Io } from './base/io.ts';
import { parseFlags } from './base/parseFlags.ts';
import { runBridge } from './bridge.ts';
import { commands } from './commands.ts';

const flagsOf = commands.find(({ name }) => name === 'bridge')?.flags ?? [];

test.each([
  ['{"name":"x"}', 2, false],
  [JSON.stringify(sampleSpec()), 0, true],
])('a spec on standard input is validated without a file being named: %s', async (text, code, valid) => {
  const parsed = parseFlags(['validate', '--json'], flagsOf);
  if (!parsed.ok) throw new Error(parsed.error);
  let out = '';
  const ended = await runBridge(parsed.value, {
    env: {},
    cwd: '/',
    stdoutIsTty: false,
    stderrIsTty: false,
    stdinIsTty: false,
    out: (told) => void (out += told),
    err: () => undefined,
    readStdin: () => Promise.resolve(text),
    readPiped: async () => undefined,
    async *stdinLines() {},
    onInterrupt: () => ({ dispose: () => undefined }),
  });
  expect([ended, (JSON.parse(out) as { ok: boolean }).ok]).toEqual([code, valid]);
});

/** What a model writes of the program below. */
const byModel = {
  description: 'Does what it is told',
  triggers: { positive: ['things'], negative: ['all else'] },
  commands: [{ name: 'two', description: 'Do it twice', usage: 'doit two', output: { format: 'text' } }],
};

/** Registers a program that has nothing but a help, on a terminal where this is typed. */
async function register(typed: string, ...flags: readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bridge-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'doit'),
    '#!/bin/sh\ncase "$1" in --version) echo doit 1.0.0;; --help) printf "Does things.\\n\\nCommands:\\n  one   Do one thing\\n  two   Do two things\\n";; *) exit 1;; esac\n',
  );
  chmodSync(join(folder, 'doit'), 0o755);
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ replies: [{ text: JSON.stringify(byModel) }] }));
  const parsed = parseFlags(
    ['register', 'doit', ...flags],
    commands.find(({ name }) => name === 'bridge')?.flags ?? [],
  );
  if (!parsed.ok) throw new Error(parsed.error);
  let out = '';
  let err = '';
  const io: Io = {
    env: {
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: folder,
      VISE_HOME: join(folder, 'home'),
      LLM_PROVIDER: 'scripted',
      VISE_SCRIPT: join(folder, 'script.json'),
    },
    cwd: folder,
    stdoutIsTty: true,
    stderrIsTty: true,
    stdinIsTty: true,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    readStdin: () => Promise.resolve(typed),
    readPiped: async () => undefined,
    async *stdinLines() {
      yield { text: typed };
    },
    onInterrupt: () => ({ dispose: () => undefined }),
  };
  const code = await runBridge(parsed.value, io);
  return { code, out, err, written: existsSync(join(folder, 'home/config/cli-bridge/specs/doit/1.0.0.json')) };
}

describe.skipIf(process.platform === 'win32')('vise bridge register (POSIX only: its program is an sh script)', () => {
  test.each([
    ['y', true],
    ['yes', true],
    ['', false],
    ['n', false],
    ['maybe', false],
  ])(
    'on a terminal the commands that were read of a help are shown, and %j is taken at its word',
    async (typed, written) => {
      const told = await register(typed);
      expect([told.code, told.written]).toEqual([0, written]);
      expect(told.err).toMatch(
        /^doit 1\.0\.0: 2 commands, read from its help, which may be misread\.\n\n {2}command {2}does +flags\n {2}one {6}Do one thing\n {2}two {6}Do two things\n\n.*Write it\? \[y\/N\] /,
      );
      expect(told.out).not.toContain('{');
    },
  );

  test('with --yes nothing is asked', async () => {
    expect(await register('n', '--yes', '--no-deep')).toMatchObject({ code: 0, written: true });
  });
});

describe.skipIf(process.platform === 'win32')('a spec that a model writes (POSIX only: an sh script)', () => {
  test.each([
    ['y', true],
    ['n', false],
  ])('is shown, and %j is taken at its word', async (typed, written) => {
    const told = await register(typed, '--by-model');
    expect([told.code, told.written, told.err.includes('Do it twice')]).toEqual([0, written, true]);
    expect(told.err).toMatch(/^doit 1\.0\.0: 1 command, /);
  });

  test('is printed by a dry run', async () => {
    const told = await register('', '--by-model', '--dry-run');
    expect([told.code, told.written, (JSON.parse(told.out) as { commands: unknown }).commands]).toEqual([
      0,
      false,
      byModel.commands,
    ]);
  });
});
