import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createContents } from './contents.ts';
import type { Disk } from './disk.ts';
import { realDisk } from './disk.ts';
import { createFileHands } from './hands.ts';
import type { ProposedChange } from './proposedChange.ts';
import { createSandbox } from './sandbox.ts';
import { faultyDisk, systemError } from './testing/faultyDisk.ts';
import { testFolder, treeOf } from './testing/testFolder.ts';
import { testHands } from './testing/testHands.ts';

/** Every step is made durable: on a busy disk hundreds of them take their time. */
const slow = { timeout: 600_000 };
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code);
const why = (result: { ok: boolean; error?: { code: string; details?: unknown } }) =>
  result.ok ? 'ok' : [result.error?.code, result.error?.details];
const aMode: unknown = expect.any(Number);
const anId: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

test('a set of changes is written as a whole, and nothing else is left in the project', async () => {
  const { root, hands, propose, state } = await testHands({
    'a.txt': 'old\n',
    'gone.txt': 'bye\n',
    'same.txt': 'same',
  });
  const applied = await hands.applyChanges([
    await propose('a.txt', 'new\n'),
    await propose('x/y/new.txt', 'hello\n'),
    await propose('gone.txt', null),
  ]);
  expect(applied).toEqual({
    ok: true,
    value: [
      {
        path: 'a.txt',
        status: 'modified',
        before: anId,
        after: anId,
        additions: 1,
        deletions: 1,
        verdict: 'applied',
        beforeMode: aMode,
        afterMode: aMode,
      },
      {
        path: 'x/y/new.txt',
        status: 'added',
        before: null,
        after: anId,
        additions: 1,
        deletions: 0,
        verdict: 'applied',
        afterMode: aMode,
        madeFolders: ['x', 'x/y'],
      },
      {
        path: 'gone.txt',
        status: 'deleted',
        before: anId,
        after: null,
        additions: 0,
        deletions: 1,
        verdict: 'applied',
        beforeMode: aMode,
      },
    ],
  });
  expect(treeOf(root)).toEqual({ 'a.txt': 'new\n', 'x/y/new.txt': 'hello\n', 'same.txt': 'same' });
  expect(readdirSync(path.join(state, 'applies'))).toEqual([]);
});

test('a description has the hunks, the stored contents and why the path is always asked', async () => {
  const { hands, propose, contents } = await testHands({ '.git/config': 'a\nb\n' });
  const described = await hands.describeChange(await propose('.git/config', 'a\nc\n'));
  if (!described.ok) throw new Error(described.error.message);
  expect(described.value.change).toEqual({
    path: '.git/config',
    status: 'modified',
    before: anId,
    after: anId,
    additions: 1,
    deletions: 1,
    hunks: [{ index: 0, oldStart: 2, oldLines: 1, newStart: 2, newLines: 1 }],
    protectedBy: 'Git runs hooks and commands from here',
  });
  const stored = await Promise.all(
    [described.value.change.before, described.value.change.after].map(async (id) => contents.get(id ?? '')),
  );
  expect(stored.map((one) => one.ok && Buffer.from(one.value).toString())).toEqual(['a\nb\n', 'a\nc\n']);
});

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

test('N4 a file that changed since it was shown is stale, and no other file of the set is written', async () => {
  const { root, hands, propose } = await testHands({ a: '1', b: '1', c: '1' });
  const changes = [await propose('a', '2'), await propose('b', '2'), await propose('c', '2'), await propose('n', '2')];
  writeFileSync(path.join(root, 'b'), 'typed by hand');
  rmSync(path.join(root, 'c'));
  writeFileSync(path.join(root, 'n'), 'was faster');
  expect(why(await hands.applyChanges(changes))).toEqual([
    'STALE',
    {
      files: [
        { path: 'b', why: 'its content changed' },
        { path: 'c', why: 'it no longer exists' },
        { path: 'n', why: 'it exists by now' },
      ],
    },
  ]);
  expect(treeOf(root)).toEqual({ a: '1', b: 'typed by hand', n: 'was faster' });
});

test('N4 an editor that saves between the check and the write is not overwritten', slow, async () => {
  for (const at of [1, 2, 3, 4]) {
    let root = '';
    const { disk } = faultyDisk(at, () => {
      unlinkSync(path.join(root, 'b'));
      writeFileSync(path.join(root, 'b'), 'typed by hand');
    });
    const made = await testHands({ a: '1', b: '1' }, disk);
    root = made.root;
    const changes = [await made.propose('a', '2'), await made.propose('b', '2')];
    expect(codeOf(await made.hands.applyChanges(changes))).toBe('STALE');
    expect(treeOf(root)).toEqual({ a: '1', b: 'typed by hand' });
  }
});

test('N4 a rollback leaves what somebody wrote in the meantime', async () => {
  let root = '';
  const { disk } = faultyDisk(6, () => {
    unlinkSync(path.join(root, 'a'));
    writeFileSync(path.join(root, 'a'), 'typed by hand');
    throw systemError('ENOSPC');
  });
  const made = await testHands({ a: '1', b: '1' }, disk);
  root = made.root;
  expect(codeOf(await made.hands.applyChanges([await made.propose('a', '2'), await made.propose('b', '2')]))).toBe(
    'DISK_FULL',
  );
  expect(treeOf(root)).toEqual({ a: 'typed by hand', b: '1' });
});

test('N4 a file that somebody creates at the last moment is not overwritten', async () => {
  let root = '';
  const { disk } = faultyDisk(2, (step) => {
    expect(step).toBe('link');
    writeFileSync(path.join(root, 'n'), 'was faster');
  });
  const made = await testHands({}, disk);
  root = made.root;
  expect(codeOf(await made.hands.applyChanges([await made.propose('n', 'mine')]))).toBe('STALE');
  expect(treeOf(root)).toEqual({ n: 'was faster' });
});

test('N4 sets applied at the same time go one after the other', async () => {
  const { root, hands, propose } = await testHands({ a: '0' });
  const changes = await Promise.all(Array.from({ length: 8 }, (_, index) => propose('a', `${index + 1}`)));
  const results = await Promise.all(changes.map((change) => hands.applyChanges([change])));
  const winner = results.findIndex((result) => result.ok);
  expect(results.map(codeOf)).toEqual(results.map((_, index) => (index === winner ? 'ok' : 'STALE')));
  expect(treeOf(root)).toEqual({ a: `${winner + 1}` });
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

test('renames move content and rights, also when two files swap names', async () => {
  const { root, hands, look, propose } = await testHands({ a: 'A', b: 'B', 'tool.sh': '#!' });
  chmodSync(path.join(root, 'tool.sh'), 0o755);
  const rename = async (from: string, to: string): Promise<ProposedChange> => {
    const before = await look.readText(from);
    if (!before.ok) throw new Error(before.error.message);
    return {
      path: to,
      oldPath: from,
      status: 'renamed',
      before: before.value,
      after: { text: before.value.text, like: before.value },
    };
  };
  const applied = await hands.applyChanges([
    await rename('a', 'b'),
    await rename('b', 'a'),
    await rename('tool.sh', 'bin/tool'),
  ]);
  expect(applied).toMatchObject({ ok: true });
  expect(treeOf(root)).toEqual({ a: 'B', b: 'A', 'bin/tool': '#!' });
  expect(statSync(path.join(root, 'bin/tool')).mode & 0o777).toBe(0o755);
  if (applied.ok) expect((await hands.undoChangeSet(applied.value)).ok).toBe(true);
  expect(treeOf(root)).toEqual({ a: 'A', b: 'B', 'tool.sh': '#!' });
  expect(statSync(path.join(root, 'tool.sh')).mode & 0o777).toBe(0o755);
  expect(codeOf(await hands.applyChanges([await rename('a', 'b')]))).toBe('STALE');
  expect(codeOf(await hands.applyChanges([{ ...(await propose('a', 'A')), executable: true }]))).toBe('ok');
  expect(statSync(path.join(root, 'a')).mode & 0o111).toBe(0o111);
});

test('a new file gets the usual rights, an executable one the matching bits', async () => {
  const { root, hands, propose } = await testHands({});
  const usual = 0o666 & ~process.umask();
  expect(
    codeOf(
      await hands.applyChanges([await propose('plain', 'x'), { ...(await propose('run', 'x')), executable: true }]),
    ),
  ).toBe('ok');
  expect([statSync(path.join(root, 'plain')).mode & 0o777, statSync(path.join(root, 'run')).mode & 0o777]).toEqual([
    usual,
    usual | ((usual & 0o444) >> 2),
  ]);
});

test('N2 a failure at any step leaves every file, mode and folder as it was', slow, async () => {
  const files = { a: '1', 'd/b': '1', gone: '1' };
  for (const code of ['ENOSPC', 'EACCES', 'EMFILE', 'EROFS', 'EIO']) {
    // Every step for the failure that users meet most; a few for the others, which take the same way.
    for (let at = 1; ; at += code === 'ENOSPC' ? 1 : 5) {
      let failed = false;
      const { disk } = faultyDisk(at, () => {
        failed = true;
        throw systemError(code);
      });
      const { root, state, hands, propose } = await testHands(files, disk);
      const result = await hands.applyChanges([
        await propose('a', '2'),
        await propose('d/b', '2'),
        await propose('gone', null),
        await propose('new/deep/c', '2'),
      ]);
      if (!failed) {
        expect(at).toBeGreaterThan(10);
        break;
      }
      // Tidying up comes after the set stands: a failure there is not the set's.
      if (result.ok) expect(treeOf(root)).toMatchObject({ a: '2', 'd/b': '2', 'new/deep/c': '2' });
      else {
        expect(treeOf(root)).toEqual(files);
        expect(codeOf(result)).toBe(code === 'ENOSPC' ? 'DISK_FULL' : 'FILE_WRITE_ERROR');
        expect(readdirSync(path.join(state, 'applies'))).toEqual([]);
      }
    }
  }
});

test('an encoding that lacks a character is told before anything is written', async () => {
  const { root, hands, propose } = await testHands({ 'latin.txt': Buffer.from('caf\xe9\n', 'latin1') });
  expect(codeOf(await hands.applyChanges([await propose('latin.txt', 'café →\n')]))).toBe('VALIDATION_ERROR');
  expect(codeOf(await hands.applyChanges([await propose('latin.txt', 'thé\n')]))).toBe('ok');
  expect(readFileSync(path.join(root, 'latin.txt')).toString('latin1')).toBe('thé\n');
});
