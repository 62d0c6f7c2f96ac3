import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createContents } from './contents.ts';
import type { Disk } from './disk.ts';
import { realDisk } from './disk.ts';
import { createFileHands } from './hands.ts';
import type { ProposedChange } from './proposedChange.ts';
import { createSandbox } from './sandbox.ts';
import { faultyDisk } from './testing/faultyDisk.ts';
import { testFolder, treeOf } from './testing/testFolder.ts';
import { testHands } from './testing/testHands.ts';

/** Every step is made durable: on a busy disk hundreds of them take their time. */
const slow = { timeout: 600_000 };
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code);

test('P12 a link to a protected place is as protected as the place', async () => {
  const { root, hands, look } = await testHands({ '.git/config': 'x\n' });
  symlinkSync('.git/config', path.join(root, 'innocent.txt'));
  const before = await look.readText('innocent.txt');
  if (!before.ok) throw new Error(before.error.message);
  const described = await hands.describeChange({
    path: 'innocent.txt',
    status: 'modified',
    before: before.value,
    after: { text: 'y\n', like: before.value },
  });
  expect(described).toMatchObject({
    ok: true,
    value: { change: { protectedBy: 'Git runs hooks and commands from here' } },
  });
});

test('P1 P2 P3 nothing is written through links that leave the project', async () => {
  const away = testFolder({ 'file.txt': 'theirs' });
  const { root, hands } = await testHands({});
  symlinkSync(path.join(away, 'file.txt'), path.join(root, 'file'));
  symlinkSync(path.join(away, 'new.txt'), path.join(root, 'dangling'));
  symlinkSync(away, path.join(root, 'folder'));
  symlinkSync('later.txt', path.join(root, 'inside'));
  const add = (name: string): ProposedChange => ({
    path: name,
    status: 'added',
    before: null,
    after: { bytes: Buffer.from('x') },
  });
  const codes = [];
  for (const name of ['file', 'dangling', 'folder/x', 'folder/deep/x', '../x', '/tmp/x', 'inside'])
    codes.push(codeOf(await hands.applyChanges([add(name)])));
  expect(codes).toEqual([...Array<string>(6).fill('PATH_TRAVERSAL_DETECTED'), 'NOT_A_FILE']);
  expect(treeOf(away)).toEqual({ 'file.txt': 'theirs' });
});

test('a link inside the project is written through, and stays a link', async () => {
  const { root, hands, propose } = await testHands({ 'real.txt': 'old' });
  symlinkSync('real.txt', path.join(root, 'link'));
  const applied = await hands.applyChanges([await propose('link', 'new')]);
  expect(applied).toMatchObject({ ok: true, value: [{ path: 'real.txt' }] });
  expect(treeOf(root)).toEqual({ 'real.txt': 'new', link: '→ real.txt' });
  expect(codeOf(await hands.applyChanges([await propose('link', null)]))).toBe('NOT_A_FILE');
});

test('P5 a state folder that became a link is not written through', async () => {
  const away = testFolder({});
  const { root, hands } = await testHands({});
  symlinkSync(away, path.join(root, '.vise'));
  expect(
    codeOf(
      await hands.applyChanges([
        { path: '.vise/rules.json', status: 'added', before: null, after: { bytes: Buffer.from('x') } },
      ]),
    ),
  ).toBe('PATH_TRAVERSAL_DETECTED');
  const other = await testHands({ a: '1' });
  symlinkSync(away, path.join(other.state, 'contents'));
  expect(codeOf(await other.hands.applyChanges([await other.propose('a', '2')]))).toBe('FILE_WRITE_ERROR');
  expect(treeOf(away)).toEqual({});
  expect(treeOf(other.root)).toEqual({ a: '1' });
});

test('P6 a hard-linked file is replaced, its other name keeps the old content', async () => {
  const away = testFolder({ precious: 'precious' });
  const { root, hands, look } = await testHands({});
  linkSync(path.join(away, 'precious'), path.join(root, 'a'));
  const before = await look.readText('a');
  if (!before.ok) throw new Error(before.error.message);
  const applied = await hands.applyChanges([
    { path: 'a', status: 'modified', before: before.value, after: { text: 'mine', like: before.value } },
  ]);
  expect(applied.ok).toBe(true);
  expect([treeOf(root), treeOf(away)]).toEqual([{ a: 'mine' }, { precious: 'precious' }]);
  if (applied.ok) expect((await hands.undoChangeSet(applied.value)).ok).toBe(true);
  expect([treeOf(root), treeOf(away)]).toEqual([{ a: 'precious' }, { precious: 'precious' }]);
});

test('P8 names that differ only in case are one file where the system folds case', async () => {
  const root = testFolder({});
  const sandbox = await createSandbox({ roots: [root], platform: 'darwin' });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const hands = createFileHands({
    sandbox: sandbox.value,
    contents: createContents({ folder: testFolder() }),
    records: testFolder(),
    session: 's',
  });
  const add = (name: string): ProposedChange => ({
    path: name,
    status: 'added',
    before: null,
    after: { bytes: Buffer.from('x') },
  });
  for (const [one, other] of [
    ['a', 'A'],
    ['caf\u00e9', 'cafe\u0301'],
  ] as const)
    expect(codeOf(await hands.applyChanges([add(one), add(other)]))).toBe('VALIDATION_ERROR');
  expect(treeOf(root)).toEqual({});
});

test('P8 two names that one system takes for one file are refused as one set', async () => {
  const { root, hands } = await testHands({});
  const add = (name: string): ProposedChange => ({
    path: name,
    status: 'added',
    before: null,
    after: { bytes: Buffer.from('x') },
  });
  expect(codeOf(await hands.applyChanges([add('a'), add('./a')]))).toBe('VALIDATION_ERROR');
  expect(treeOf(root)).toEqual({});
});

test('P9 what was shown is what runs: a folder replaced by a link while the card waited is stale', async () => {
  const away = testFolder({ 'a.txt': 'old' });
  const { root, hands, propose } = await testHands({ 'sub/a.txt': 'old', 'other/a.txt': 'old' });
  const described = await hands.describeChange(await propose('sub/a.txt', 'new'));
  const added = await hands.describeChange(await propose('sub/n.txt', 'new'));
  if (!described.ok || !added.ok) throw new Error('described');
  for (const target of [away, 'other']) {
    rmSync(path.join(root, 'sub'), { recursive: true });
    symlinkSync(target, path.join(root, 'sub'));
    expect(codeOf(await hands.applyChanges([described.value.proposed]))).toBe('STALE');
    expect(codeOf(await hands.applyChanges([added.value.proposed]))).toBe('STALE');
  }
  expect([treeOf(away), treeOf(path.join(root, 'other'))]).toEqual([{ 'a.txt': 'old' }, { 'a.txt': 'old' }]);
});

test('P9 a folder replaced by a link between any two steps of the write never leads a byte outside', slow, async () => {
  for (let at = 1; at <= 8; at += 1) {
    const away = testFolder({ 'a.txt': 'theirs' });
    let root = '';
    const { disk } = faultyDisk(at, () => {
      renameSync(path.join(root, 'sub'), path.join(root, 'moved'));
      symlinkSync(away, path.join(root, 'sub'));
    });
    const made = await testHands({ 'sub/a.txt': 'old' }, disk);
    root = made.root;
    await made.hands.applyChanges([
      await made.propose('sub/a.txt', 'new'),
      await made.propose('sub/deep/b.txt', 'new'),
    ]);
    // Until the first rename nothing of the set is seen anywhere, not even where the folder went.
    if (at <= 4) expect(treeOf(path.join(root, 'moved'))['a.txt']).toBe('old');
    expect(treeOf(away)).toEqual({ 'a.txt': 'theirs' });
  }
});

test('P10 temporary files are private, unpredictable, beside their file; rights and owner are kept', async () => {
  const seen: { name: string; mode: number; folder: string }[] = [];
  let root = '';
  const disk: Disk = {
    ...realDisk,
    link: async (existing, name) => {
      for (const entry of readdirSync(root))
        if (entry.startsWith('.vise-'))
          seen.push({ name: entry, mode: lstatSync(path.join(root, entry)).mode & 0o777, folder: root });
      await realDisk.link(existing, name);
    },
  };
  const made = await testHands({ 'tool.sh': '#!/bin/sh\n', new: 'x' }, disk);
  root = made.root;
  chmodSync(path.join(root, 'tool.sh'), 0o750);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(path.join(root, 'tool.sh'), 12345, 23456);
  for (const text of ['one\n', 'two\n'])
    expect(codeOf(await made.hands.applyChanges([await made.propose('tool.sh', text)]))).toBe('ok');
  const stats = statSync(path.join(root, 'tool.sh'));
  expect({ mode: stats.mode & 0o777, ...(isRoot ? { uid: stats.uid, gid: stats.gid } : {}) }).toEqual({
    mode: 0o750,
    ...(isRoot ? { uid: 12345, gid: 23456 } : {}),
  });
  const names = seen.filter(({ name }) => name.endsWith('.new')).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  expect(names.every((name) => /^\.vise-[0-9a-f]{32}-0\.new$/.test(name))).toBe(true);
});

test('P10 a file is private while it is being written, whatever rights it will have', async () => {
  const root = testFolder({});
  const place = path.join(root, 'f');
  const creating = realDisk.createFile(place, Buffer.alloc(32 * 1024 * 1024), { mode: 0o666 });
  while (!existsSync(place)) await new Promise((resolve) => setImmediate(resolve));
  const during = statSync(place).mode & 0o777;
  await creating;
  expect([during, statSync(place).mode & 0o777]).toEqual([0o600, 0o666]);
});

test('P10 a temporary file never goes through something that already has its name', async () => {
  const root = testFolder({ victim: 'v' });
  symlinkSync('victim', path.join(root, 'taken'));
  await expect(realDisk.createFile(path.join(root, 'taken'), Buffer.from('x'), { mode: 0o600 })).rejects.toMatchObject({
    code: 'EEXIST',
  });
  expect(treeOf(root)).toEqual({ victim: 'v', taken: '→ victim' });
});

test('P11 folders and special files are never written or removed', async () => {
  const { root, hands } = await testHands({});
  mkdirSync(path.join(root, 'dir'));
  const change = (status: 'added' | 'deleted'): ProposedChange => ({
    path: 'dir',
    status,
    before: null,
    after: status === 'deleted' ? null : { bytes: Buffer.from('x') },
  });
  expect([
    codeOf(await hands.applyChanges([change('added')])),
    codeOf(await hands.applyChanges([change('deleted')])),
    codeOf(await hands.describeChange(change('added'))),
  ]).toEqual(['NOT_A_FILE', 'NOT_A_FILE', 'NOT_A_FILE']);
});
