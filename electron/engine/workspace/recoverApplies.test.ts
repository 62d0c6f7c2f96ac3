import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { thisProcess } from '../base/processMark.ts';
import { recordDone, writeRecord } from './applyRecord.ts';
import { recoveryWords } from './recoverApplies.ts';
import { deadOwner, halfWritten, wholeAfter, wholeBefore } from './testing/halfWritten.ts';
import { testFolder, treeOf, writeFiles } from './testing/testFolder.ts';
import { handsOver } from './testing/testHands.ts';
import { hashOf } from './textFile.ts';

function applyAndDie(root: string, state: string, at: number): Promise<'finished' | 'killed'> {
  return new Promise((resolve, reject) => {
    const script = path.join(import.meta.dirname, 'testing/crashingApply.ts');
    const env = { ...process.env, NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache') };
    const child = spawn(process.execPath, [script, root, state, String(at)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
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
    const [root, state] = [testFolder(wholeBefore), testFolder()];
    chmodSync(path.join(root, 'a'), 0o700);
    const ended = await applyAndDie(root, state, at);
    const { recover, records } = await handsOver(root, state);
    const recovered = await recover();
    const tree = treeOf(root);
    const isNew = JSON.stringify(tree) === JSON.stringify(treeOf(testTree(wholeAfter)));
    if (!isNew) expect(tree).toEqual(wholeBefore);
    expect(statSync(path.join(root, 'a')).mode & 0o777).toBe(0o700);
    expect(recovered.map(({ outcome, files }) => [outcome, files.filter(({ now }) => now === 'left')])).toEqual(
      ended === 'finished' ? [] : [[isNew ? 'finished' : 'rolled-back', []]],
    );
    expect(readdirSync(records)).toEqual([]);
    expect(await recover()).toEqual([]);
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

test('files that a person finished by hand after the crash stay theirs, and are named', async () => {
  const { root, state } = await halfWritten();
  writeFiles(root, { 'd/b': 'new b', 'x/y/c': 'new c' });
  rmSync(path.join(root, 'gone'));
  // Saved anew by an editor, with the very content that the write had brought.
  rmSync(path.join(root, 'a'));
  writeFiles(root, { a: 'new a' });
  const { recover } = await handsOver(root, state);
  const [one] = await recover();
  expect(treeOf(root)).toEqual(wholeAfter);
  expect(one && recoveryWords(one)).toBe(
    'Vise ended while it wrote 4 files. Changed by somebody else since, and left as they are: a, d/b, gone, x/y/c.',
  );
});

test('a set that lost its backups is left as it stands', async () => {
  const { root, state } = await halfWritten();
  for (const name of readdirSync(root)) if (name.endsWith('.old')) rmSync(path.join(root, name));
  const { recover } = await handsOver(root, state);
  expect(await recover()).toMatchObject([{ outcome: 'rolled-back', files: [{ path: 'a', now: 'left' }, {}, {}, {}] }]);
  expect(treeOf(root)).toEqual({ ...wholeBefore, a: 'new a' });
});

test('what was taken back is told by name', async () => {
  const { root, state } = await halfWritten();
  const [one] = await (await handsOver(root, state)).recover();
  expect(one && recoveryWords(one)).toMatch(
    /^Vise ended while it wrote 4 files\. Taken back, because not all were in place: a(, d\/b)?\.$/,
  );
});

const file = (real: string, name: string) => ({
  path: name,
  real,
  before: hashOf(Buffer.from('old')),
  after: hashOf(Buffer.from('new')),
  temporary: '.vise-1.new',
  backup: '.vise-1.old',
});

test('P9 recovery never follows a folder that became a link', async () => {
  const away = testFolder({ b: 'new', '.vise-1.old': 'theirs' });
  const root = testFolder();
  symlinkSync(away, path.join(root, 'd'));
  const { recover, records } = await handsOver(root, testFolder());
  await writeRecord(records, {
    version: 2,
    id: 'r',
    session: 's',
    owner: deadOwner,
    folders: [path.join(root, 'd')],
    files: [file(path.join(root, 'd/b'), 'd/b')],
  });
  expect(await recover()).toMatchObject([{ outcome: 'rolled-back', files: [{ path: 'd/b', now: 'left' }] }]);
  expect(treeOf(away)).toEqual({ b: 'new', '.vise-1.old': 'theirs' });
});

test('a write in another project waits for its project', async () => {
  const root = testFolder({ a: 'x' });
  const away = testFolder({ a: 'new', '.vise-1.old': 'old' });
  const state = testFolder();
  const { recover, records } = await handsOver(root, state);
  const plan = { version: 2, id: 'r', session: 's', owner: deadOwner, folders: [] } as const;
  await writeRecord(records, { ...plan, files: [file(path.join(away, 'a'), 'a')] });
  await recordDone(records, 'r');
  expect(await recover()).toEqual([]);
  expect(treeOf(away)).toEqual({ a: 'new', '.vise-1.old': 'old' });
  expect(await (await handsOver(away, state)).recover()).toMatchObject([{ outcome: 'finished' }]);
  expect(treeOf(away)).toEqual({ a: 'new' });
});

test('two that open the project at the same time recover a write once', async () => {
  const { root, state } = await halfWritten();
  const [one, other] = await Promise.all([handsOver(root, state), handsOver(root, state)]);
  const both = await Promise.all([one.recover(), other.recover()]);
  expect(both.flat()).toHaveLength(1);
  expect(treeOf(root)).toEqual(wholeBefore);
});

test('what a running process is at, and what is no record, is left alone', async () => {
  const root = testFolder({ a: 'x' });
  const { hands, records, propose, recover } = await handsOver(root, testFolder());
  mkdirSync(records, { recursive: true });
  writeFileSync(path.join(records, 'junk.json'), '{"version":3}');
  writeFileSync(path.join(records, 'torn.json'), '{"ver');
  await writeRecord(records, { version: 2, id: 'mine', session: 's', owner: thisProcess(), folders: [], files: [] });
  const running = hands.applyChanges([await propose('a', 'y')]);
  const met = await recover();
  expect([met, (await running).ok, treeOf(root), existsSync(path.join(records, 'junk.json'))]).toEqual([
    [],
    true,
    { a: 'y' },
    true,
  ]);
  expect(existsSync(path.join(records, 'mine.json'))).toBe(true);
  rmSync(records, { recursive: true });
  expect(await recover()).toEqual([]);
});

test('a record that was cut off before it was one goes at the next opening, unless its process is still at it', async () => {
  const { recover, records } = await handsOver(testFolder(), testFolder());
  mkdirSync(records, { recursive: true });
  const living = `.b.json.${process.pid}-0123456789abcdef.tmp`;
  for (const name of ['.a.json.4194301-0123456789abcdef.tmp', living]) writeFileSync(path.join(records, name), '{"ver');
  expect(await recover()).toEqual([]);
  expect(readdirSync(records)).toEqual([living]);
});
