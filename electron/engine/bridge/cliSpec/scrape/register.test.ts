import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../program.ts';
import { searchPath } from '../resolveBinary.ts';
import { sampleSpec } from '../testing/sampleSpec.ts';
import { type RegisterOptions, registerBinary, specFromHelp } from './register.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-register-')));
  mkdirSync(join(root, 'bin'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function putBinary(script: string): void {
  const path = join(root, 'bin/mytool');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

const register = (options: RegisterOptions = {}) =>
  registerBinary(
    'mytool',
    {
      run: runProgram,
      env: { PATH: process.env['PATH'] ?? '' },
      search: searchPath({ PATH: join(root, 'bin') }),
      userFolder: join(root, 'user'),
      now: () => '2026-11-21T00:00:00.000Z',
    },
    options,
  );

const helpful = `case "$*" in
--version) echo mytool 1.5;;
--help) printf 'Does things.\\n\\nCommands:\\n  add <name>   Add a thing\\n  list         List things\\n';;
'add --help') printf 'Usage: mytool add <name> [flags]\\n\\nFlags:\\n  --force   do it anyway\\n';;
'list --help') printf 'Does things.\\n\\nCommands:\\n  add <name>   Add a thing\\n  list         List things\\n';;
*) exit 1;;
esac`;

describe.skipIf(process.platform === 'win32')('registerBinary (POSIX only: its binary is an sh script)', () => {
  test('shows what it read of a help before it writes, and writes nothing after a no', async () => {
    putBinary(helpful);
    const seen: string[] = [];
    const review = (yes: boolean) => async (proposal: { readonly text: string }) => seen.push(proposal.text) > 0 && yes;
    expect(await register({ review: review(false) })).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(existsSync(join(root, 'user'))).toBe(false);
    const kept = await register({ review: review(true) });
    expect([kept.ok, seen.length, readFileSync(join(root, 'user/mytool/1.5.json'), 'utf8')]).toEqual([
      true,
      2,
      seen[1],
    ]);
  });

  test('makes a spec of the help, and asks each command for its own', async () => {
    putBinary(helpful);
    const made = await register();
    const path = join(root, 'user/mytool/1.5.json');
    expect(made.ok && { kind: made.value.kind, path: made.value.path, version: made.value.spec.binaryVersion }).toEqual(
      { kind: 'heuristic', path, version: '1.5' },
    );
    const spec = JSON.parse(readFileSync(path, 'utf8')) as {
      commands: { name: string; args?: { name: string }[]; flags?: { name: string }[] }[];
    };
    expect(
      spec.commands.map(({ name, args = [], flags = [] }) => [
        name,
        ...args.map((arg) => arg.name),
        ...flags.map((flag) => flag.name),
      ]),
    ).toEqual([['add', 'name', 'force'], ['list']]);
  });

  test('prefers what the binary says of itself', async () => {
    putBinary(
      `case "$1" in --version) echo 1.5;; cli-bridge-manifest) printf '%s' '${JSON.stringify(sampleSpec({ description: 'own words' }))}';; esac`,
    );
    const made = await register();
    expect(made.ok && [made.value.kind, made.value.spec.description, made.value.spec.registration]).toEqual([
      'canonical',
      'own words',
      { resolvedPath: join(root, 'bin/mytool'), registeredAt: '2026-11-21T00:00:00.000Z' },
    ]);
  });

  /** Notes the folder and the words of each start, with what lies in the folder. */
  const noting = (script: string): void =>
    putBinary(`echo "$(pwd) $(ls -A | wc -l | tr -d ' ') $*" >> '${join(root, 'log')}'\n${script}`);
  const starts = (): readonly { readonly folder: string; readonly files: string; readonly words: string }[] =>
    readFileSync(join(root, 'log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [folder = '', files = '', ...words] = line.split(' ');
        return { folder, files, words: words.join(' ') };
      });

  test('a dry run says nothing but --help and --version to a program, in an empty folder that goes again', async () => {
    noting(helpful);
    const made = await register({ dryRun: true });
    const seen = starts();
    expect([
      made.ok && made.value.kind,
      seen.map(({ words }) => words).toSorted(),
      seen.every(({ files, folder }) => files === '0' && !existsSync(folder)),
      existsSync(join(root, 'user')),
    ]).toEqual(['heuristic', ['--help', '--version', 'add --help', 'list --help'], true, false]);
  });

  test('a dry run tries no other word where there is no help', async () => {
    noting('exit 1');
    const made = await register({ dryRun: true });
    expect([made.ok, starts().map(({ words }) => words)]).toEqual([false, ['--help', '--version']]);
  });

  test('the help is read before anything else is run, and no word is tried that it does not tell of', async () => {
    noting(helpful);
    await register();
    const said = starts().map(({ words }) => words);
    expect([...said.slice(0, 3), ...said.slice(3).toSorted()]).toEqual([
      '--help',
      '--version',
      'cli-bridge-manifest',
      'add --help',
      'list --help',
    ]);
  });

  test('a version counts from an answer with exit code 0 alone', async () => {
    putBinary(`case "$*" in
--help) printf 'Usage: mytool [options] <file>\\n\\n  -V, --version   print the version\\n';;
--version) echo 'unknown option --version, see RFC 12.34'; exit 2;;
-V) echo mytool 1.7;;
*) exit 1;;
esac`);
    const made = await register();
    expect(made.ok && made.value.spec.binaryVersion).toBe('1.7');
  });

  test('commands below commands are read two words deep, and a group that does nothing is no tool', async () => {
    putBinary(`case "$*" in
--version) echo mytool 1.5;;
--help) printf 'Usage: mytool <command>\\n\\nCommands:\\n  remote   Manage remotes\\n  stash    Keep changes\\n';;
'remote --help') printf 'Usage: mytool remote <command>\\n\\nCommands:\\n  add   Add one\\n  list  List all\\n';;
'remote add --help') printf 'Usage: mytool remote add <name> <url> [--tags]\\n';;
'remote list --help') printf 'Usage: mytool remote list [-v | --verbose]\\n';;
'stash --help') printf 'usage: mytool stash [--all]\\n   or: mytool stash drop [<stash>]\\n   or: mytool stash show <stash>\\n';;
*) exit 1;;
esac`);
    const made = await register();
    const commands = made.ok ? made.value.spec.commands : [];
    expect(
      commands.map(({ name, args = [], flags = [] }) =>
        [name, ...args.map((arg) => arg.name), ...flags.map((flag) => `--${flag.name}`)].join(' '),
      ),
    ).toEqual([
      'remote add name url --tags',
      'remote list --verbose',
      'stash --all',
      'stash drop stash --all',
      'stash show stash --all',
    ]);
  });

  test('replaces a spec only when told to', async () => {
    putBinary(helpful);
    await register();
    const [again, forced] = [await register(), await register({ force: true })];
    expect([again.ok ? 'ok' : again.error.code, forced.ok]).toEqual(['FILE_EXISTS', true]);
  });

  test('a program without help, and none at all, are told', async () => {
    const none = await register();
    putBinary('echo 1.0');
    const silent = await register();
    expect([none, silent].map((made) => (made.ok ? 'ok' : made.error.code))).toEqual([
      'COMMAND_NOT_FOUND',
      'UNAVAILABLE',
    ]);
  });

  test('a help text from a file starts nothing', () => {
    const spec = specFromHelp('Usage: x [FILE]\n', 'x', '1.0');
    expect(spec.ok && spec.value.commands[0]?.args?.[0]?.name).toBe('file');
  });
});
