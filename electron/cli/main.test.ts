import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { halfWritten, wholeBefore } from '../engine/workspace/testing/halfWritten.ts';
import { testFolder, treeOf } from '../engine/workspace/testing/testFolder.ts';
import { commonFlags } from './base/helpPages.ts';
import { parseFlags } from './base/parseFlags.ts';
import { describeVersion } from './base/version.ts';
import { commands } from './commands.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

async function vise(
  words: readonly string[],
  options: { readonly home?: string; readonly cwd?: string } = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo(options.cwd ?? tmpdir(), '', { VISE_HOME: options.home ?? join(tmpdir(), 'none') });
  const code = await main(words, io);
  return { code, ...io.printed };
}

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  [['doctor', 'here'], '"here" is one word too many. "vise doctor --help"'],
  [['tools', '--json', 'read'], '"read" is one word too many'],
  [['sessions', 'show', 'a', 'b'], '"b" is one word too many'],
  [['serve', 'a', 'b'], '"b" is one word too many'],
  [['inspect', 'shell', '-', 'x'], '"x" is one word too many'],
  [['--verison'], 'There is no flag --verison. Did you mean --version?'],
  [['tools', '--hlep'], 'There is no flag --hlep. Did you mean --help?'],
  [['serve', '--jsno'], 'There is no flag --jsno. The nearest is --'],
  [['tool', 'read_file', '--filPath', 'a'], 'There is no flag --filPath. Did you mean --filePath?'],
  [['no-such-folder'], 'there is no command "no-such-folder"'],
])('%j is wrong usage, told with the remedy', async (words, says) => {
  expect(await vise(words)).toEqual({ code: 2, out: '', err: expect.stringContaining(says) });
});

test('the help of a tool names its inputs, which are needed, and a call', async () => {
  const { code, out } = await vise(['tool', 'read_file', '--help'], { cwd: tempFolder(), home: tempFolder() });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^vise tool read_file .*\n[^]*--filePath TEXT +needed[^]*Example: vise tool read_file --filePath '…'\n$/,
    ),
  ]);
  expect(await vise(['tool', 'reed_file', '--help'], { cwd: tempFolder(), home: tempFolder() })).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('reed_file'),
  });
});

test.each([60, 80, 120])('every help fits a terminal of %i columns', async (columns) => {
  const screen = { columns: () => columns, rows: () => 40, onResize: () => ({ dispose: () => undefined }) };
  for (const words of [['--help'], ...commands.map(({ name }) => [name, '--help'])]) {
    const io = { ...createTestIo(tmpdir()), stdoutIsTty: true, screen };
    expect(await main(words, io)).toBe(0);
    // A usage or an example is one thing to copy.
    const wide = io.printed.out
      .split('\n')
      .filter((line) => line.length > columns && !/^( *vise |Example: )/.test(line));
    expect(wide).toEqual([]);
  }
});

test('each command has an example that the command line takes', () => {
  const wrong = commands.filter(({ name, example, flags }) => {
    const [, words = ''] = /\bvise ([^)]*)/.exec(example) ?? [];
    const given = [...words.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word);
    const named = name === 'open' ? given : given.slice(1);
    return (
      (name !== 'open' && given[0] !== name) || (name !== 'tool' && !parseFlags(named, [...flags, ...commonFlags]).ok)
    );
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('help of a command that is not there says so', async () => {
  expect(await vise(['help', 'exce'])).toEqual({
    code: 2,
    out: '',
    err: 'vise: there is no command "exce". Did you mean "vise exec"?\n',
  });
});

test.each([['--version'], ['-V'], ['-v'], ['version']])('%s tells the version', async (word) => {
  expect(await vise([word])).toEqual({ code: 0, out: `${describeVersion()}\n`, err: '' });
});

test('each command tells the version, also one that has a --version of its own', async () => {
  for (const name of ['bridge', 'tool', 'exec', 'doctor'])
    expect(await vise([name, '--version'])).toEqual({ code: 0, out: `${describeVersion()}\n`, err: '' });
});

test('a task that no message can hold is told in words', async () => {
  const told = await vise(['exec', 'x'.repeat(2_000_001)]);
  expect(told).toEqual({ code: 2, out: '', err: expect.stringContaining('the task has 2000001 characters') });
});

test('every command tells its version, unless it takes one', async () => {
  expect(await vise(['exec', '--version'])).toEqual({ code: 0, out: `${describeVersion()}\n`, err: '' });
  expect(await vise(['bridge', 'register', '--version'])).toMatchObject({ code: 2, out: '' });
});

test('a folder opens by its bare name, too', async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'project'));
  // Two folders are one too many for `open`: it has been chosen, and nothing is started.
  expect(await vise(['project', 'more'], { cwd })).toEqual({
    code: 2,
    out: '',
    err: expect.stringContaining('vise open: "more" is one word too many'),
  });
});

test('what config has done is one JSON value with --json', async () => {
  const home = tempFolder();
  const path = join(home, 'config', 'config.json');
  const made = await vise(['config', '--init-template', '--json'], { home });
  expect({ ...made, out: JSON.parse(made.out) as unknown }).toEqual({
    code: 0,
    out: { state: 'created template', path },
    err: '',
  });
  const saved = await vise(['config', '--provider', 'p', '--model', 'm', '--json'], { home });
  expect(JSON.parse(saved.out)).toEqual({ state: 'saved', path });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ active_provider: 'p' });
});

test('doctor makes no folder, and names what stands in its way', async () => {
  const folder = tempFolder();
  const places = async (home: string): Promise<unknown> => {
    const { out } = await vise(['doctor', '--json'], { home });
    return (JSON.parse(out) as readonly { readonly what: string }[]).find(({ what }) => what === 'folders');
  };
  expect(await places(join(folder, 'new'))).toMatchObject({ state: 'works' });
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  expect(await places(join(folder, 'file'))).toMatchObject({
    state: 'broken',
    detail: expect.stringContaining(`${join(folder, 'file')} is no folder`),
  });
});

test('doctor names what a killed write left, and the next command puts it in order', async () => {
  const home = tempFolder();
  const { root } = await halfWritten(() => {
    const state = join(home, 'state');
    rmSync(state, { recursive: true, force: true });
    return { root: testFolder(wholeBefore), state };
  });
  const cutOff = async (): Promise<unknown> => {
    const { out } = await vise(['doctor', '--json'], { home });
    return (JSON.parse(out) as readonly { readonly what: string }[]).find(({ what }) => what === 'cut-off writes');
  };
  expect(await cutOff()).toMatchObject({ state: 'broken', detail: expect.stringContaining(`${root}/a`) as unknown });
  const { err } = await vise(['tool', 'read_file', '--filePath', 'a', '--project', root], { home });
  expect(err).toContain('vise: Vise ended while it wrote 4 files.');
  expect(treeOf(root)).toEqual(wholeBefore);
  expect(await cutOff()).toMatchObject({ state: 'works', detail: 'none' });
});
