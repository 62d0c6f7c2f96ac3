import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createLook } from '../../workspace/look.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import { findDefinitions } from './findSymbols.ts';
import { createSymbolIndex, type SymbolIndex } from './symbolIndex.ts';
import { createSymbolReader } from './symbolReader.ts';

const { signal } = new AbortController();

const project = {
  'src/store.ts': 'export class Store {\n  parse() {}\n}\n',
  'src/parse.ts': 'export function parse() {}\n',
  'lib/tool.py': 'def parse(): pass\n',
  'notes.md': 'function parse() {}\n',
  'dist/out.js': 'function parse() {}\n',
  'own/out.js': 'function parse() {}\n',
  '.gitignore': 'dist/\n',
  '.viseignore': 'own/\n',
};

const places = ['lib/tool.py:1', 'src/parse.ts:1', 'src/store.ts:2'];

function openIndex(root: string, file = path.join(testFolder(), 'symbols', 'project.db')) {
  const index = createSymbolIndex({ root, file }, { quietMs: 0 });
  onTestFinished(() => index.dispose());
  return { index, file };
}

/** What the index says, without a search behind it. */
async function ask(index: SymbolIndex, name: string, below = '.') {
  const answer = await index.definitions(name, below, signal);
  return answer?.files.flatMap(({ file, symbols }) => symbols.map(({ line }) => `${file}:${line}`)).sort();
}

/** As after a question. */
async function build(index: SymbolIndex) {
  index.hold()();
  await index.idle();
}

test('it cannot tell before it was built, then it tells as a search does', async () => {
  const root = testFolder(project);
  const { index, file } = openIndex(root);
  expect(await ask(index, 'parse')).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  await build(index);
  expect(await ask(index, 'parse')).toEqual(places);
  expect(await ask(index, 'parse', 'src')).toEqual(places.slice(1));
  expect(await ask(index, 'pars')).toEqual([]);
});

test('what it says and what a search says are the same, to the letter', async () => {
  const root = testFolder(project);
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const start = await look.resolve('.');
  if (!start.ok) throw new Error(start.error.message);
  const symbols = createSymbolReader();
  onTestFinished(() => symbols.dispose());
  const search = { name: 'parse', start: start.value, limit: 100, accepts: () => true };
  const searched = await findDefinitions(look, { symbols }, search, signal);
  const { index } = openIndex(sandbox.value.root);
  await build(index);
  await symbols.dispose();
  const broken = {
    read: () => Promise.reject(new Error('nothing is searched')),
    rest: async () => undefined,
    dispose: async () => undefined,
  };
  expect(await findDefinitions(look, { symbols: broken, index }, search, signal)).toEqual(searched);
});

test('what changes, comes and goes is known to the next question', async () => {
  const root = testFolder(project);
  const { index } = openIndex(root);
  await build(index);
  writeFiles(root, {
    'src/store.ts': 'export class Store {\n\n\n  parse() {}\n}\n',
    'new/deep/more.go': 'package m\nfunc parse() {}\n',
  });
  rmSync(path.join(root, 'lib'), { recursive: true });
  expect(await ask(index, 'parse')).toEqual(['new/deep/more.go:2', 'src/parse.ts:1', 'src/store.ts:4']);
  writeFiles(root, { 'new/deep/more.go': 'package m\nfunc other() {}\n' });
  expect(await ask(index, 'parse')).toEqual(['src/parse.ts:1', 'src/store.ts:4']);
  expect(await ask(index, 'other')).toEqual(['new/deep/more.go:2']);
});

test('what is told between two questions is known to the second, in folders old and new', async () => {
  const root = testFolder(project);
  const { index } = openIndex(root);
  await build(index);
  // After an answer, folders are watched where the system can.
  expect(await ask(index, 'parse')).toEqual(places);
  writeFiles(root, { 'new/deep/a.py': 'def parse(): pass\n', 'src/parse.ts': '\nexport function parse() {}\n' });
  expect(await ask(index, 'parse')).toEqual(['lib/tool.py:1', 'new/deep/a.py:1', 'src/parse.ts:2', 'src/store.ts:2']);
  writeFiles(root, { 'new/deep/b.py': 'def parse(): pass\n' });
  renameSync(path.join(root, 'src'), path.join(root, 'source'));
  expect(await ask(index, 'parse')).toEqual([
    ...['lib/tool.py:1', 'new/deep/a.py:1', 'new/deep/b.py:1', 'source/parse.ts:2', 'source/store.ts:2'],
  ]);
  writeFiles(root, { 'source/parse.ts': 'export function parse() {}\n', 'new/.gitignore': 'b.py\n' });
  rmSync(path.join(root, 'lib'), { recursive: true });
  expect(await ask(index, 'parse')).toEqual(['new/deep/a.py:1', 'source/parse.ts:1', 'source/store.ts:2']);
  // More than the system may have kept.
  const many = Array.from({ length: 1_500 }, (_, at) => [`new/file${at % 30}.py`, `def f${at}(): pass\n`] as const);
  for (const [file, text] of many) writeFileSync(path.join(root, file), text);
  expect(await ask(index, 'f1499')).toEqual(['new/file29.py:1']);
});

test('a change of the same size whose time was set back is seen', async () => {
  const root = testFolder({ 'a.py': 'def one(): pass\n' });
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(path.join(root, 'a.py'), before, before);
  const { index } = openIndex(root);
  await build(index);
  expect(await ask(index, 'one')).toEqual(['a.py:1']);
  writeFileSync(path.join(root, 'a.py'), 'def two(): pass\n');
  utimesSync(path.join(root, 'a.py'), before, before);
  expect([await ask(index, 'one'), await ask(index, 'two')]).toEqual([[], ['a.py:1']]);
});

test('rules of what is ignored count from the moment they change', async () => {
  const root = testFolder(project);
  const { index } = openIndex(root);
  await build(index);
  writeFiles(root, { '.viseignore': 'src/store.ts\n', 'lib/.gitignore': '*.py\n' });
  expect(await ask(index, 'parse')).toEqual(['own/out.js:1', 'src/parse.ts:1']);
  rmSync(path.join(root, '.viseignore'));
  expect(await ask(index, 'parse')).toEqual(['own/out.js:1', 'src/parse.ts:1', 'src/store.ts:2']);
});

test('links are not followed, and a folder that is ignored is left to a search', async () => {
  const outside = testFolder({ 'secret.py': 'def parse(): pass\n' });
  const root = testFolder(project);
  symlinkSync(outside, path.join(root, 'linked'));
  symlinkSync(path.join(outside, 'secret.py'), path.join(root, 'linked.py'));
  const { index } = openIndex(root);
  await build(index);
  expect(await ask(index, 'parse')).toEqual(places);
  expect(await ask(index, 'parse', 'dist')).toBeUndefined();
  expect(await ask(index, 'parse', 'linked')).toBeUndefined();
  expect(await ask(index, 'parse')).toEqual(places);
});

test('files that were not parsed are named when they may hold the name', async () => {
  const root = testFolder({
    'bundle.js': `function parse(){${'a();'.repeat(10_000)}}`,
    'other.js': `function x(){${'a();'.repeat(10_000)}}`,
  });
  const { index } = openIndex(root);
  await build(index);
  expect(await index.definitions('parse', '.', signal)).toEqual({ files: [], timedOut: [], generated: ['bundle.js'] });
});

test('of many files each is read, by whichever thread, also when questions come in between', async () => {
  const many = Array.from(
    { length: 700 },
    (_, at) => [`src/f${at}.py`, `def many(): pass\ndef one${at}(): pass\n`] as const,
  );
  // Too large for the second thread.
  const large = `function many() {}\n${'// nothing here\n'.repeat(8_000)}`;
  const root = testFolder(Object.fromEntries([...many, ['src/large.ts', large]]));
  const { index } = openIndex(root);
  for (let question = 0; question < 5; question += 1) {
    index.hold()();
    await new Promise((resolve) => setTimeout(resolve));
  }
  // Files that had been written just before they were read are read once more.
  while ((await ask(index, 'many')) === undefined) await build(index);
  expect((await ask(index, 'many'))?.length).toBe(701);
  expect(await ask(index, 'one699')).toEqual(['src/f699.py:2']);
}, 240_000);

test('another run knows what this one has read, and what changed in between', async () => {
  const root = testFolder(project);
  const first = openIndex(root);
  await build(first.index);
  await first.index.dispose();
  writeFiles(root, { 'src/parse.ts': '\nexport function parse() {}\n' });
  const second = openIndex(root, first.file);
  expect(await ask(second.index, 'parse')).toEqual(['lib/tool.py:1', 'src/parse.ts:2', 'src/store.ts:2']);
});

test('more changes than can be read while somebody waits are left to the next work', async () => {
  const root = testFolder(project);
  const { index } = openIndex(root);
  await build(index);
  const many = Array.from({ length: 60 }, (_, at) => [`many/file${at}.py`, `def many(): pass\n`] as const);
  writeFiles(root, Object.fromEntries(many));
  expect(await ask(index, 'many')).toBeUndefined();
});

const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'is no database': () => Buffer.from('no database'.repeat(1000)),
  'is empty': () => Buffer.alloc(0),
  'was cut': (bytes) => bytes.subarray(0, 9000),
  'has pages of noise': (bytes) => bytes.fill(0x5a, 4096),
  'has a broken head': (bytes) => bytes.fill(0, 0, 64),
};

test.each(Object.entries(damages))('a file that %s is thrown away and made again', async (_, damage) => {
  const root = testFolder(project);
  const first = openIndex(root);
  await build(first.index);
  await first.index.dispose();
  for (const name of readdirSync(path.dirname(first.file)))
    if (name !== 'project.db') rmSync(path.join(path.dirname(first.file), name));
  writeFileSync(first.file, damage(readFileSync(first.file)));
  const { index } = openIndex(root, first.file);
  expect([undefined, places]).toContainEqual(await ask(index, 'parse'));
  await build(index);
  expect(await ask(index, 'parse')).toEqual(places);
});

test('a file of another format is made anew', async () => {
  const root = testFolder(project);
  const first = openIndex(root);
  await build(first.index);
  await first.index.dispose();
  const database = new DatabaseSync(first.file);
  database.exec("PRAGMA user_version = 1; UPDATE files SET symbols = ''");
  database.close();
  const { index } = openIndex(root, first.file);
  await build(index);
  expect(await ask(index, 'parse')).toEqual(places);
});

test('where no file can be kept there is no index, and nobody is told more', async () => {
  const root = testFolder(project);
  const { index } = openIndex(root, '/dev/null/project.db');
  await build(index);
  expect(await ask(index, 'parse')).toBeUndefined();
});

test('when the process is killed while it reads, the next one goes on', async () => {
  const many = Array.from({ length: 400 }, (_, at) => [`src/file${at}.py`, `def many(): pass\n`] as const);
  const root = testFolder(Object.fromEntries(many));
  const file = path.join(testFolder(), 'project.db');
  const script = `
    import { existsSync } from 'node:fs';
    import { createSymbolIndex } from ${JSON.stringify(path.join(import.meta.dirname, 'symbolIndex.ts'))};
    const index = createSymbolIndex({ root: ${JSON.stringify(root)}, file: ${JSON.stringify(file)} }, { quietMs: 0 });
    index.hold()();
    setInterval(() => existsSync(${JSON.stringify(`${file}-wal`)}) && process.kill(process.pid, 'SIGKILL'), 1);
  `;
  const child = spawn(process.execPath, [path.join(testFolder({ 'ask.ts': script }), 'ask.ts')], { stdio: 'ignore' });
  const [, signalName] = (await once(child, 'close')) as [number | null, string | null];
  expect(signalName).toBe('SIGKILL');
  const { index } = openIndex(root, file);
  // The claim of the one that was killed ends by itself; until then another waits.
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('CREATE TABLE IF NOT EXISTS builder (one INTEGER); DELETE FROM builder');
  database.close();
  while ((await ask(index, 'many')) === undefined) await build(index);
  expect((await ask(index, 'many'))?.length).toBe(400);
}, 240_000);

test('several processes share one file', async () => {
  const many = Array.from({ length: 30 }, (_, at) => [`src/file${at}.py`, `def shared(): pass\n`] as const);
  const root = testFolder(Object.fromEntries(many));
  const file = path.join(testFolder(), 'project.db');
  const script = `
    import { createSymbolIndex } from ${JSON.stringify(path.join(import.meta.dirname, 'symbolIndex.ts'))};
    const index = createSymbolIndex({ root: ${JSON.stringify(root)}, file: ${JSON.stringify(file)} }, { quietMs: 0 });
    const { signal } = new AbortController();
    // The index keeps no program alive.
    const alive = setInterval(() => undefined, 1000);
    let answer;
    while (!answer) {
      index.hold()();
      await index.idle();
      answer = await index.definitions('shared', '.', signal);
    }
    await index.dispose();
    clearInterval(alive);
    console.log(answer.files.length);
  `;
  const program = path.join(testFolder({ 'ask.ts': script }), 'ask.ts');
  const counts = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, [program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      await once(child, 'close');
      return printed.trim();
    }),
  );
  expect(counts).toEqual(['30', '30', '30']);
}, 240_000);
