import { chmodSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, treeOf } from '../testing/testFolder.ts';
import { handsOver } from '../testing/testHands.ts';
import { assessRisk } from './assessRisk.ts';
import { parsePatch } from './parsePatch.ts';
import { type PatchedFile, patchReader, planPatch } from './planPatch.ts';

async function applyTo(
  files: Readonly<Record<string, string | Uint8Array>>,
  patch: string,
  prepare?: (root: string) => void,
) {
  const root = testFolder(files);
  prepare?.(root);
  const { look, hands } = await handsOver(root, testFolder());
  const parsed = parsePatch(patch);
  const planned = parsed.ok ? await planPatch(parsed.value, patchReader(look)) : parsed;
  if (planned.ok) {
    const applied = await hands.applyChanges(planned.value.changes);
    if (!applied.ok) throw new Error(applied.error.message);
  }
  const report: readonly PatchedFile[] = planned.ok ? planned.value.files : [];
  return {
    root,
    tree: treeOf(root),
    report,
    code: planned.ok ? 'ok' : planned.error.code,
    details: planned.ok ? undefined : planned.error.details,
  };
}

const edit = (name: string, from: string, to: string) =>
  `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const noNewline = '\\ No newline at end of file\n';

test('talk around the patch, a code fence and CRLF do not matter', async () => {
  const fenced = `Here you are:\n\n\`\`\`diff\n${edit('a', 'x', 'y')}\`\`\`\nDone.\n`;
  expect((await applyTo({ a: 'x\n' }, fenced)).tree).toEqual({ a: 'y\n' });
  expect((await applyTo({ a: 'x\n' }, edit('a', 'x', 'y').replaceAll('\n', '\r\n'))).tree).toEqual({ a: 'y\n' });
  expect((await applyTo({ a: 'x\r\n' }, edit('a', 'x', 'y'))).tree).toEqual({ a: 'y\r\n' });
  const minus = '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\r\n+z\n y\r\n';
  expect((await applyTo({ a: 'x\r\ny\r\n' }, minus)).tree).toEqual({ a: 'z\ny\r\n' });
});

test('encodings and byte order marks are kept, and a patch may take a mark away', async () => {
  expect((await applyTo({ a: '\ufeffx\n' }, edit('a', 'x', 'y'))).tree).toEqual({ a: '\ufeffy\n' });
  expect((await applyTo({ a: '\ufeffx\n' }, edit('a', '\ufeffx', 'y'))).tree).toEqual({ a: 'y\n' });
  expect((await applyTo({ a: Buffer.from('caf\u00e9\n', 'latin1') }, edit('a', 'caf\u00e9', 'th\u00e9'))).tree).toEqual(
    { a: 'th\u00e9\n' },
  );
});

test('names: quoted, with blanks, with times, of git and of plain diff', async () => {
  const quoted = '"a/\\303\\244 \\"b\\".txt"';
  const strange = '\u00e4 "b".txt';
  const patch = `diff --git ${quoted} ${quoted.replace('a/', 'b/')}\n--- ${quoted}\n+++ ${quoted.replace('a/', 'b/')}\n@@ -1 +1 @@\n-x\n+y\n`;
  expect((await applyTo({ [strange]: 'x\n' }, patch)).tree).toEqual({ [strange]: 'y\n' });
  const timed = '--- a b\t2026-01-01 10:00:00.0 +0100\n+++ a b\t2026-01-02 10:00:00\n@@ -1 +1 @@\n-x\n+y\n';
  expect((await applyTo({ 'a b': 'x\n' }, timed)).tree).toEqual({ 'a b': 'y\n' });
  const orig = '--- a.txt.orig\n+++ a.txt\n@@ -1 +1 @@\n-x\n+y\n';
  expect((await applyTo({ 'a.txt': 'x\n' }, orig)).tree).toEqual({ 'a.txt': 'y\n' });
  expect((await applyTo({ 'a/a': 'x\n' }, edit('a', 'x', 'y').replace('+++ b/a', '+++ a/a'))).tree).toEqual({
    'a/a': 'y\n',
  });
  expect((await applyTo({ 'c/x': 'x\n' }, '--- c/x\n+++ c/x\n@@ -1 +1 @@\n-x\n+y\n')).tree).toEqual({ 'c/x': 'y\n' });
});

test('new, removed, renamed, copied, empty files and modes', async () => {
  const patch = [
    'diff --git a/new.sh b/new.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+#!\n',
    `diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n${noNewline}`,
    'diff --git a/old name b/sub/new name\nsimilarity index 90%\nrename from old name\nrename to sub/new name\n--- a/old name\t\n+++ b/sub/new name\t\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n',
    'diff --git a/src b/copy\nsimilarity index 100%\ncopy from src\ncopy to copy\n',
    'diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n',
    'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n',
  ].join('');
  const { root, tree, report } = await applyTo({ gone: 'bye', 'old name': 'a\nb\n', src: 's\n', run: 'r\n' }, patch);
  expect(tree).toEqual({ 'new.sh': '#!\n', 'sub/new name': 'a\nB\n', src: 's\n', copy: 's\n', empty: '', run: 'r\n' });
  expect(['new.sh', 'run'].map((name) => statSync(path.join(root, name)).mode & 0o100)).toEqual([0o100, 0o100]);
  const hunks = [{ index: 0, line: 1, offset: 0, fuzz: 0 }];
  expect(report).toEqual([
    { path: 'new.sh', status: 'added', hunks, additions: 1, deletions: 0 },
    { path: 'gone', status: 'deleted', hunks, additions: 0, deletions: 1 },
    { path: 'sub/new name', oldPath: 'old name', status: 'renamed', hunks, additions: 1, deletions: 1 },
    { path: 'copy', status: 'added', hunks: [], additions: 0, deletions: 0 },
    { path: 'empty', status: 'added', hunks: [], additions: 0, deletions: 0 },
    { path: 'run', status: 'mode-changed', hunks: [], additions: 0, deletions: 0 },
  ]);
  const back = 'diff --git a/run b/run\nold mode 100755\nnew mode 100644\n';
  const again = await applyTo({ run: 'r\n' }, back, (at) => chmodSync(path.join(at, 'run'), 0o755));
  expect(statSync(path.join(again.root, 'run')).mode & 0o111).toBe(0);
});

test('two files swap names, and one file may have two sections', async () => {
  const move = (from: string, to: string) =>
    `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
  expect((await applyTo({ a: 'A\n', b: 'B\n' }, move('a', 'b') + move('b', 'a'))).tree).toEqual({ a: 'B\n', b: 'A\n' });
  expect((await applyTo({ a: 'x\n' }, edit('a', 'x', 'y') + edit('a', 'y', 'z'))).tree).toEqual({ a: 'z\n' });
});

test('a patch that does not fit changes nothing and says why', async () => {
  const files = { a: 'x\n', b: 'other\n' };
  const result = await applyTo(files, edit('a', 'x', 'y') + edit('b', 'x', 'y') + edit('missing', 'x', 'y'));
  expect([result.tree, result.code, result.details]).toEqual([
    files,
    'PATCH_FAILED',
    [
      { path: 'b', hunk: 0, reason: 'not-found', expected: 'x\n', actual: 'other\n' },
      { path: 'missing', reason: 'file-missing' },
    ],
  ]);
  expect((await applyTo({ a: 'y\n' }, edit('a', 'x', 'y'))).details).toMatchObject([{ reason: 'already-applied' }]);
  expect((await applyTo({ a: 'x' }, edit('a', 'x', 'y'))).code).toBe('PATCH_FAILED');
  const add = '--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+y\n';
  expect((await applyTo({ a: 'x\n' }, add)).details).toEqual([{ path: 'a', reason: 'file-exists' }]);
  const remove = '--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
  expect((await applyTo({ a: 'x\nmore\n' }, remove)).details).toMatchObject([{ reason: 'content-remains' }]);
  expect((await applyTo({ a: new Uint8Array([0, 1]) }, edit('a', 'x', 'y'))).code).toBe('BINARY_FILE');
});

test.each<[string, string]>([
  ['', 'NO_VALID_DIFF'],
  ['just words\n', 'NO_VALID_DIFF'],
  ['@@ -1 +1 @@\n-x\n+y\n', 'NO_VALID_DIFF'],
  ['--- a/a\n+++ b/a\n', 'NO_VALID_DIFF'],
  ['--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n', 'PATCH_FAILED'],
  ['--- a/a\n+++ b/a\n@@@ -1 -1 +1 @@@\n--x\n++y\n', 'PATCH_FAILED'],
  ['diff --git a/a b/a\nindex 1..2 100644\nGIT binary patch\nliteral 3\n', 'BINARY_FILE'],
  ['diff --git a/a b/c\nrename from a\nrename to c\n--- a/a\n+++ b/d\n@@ -1 +1 @@\n-x\n+y\n', 'PATCH_FAILED'],
  ['*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n', 'PATCH_FAILED'],
  ['*** Begin Patch\n*** Add File: b\nno plus\n*** End Patch\n', 'PATCH_FAILED'],
  ['*** Begin Patch\n*** End Patch\n', 'NO_VALID_DIFF'],
])('%j is refused as %s', async (patch, code) => {
  const result = await applyTo({ a: 'x\n' }, patch);
  expect([result.code, result.tree]).toEqual([code, { a: 'x\n' }]);
});

test('hunks are found where they moved, further down when two places are equally near', async () => {
  const patch = '--- a/f\n+++ b/f\n@@ -3,3 +3,3 @@\n a\n-b\n+B\n c\n';
  const place = async (text: string) => {
    const { tree, report } = await applyTo({ f: text }, patch);
    return [tree['f'], report[0]?.hunks];
  };
  expect(await place('1\n2\na\nb\nc\n')).toEqual(['1\n2\na\nB\nc\n', [{ index: 0, line: 3, offset: 0, fuzz: 0 }]]);
  expect(await place('a\nb\nc\n')).toEqual(['a\nB\nc\n', [{ index: 0, line: 1, offset: -2, fuzz: 0 }]]);
  expect(await place('a\nb\nc\n-\n-\na\nb\nc\n')).toEqual([
    'a\nB\nc\n-\n-\na\nb\nc\n',
    [{ index: 0, line: 1, offset: -2, fuzz: 0 }],
  ]);
  expect(await place('a\nb\nc\n-\na\nb\nc\n')).toEqual([
    'a\nb\nc\n-\na\nB\nc\n',
    [{ index: 0, line: 5, offset: 2, fuzz: 0 }],
  ]);
});

test('up to two outer context lines may differ', async () => {
  const narrow = '--- a/f\n+++ b/f\n@@ -3,3 +3,3 @@\n a\n-b\n+B\n c\n';
  const wide = '--- a/f\n+++ b/f\n@@ -1,7 +1,7 @@\n 1\n 2\n 3\n-x\n+y\n 4\n 5\n 6\n';
  const one = await applyTo({ f: '1\n2\nX\nb\nY\n' }, narrow);
  expect([one.tree, one.report[0]?.hunks]).toEqual([
    { f: '1\n2\nX\nB\nY\n' },
    [{ index: 0, line: 4, offset: 0, fuzz: 1 }],
  ]);
  const two = await applyTo({ f: 'A\nB\n3\nx\n4\nC\nD\n' }, wide);
  expect([two.tree, two.report[0]?.hunks]).toEqual([
    { f: 'A\nB\n3\ny\n4\nC\nD\n' },
    [{ index: 0, line: 3, offset: 0, fuzz: 2 }],
  ]);
  expect((await applyTo({ f: 'A\nB\nC\nx\n4\n5\n6\n' }, wide)).code).toBe('PATCH_FAILED');
  expect((await applyTo({ f: '2\n3\nx\n4\n5\n6\n' }, wide)).tree).toEqual({ f: '2\n3\ny\n4\n5\n6\n' });
});

test('a hunk without old lines applies at its line only', async () => {
  const insert = (at: number) => `--- a/f\n+++ b/f\n@@ -${at},0 +${at + 1} @@\n+new\n`;
  expect((await applyTo({ f: 'a\nb\n' }, insert(1))).tree).toEqual({ f: 'a\nnew\nb\n' });
  expect((await applyTo({ f: 'a\r\nb\r\n' }, insert(2))).tree).toEqual({ f: 'a\r\nb\r\nnew\r\n' });
  expect((await applyTo({ f: 'a\nb\n' }, insert(3))).code).toBe('PATCH_FAILED');
  expect((await applyTo({ f: 'a\nb' }, insert(2))).code).toBe('PATCH_FAILED');
  expect((await applyTo({ f: '' }, insert(9))).tree).toEqual({ f: 'new\n' });
});

const share = '\\\\server\\share\\a';

test.each<[string, string, string]>([
  [
    'a new link',
    `diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n${noNewline}`,
    'PATCH_FAILED',
  ],
  ['a file that becomes a link', 'diff --git a/a b/a\nold mode 100644\nnew mode 120000\n', 'PATCH_FAILED'],
  ['a changed link', 'diff --git a/a b/a\nindex 1..2 120000\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n', 'PATCH_FAILED'],
  [
    'a submodule',
    'diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1\n',
    'PATCH_FAILED',
  ],
  ['an edit through a link', edit('link', 'x', 'y'), 'PATCH_FAILED'],
  ['an edit below a linked folder', edit('folder/a', 'x', 'y'), 'PATCH_FAILED'],
  ['an absolute name', '--- /etc/hosts\n+++ /etc/hosts\n@@ -1 +1 @@\n-x\n+y\n', 'PATH_TRAVERSAL_DETECTED'],
  ['a name with dots', edit('../a', 'x', 'y'), 'PATH_TRAVERSAL_DETECTED'],
  ['dots inside', edit('s/../../a', 'x', 'y'), 'PATH_TRAVERSAL_DETECTED'],
  ['backslash dots', edit('s\\..\\..\\a', 'x', 'y'), 'PATH_TRAVERSAL_DETECTED'],
  ['a drive', edit('C:/a', 'x', 'y'), 'PATH_TRAVERSAL_DETECTED'],
  ['a share', `--- ${share}\n+++ ${share}\n@@ -1 +1 @@\n-x\n+y\n`, 'PATH_TRAVERSAL_DETECTED'],
  ['a long-path prefix', edit('\\\\?\\C:\\a', 'x', 'y'), 'PATH_TRAVERSAL_DETECTED'],
  ['the old side of a rename', 'diff --git a/../a b/b\nrename from ../a\nrename to b\n', 'PATH_TRAVERSAL_DETECTED'],
  ['a new name of a rename', 'diff --git a/a b/b\nrename from a\nrename to /tmp/b\n', 'PATH_TRAVERSAL_DETECTED'],
  [
    'an envelope that adds outside',
    '*** Begin Patch\n*** Add File: ../x\n+y\n*** End Patch\n',
    'PATH_TRAVERSAL_DETECTED',
  ],
  [
    'an envelope that moves outside',
    '*** Begin Patch\n*** Update File: a\n*** Move to: /tmp/x\n@@\n-x\n+y\n*** End Patch\n',
    'PATH_TRAVERSAL_DETECTED',
  ],
])('P4 %s is refused', async (_, patch, code) => {
  const result = await applyTo({ a: 'x\n', 'real/a': 'x\n' }, patch, (root) => {
    symlinkSync('a', path.join(root, 'link'));
    symlinkSync('real', path.join(root, 'folder'));
  });
  expect([result.code, result.tree]).toEqual([code, { a: 'x\n', 'real/a': 'x\n', link: '→ a', folder: '→ real' }]);
});

test('an absolute name inside the project is a name in it', async () => {
  const root = testFolder({ a: 'x\n', 'pkg/a': 'x\n' });
  const { look } = await handsOver(root, testFolder());
  const planned = async (name: string) => {
    const parsed = parsePatch(`--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-x\n+y\n`);
    if (!parsed.ok) throw new Error('parsed');
    return planPatch(parsed.value, patchReader(look), { inFolder: 'pkg', root });
  };
  expect(await planned(`${root}/a`)).toMatchObject({ value: { changes: [{ path: 'a' }] } });
  expect(await planned(`${root}/../a`)).toMatchObject({ error: { code: 'PATH_TRAVERSAL_DETECTED' } });
  expect(await planned(`${root}2/a`)).toMatchObject({ error: { code: 'PATH_TRAVERSAL_DETECTED' } });
});

test('a patch may be relative to a folder of the project', async () => {
  const root = testFolder({ 'pkg/a': 'x\n' });
  const { look } = await handsOver(root, testFolder());
  const parsed = parsePatch(edit('a', 'x', 'y'));
  if (!parsed.ok) throw new Error('parsed');
  expect(await planPatch(parsed.value, patchReader(look), { inFolder: 'pkg' })).toMatchObject({
    ok: true,
    value: { changes: [{ path: 'pkg/a' }] },
  });
  expect(await planPatch(parsed.value, patchReader(look), { inFolder: '../pkg' })).toMatchObject({
    ok: false,
    error: { code: 'PATH_TRAVERSAL_DETECTED' },
  });
});

test('risk is told from the patch alone', () => {
  const risk = (patch: string) => {
    const parsed = parsePatch(patch);
    return parsed.ok ? assessRisk(parsed.value) : parsed.error.code;
  };
  expect(risk(edit('a.ts', 'x', 'y'))).toEqual({
    riskLevel: 'low',
    warnings: [],
    isBinary: false,
    affectsMultipleFiles: false,
    totalChanges: 2,
    files: [{ path: 'a.ts', status: 'modified', hunkCount: 1, additions: 1, deletions: 1 }],
  });
  expect(risk(`--- a/a\n+++ b/a\n@@ -0,0 +1,51 @@\n${'+x\n'.repeat(51)}`)).toMatchObject({ riskLevel: 'medium' });
  const four = ['a', 'b', 'c', 'd'].map((name) => edit(name, 'x', 'y')).join('');
  expect(risk(four)).toMatchObject({ riskLevel: 'medium', affectsMultipleFiles: true });
  for (const name of [
    '.env',
    '.env.local',
    'x/package-lock.json',
    'my-secrets.txt',
    'id.pem',
    'server.key',
    '.github/workflows/ci.yml',
    '../out',
    '.git/config',
  ]) {
    expect([name, risk(edit(name, 'x', 'y'))]).toMatchObject([name, { riskLevel: 'high' }]);
  }
  expect(risk('--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n')).toMatchObject({ riskLevel: 'high' });
  expect(risk('diff --git a/a b/a\nindex 1..2\nBinary files a/a and b/a differ\n')).toMatchObject({
    riskLevel: 'high',
    isBinary: true,
  });
});

test('a hunk counts by its sides; executables and lost tests are medium', () => {
  const risk = (patch: string) => {
    const parsed = parsePatch(patch);
    return parsed.ok ? assessRisk(parsed.value) : undefined;
  };
  const envelope = (count: number) =>
    `*** Begin Patch\n*** Update File: a\n@@\n${' c\n'.repeat(30)}${'-x\n+y\n'.repeat(count)}*** End Patch\n`;
  expect(risk(envelope(20))).toMatchObject({ riskLevel: 'low', warnings: [] });
  expect(risk(envelope(21))).toMatchObject({ riskLevel: 'medium', warnings: ['a has a hunk of 51 lines'] });
  expect(risk('diff --git a/a b/a\nold mode 100644\nnew mode 100755\n')).toMatchObject({
    riskLevel: 'medium',
    warnings: ['a becomes executable'],
  });
  expect(risk('diff --git a/a b/a\nold mode 100755\nnew mode 100644\n')).toMatchObject({ riskLevel: 'low' });
  const tests = (name: string, from: string, to: string) => risk(edit(name, from, to));
  expect(tests('src/a.test.ts', "test('b', () => {", '//')).toMatchObject({
    riskLevel: 'medium',
    warnings: ['src/a.test.ts loses 1 test'],
  });
  expect(tests('tests/test_a.py', 'def test_b():', 'pass')).toMatchObject({ riskLevel: 'medium' });
  expect(tests('a_test.go', 'func TestB(t *testing.T) {', 'func helper() {')).toMatchObject({ riskLevel: 'medium' });
  expect(tests('a.test.ts', "test('b', () => {", "test('c', () => {")).toMatchObject({ riskLevel: 'low' });
  expect(tests('latest.ts', 'test(1)', 'x')).toMatchObject({ riskLevel: 'low' });
});

test('a name below a file has no place, even if the file goes', async () => {
  const below = '--- /dev/null\n+++ b/a/b\n@@ -0,0 +1 @@\n+y\n';
  const gone = '--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
  const refused = await applyTo({ a: 'x\n' }, below);
  expect([refused.code, refused.details]).toEqual(['PATCH_FAILED', [{ path: 'a/b', reason: 'blocked' }]]);
  expect((await applyTo({}, below.replace('a/b', 'n') + below.replace('a/b', 'n/b'))).details).toEqual([
    { path: 'n/b', reason: 'blocked' },
  ]);
  expect((await applyTo({ a: 'x\n' }, gone + below)).details).toEqual([{ path: 'a/b', reason: 'blocked' }]);
});

test('J5 a hostile patch stays cheap', { timeout: 240_000 }, async () => {
  const same = 'x\n'.repeat(20_000);
  const hunks = Array.from(
    { length: 300 },
    (_, index) => `@@ -${index * 3 + 1},3 +${index * 3 + 1},3 @@\n x\n-y\n+z\n x\n`,
  ).join('');
  expect((await applyTo({ f: same }, `--- a/f\n+++ b/f\n${hunks}`)).code).toBe('PATCH_FAILED');
  expect(parsePatch('--- a/f\n+++ b/f\n@@ -1,999999999 +1 @@\n x\n')).toMatchObject({
    ok: false,
    error: { code: 'PATCH_FAILED' },
  });
  expect(parsePatch('diff --git a b c d e f g h\n'.repeat(2000)).ok).toBe(false);
  // Names, headers and markers with a run of blanks or signs take no time that grows with its square.
  const long = ' '.repeat(1_000_000);
  for (const line of [`--- a${long}x\n+++ b`, `--- a\n+++ b\n@@ ${'@'.repeat(1_000_000)}x\n-x\n+y`])
    expect(parsePatch(`${line}\n@@ -1 +1 @@\n-x\n+y\n`).ok).toBe(true);
  for (const line of [`*** Add File: a${long}x`, `*** Update File: a\n*** Move to: a${long}x`])
    expect(parsePatch(`*** Begin Patch\n${line}\n+y\n*** End Patch\n`).ok).toBe(true);
});
