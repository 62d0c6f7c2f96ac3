import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { thisProcess, writeRecord } from './applyRecord.ts';
import { testFolder, treeOf, writeFiles } from './testing/testFolder.ts';
import { handsOver } from './testing/testHands.ts';
import { hashOf } from './textFile.ts';

const before = { a: 'old a', 'd/b': 'old b', gone: 'here', other: 'untouched' };
const after = { a: 'new a', 'd/b': 'new b', 'x/y/c': 'new c', other: 'untouched' };

function applyAndDie(root: string, state: string, at: number): Promise<'finished' | 'killed'> {
  return new Promise((resolve, reject) => {
    const script = path.join(import.meta.dirname, 'testing/crashingApply.ts');
    const child = spawn(process.execPath, [script, root, state, String(at)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString();
    });
    child.once('error', reject);
    child.once('close', (_, signal) =>
      signal === 'SIGKILL' ? resolve('killed') : said === 'true' ? resolve('finished') : reject(new Error(said)),
    );
  });
}

test('a process killed at any step leaves all files old or all files new after recovery, and no temporary file', {
  timeout: 600_000,
}, async () => {
  const outcomes: string[] = [];
  for (let at = 1; ; at += 1) {
    const [root, state] = [testFolder(before), testFolder()];
    chmodSync(path.join(root, 'a'), 0o700);
    const ended = await applyAndDie(root, state, at);
    const { hands } = await handsOver(root, state);
    const recovered = await hands.recoverApplies();
    const tree = treeOf(root);
    const isNew = JSON.stringify(tree) === JSON.stringify(treeOf(testTree(after)));
    if (!isNew) expect(tree).toEqual(before);
    expect(statSync(path.join(root, 'a')).mode & 0o777).toBe(0o700);
    expect(recovered.map(({ outcome, conflicts }) => [outcome, conflicts])).toEqual(
      ended === 'finished' ? [] : [[isNew ? 'finished' : 'rolled-back', []]],
    );
    expect(readdirSync(path.join(state, 'contents/applies'))).toEqual([]);
    expect(await hands.recoverApplies()).toEqual([]);
    outcomes.push(isNew ? 'new' : 'old');
    if (ended === 'finished') break;
  }
  expect(outcomes.length).toBeGreaterThan(15);
  expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
  // Once the set stands, it never falls back.
  expect(outcomes.lastIndexOf('old')).toBeLessThan(outcomes.indexOf('new'));
});

function testTree(files: Readonly<Record<string, string>>): string {
  const folder = testFolder();
  writeFiles(folder, files);
  return folder;
}

const dead = { pid: 2 ** 22 + 12_345, startedAt: '' };

test('a file that was changed after the crash is left to the person', async () => {
  const root = testFolder({ a: 'typed since', b: 'new', '.vise-1.old': 'old', '.vise-1.new': 'half' });
  const state = testFolder();
  const { hands, contents } = await handsOver(root, state);
  const old = await contents.put(Buffer.from('old'));
  if (!old.ok) throw new Error('stored');
  const file = (name: string, temporary: string, backup: string) => ({
    path: name,
    real: path.join(root, name),
    before: old.value,
    after: hashOf(Buffer.from('new')),
    temporary,
    backup,
    mode: 0o640,
  });
  await writeRecord(path.join(contents.folder, 'applies'), {
    version: 1,
    id: 'r',
    owner: dead,
    stage: 'writing',
    folders: [],
    files: [file('a', '.vise-1.new', '.vise-1.old'), file('b', '.vise-2.new', '.vise-2.old')],
  });
  expect(await hands.recoverApplies()).toMatchObject([{ id: 'r', outcome: 'rolled-back', conflicts: ['a'] }]);
  // The second backup was lost as well: the stored content takes its place.
  expect(treeOf(root)).toEqual({ a: 'typed since', b: 'old' });
});

test('P9 recovery never follows a folder that became a link', async () => {
  const away = testFolder({ b: 'new', '.vise-1.old': 'theirs' });
  const root = testFolder();
  symlinkSync(away, path.join(root, 'd'));
  const state = testFolder();
  const { hands, contents } = await handsOver(root, state);
  await writeRecord(path.join(contents.folder, 'applies'), {
    version: 1,
    id: 'r',
    owner: dead,
    stage: 'writing',
    folders: [path.join(root, 'd')],
    files: [
      {
        path: 'd/b',
        real: path.join(root, 'd/b'),
        before: hashOf(Buffer.from('old')),
        after: hashOf(Buffer.from('new')),
        temporary: '.vise-1.new',
        backup: '.vise-1.old',
        mode: 0o644,
      },
    ],
  });
  expect(await hands.recoverApplies()).toMatchObject([{ outcome: 'rolled-back', conflicts: ['d/b'] }]);
  expect(treeOf(away)).toEqual({ b: 'new', '.vise-1.old': 'theirs' });
});

test('a write in another project waits for its project', async () => {
  const root = testFolder({ a: 'x' });
  const away = testFolder({ a: 'new', '.vise-1.old': 'old' });
  const state = testFolder();
  const { hands, contents } = await handsOver(root, state);
  await writeRecord(path.join(contents.folder, 'applies'), {
    version: 1,
    id: 'r',
    owner: dead,
    stage: 'writing',
    folders: [],
    files: [
      {
        path: 'a',
        real: path.join(away, 'a'),
        before: hashOf(Buffer.from('old')),
        after: hashOf(Buffer.from('new')),
        temporary: '.vise-1.new',
        backup: '.vise-1.old',
        mode: 0o644,
      },
    ],
  });
  expect(await hands.recoverApplies()).toEqual([]);
  expect(treeOf(away)).toEqual({ a: 'new', '.vise-1.old': 'old' });
  expect(await (await handsOver(away, state)).hands.recoverApplies()).toMatchObject([{ outcome: 'finished' }]);
  expect(treeOf(away)).toEqual({ a: 'new' });
});

test('what a running process is at, and what is no record, is left alone', async () => {
  const root = testFolder({ a: 'x' });
  const state = testFolder();
  const { hands, contents, propose } = await handsOver(root, state);
  const records = path.join(contents.folder, 'applies');
  mkdirSync(records, { recursive: true });
  writeFileSync(path.join(records, 'junk.json'), '{"version":2}');
  writeFileSync(path.join(records, 'torn.json'), '{"ver');
  await writeRecord(records, { version: 1, id: 'mine', owner: thisProcess(), stage: 'done', folders: [], files: [] });
  const running = hands.applyChanges([await propose('a', 'y')]);
  const met = await hands.recoverApplies();
  expect([met, (await running).ok, treeOf(root), existsSync(path.join(records, 'junk.json'))]).toEqual([
    [],
    true,
    { a: 'y' },
    true,
  ]);
  expect(existsSync(path.join(records, 'mine.json'))).toBe(true);
  rmSync(records, { recursive: true });
  expect(await hands.recoverApplies()).toEqual([]);
});
