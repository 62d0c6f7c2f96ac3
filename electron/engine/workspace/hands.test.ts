import { chmodSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ProposedChange } from './proposedChange.ts';
import { faultyDisk, systemError } from './testing/faultyDisk.ts';
import { treeOf } from './testing/testFolder.ts';
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
