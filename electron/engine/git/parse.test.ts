import { describe, expect, test } from 'vitest';
import { parseDiff } from './parseDiff.ts';
import { parseLog } from './parseLog.ts';
import { parseStatus } from './parseStatus.ts';
import { isProtected } from './protectedBranches.ts';

const oid = 'a'.repeat(40);

test('a status with every kind of line is read', () => {
  const records = [
    `# branch.oid ${oid}`,
    '# branch.head feature/x',
    '# branch.upstream origin/feature/x',
    '# branch.ab +2 -3',
    `1 .M N... 100644 100644 100644 ${oid} ${oid} with blank.txt`,
    `1 A. N... 000000 100644 100644 ${oid} ${oid} new`,
    `1 .D N... 100644 100644 000000 ${oid} ${oid} gone`,
    `2 R. N... 100644 100644 100644 ${oid} ${oid} R100 after`,
    'before\nname',
    `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} both`,
    '? 中 new',
    '',
  ];
  expect(parseStatus(records.join('\0'))).toEqual({
    branch: 'feature/x',
    detached: false,
    head: oid,
    upstream: 'origin/feature/x',
    ahead: 2,
    behind: 3,
    files: [
      { path: 'with blank.txt', index: '.', worktree: 'M', staged: false, status: 'modified' },
      { path: 'new', index: 'A', worktree: '.', staged: true, status: 'added' },
      { path: 'gone', index: '.', worktree: 'D', staged: false, status: 'deleted' },
      { path: 'after', oldPath: 'before\nname', index: 'R', worktree: '.', staged: true, status: 'renamed' },
      { path: 'both', index: 'U', worktree: 'U', staged: false, status: 'conflicted' },
      { path: '中 new', index: '?', worktree: '?', staged: false, status: 'untracked' },
    ],
  });
});

test('a detached HEAD and a branch without commits are told', () => {
  expect(parseStatus('# branch.oid (initial)\0# branch.head trunk\0')).toMatchObject({ branch: 'trunk', head: null });
  expect(parseStatus(`# branch.oid ${oid}\0# branch.head (detached)\0`)).toMatchObject({
    branch: null,
    detached: true,
  });
});

describe('a diff', () => {
  test('with lines that look like headers keeps them as content', () => {
    const patch = 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1,2 @@ fn\n-old\n+@@ -1 +1 @@\n+diff --git a/x b/x\n';
    expect(parseDiff(`:100644 100644 ${oid} ${oid} M\0f\0\0${patch}`).files).toEqual([
      {
        path: 'f',
        status: 'modified',
        binary: false,
        additions: 2,
        deletions: 1,
        hunks: [
          {
            oldStart: 1,
            oldLines: 1,
            newStart: 1,
            newLines: 2,
            header: 'fn',
            lines: ['-old', '+@@ -1 +1 @@', '+diff --git a/x b/x'],
          },
        ],
      },
    ]);
  });
  test('that is empty has no files', () => expect(parseDiff('')).toEqual({ files: [], patch: '' }));
});

test('a commit with lines in its body is one commit', () => {
  const fields = [oid, 'aaa', 'Ada', 'ada@x', '2026-01-01T00:00:00+01:00', `${oid} ${oid}`, 'subject', 'one\n\ntwo\n'];
  expect(parseLog(`${fields.join('\0')}\0`)).toEqual([
    {
      hash: oid,
      shortHash: 'aaa',
      author: 'Ada',
      email: 'ada@x',
      date: '2026-01-01T00:00:00+01:00',
      parents: [oid, oid],
      subject: 'subject',
      body: 'one\n\ntwo',
    },
  ]);
  expect(parseLog('')).toEqual([]);
});

test.each([
  ['main', true],
  ['MAIN', true],
  ['release/1.2', true],
  ['release/1/2', true],
  ['mainline', false],
  ['feature/main', false],
  ['hot-7', true],
  ['a.b', false],
])('%s is protected: %s', (branch, expected) =>
  expect(isProtected(branch, ['main', 'main/*', 'release/*', 'hot-?', 'a[.]b'])).toBe(expected),
);

test('J5: a pattern of many stars is answered', () =>
  expect(isProtected('a'.repeat(5_000), [`${'*a'.repeat(500)}b`])).toBe(false));
