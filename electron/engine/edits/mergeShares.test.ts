import { expect, test } from 'vitest';
import type { AppliedFile } from '../../../shared/model/change.ts';
import { hashOf, plainStyle, type TextFile } from '../workspace/textFile.ts';
import { mergeShares, type Share, shareOf } from './mergeShares.ts';

const idOf = (text: string): string => hashOf(new TextEncoder().encode(text));
const file = (text: string): TextFile => ({
  ...plainStyle,
  text,
  hash: idOf(text),
  sizeBytes: text.length,
  mode: 0o644,
  modifiedAt: '',
});
const share = (
  path: string,
  before: string | null,
  after: string,
  verdict: AppliedFile['verdict'] = 'applied',
  real = `/p/${path}`,
): Share => ({
  changes: [
    {
      path,
      real,
      status: before === null ? 'added' : 'modified',
      before: before === null ? null : file(before),
      after: { text: after, like: plainStyle },
    },
  ],
  files: [{ path, verdict, kept: [], rejected: [], edited: false, comments: [] }],
});

test('edits of one file become one change from its first base to its last content, with the weaker verdict', () => {
  const merged = mergeShares([
    share('a', 'one\n', 'two\n', 'partial'),
    share('b', null, 'new\n'),
    share('a', 'two\n', 'three\n'),
  ]);
  expect(merged).toMatchObject({
    ok: true,
    value: {
      changes: [
        { path: 'a', status: 'modified', before: { text: 'one\n' }, after: { text: 'three\n' } },
        { path: 'b', status: 'added', before: null, after: { text: 'new\n' } },
      ],
      files: [
        { path: 'a', verdict: 'partial' },
        { path: 'b', verdict: 'applied' },
      ],
    },
  });
});

test('a file under two names is never written over: the second edit knows nothing of the first', () => {
  const merged = mergeShares([share('a', 'one\n', 'two\n'), share('link', 'one\n', 'uno\n', 'applied', '/p/a')]);
  expect(merged).toMatchObject({ ok: false, error: { code: 'STALE' } });
});

test('each call answers for its own part of what was written', () => {
  const [first, second] = [share('a', 'one\n', 'two\n'), share('a', 'two\n', 'three\nfour\n', 'edited')];
  const written: AppliedFile[] = [
    {
      path: 'a',
      status: 'modified',
      before: idOf('one\n'),
      after: idOf('three\nfour\n'),
      additions: 2,
      deletions: 1,
      verdict: 'edited',
    },
  ];
  expect([shareOf(first, [first, second], written), shareOf(second, [first, second], written)]).toEqual([
    [{ ...written[0], after: idOf('two\n'), additions: 1, deletions: 1, verdict: 'applied' }],
    [{ ...written[0], before: idOf('two\n'), additions: 2, deletions: 1, verdict: 'edited' }],
  ]);
});
