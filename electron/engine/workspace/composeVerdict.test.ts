import { expect, test } from 'vitest';
import { composeVerdict } from './composeVerdict.ts';
import type { ProposedChange } from './proposedChange.ts';
import { plainStyle, type TextFile } from './textFile.ts';

const file = (text: string, eol: TextFile['eol'] = '\n'): TextFile => ({
  text,
  ...plainStyle,
  eol,
  hash: 'h',
  sizeBytes: text.length,
  mode: 0o644,
  modifiedAt: '2026-01-01T00:00:00.000Z',
});
const edit = (before: string, after: string, eol: TextFile['eol'] = '\n'): ProposedChange => ({
  path: 'a',
  status: 'modified',
  before: file(before, eol),
  after: { text: after, like: { ...plainStyle, eol } },
});
const afterOf = (changes: readonly ProposedChange[]) =>
  changes.map(({ after }) => (after && 'text' in after ? after.text : after));

test('without verdicts everything stays', () => {
  const change = edit('a\nb\nc\n', 'A\nb\nC\n');
  expect(composeVerdict([change])).toEqual({
    changes: [change],
    files: [{ path: 'a', verdict: 'applied', kept: [0, 1], rejected: [], edited: false, comments: [] }],
  });
});

test('hunks are kept one by one, with what was said about them', () => {
  const { changes, files } = composeVerdict(
    [edit('a\nb\nc\n', 'A\nb\nC\n')],
    [{ path: 'a', keep: [1], comments: [{ hunk: 0, text: 'why?' }] }],
  );
  expect([afterOf(changes), files]).toEqual([
    ['a\nb\nC\n'],
    [{ path: 'a', verdict: 'partial', kept: [1], rejected: [0], edited: false, comments: [{ hunk: 0, text: 'why?' }] }],
  ]);
});

test('nothing kept is a rejection, everything kept is the proposal, a file without verdict is rejected', () => {
  const change = edit('a\n', 'b\n');
  expect(composeVerdict([change], [{ path: 'a', keep: [] }])).toMatchObject({
    changes: [],
    files: [{ verdict: 'rejected', rejected: [0] }],
  });
  expect(composeVerdict([change], [{ path: 'a', keep: 'none' }]).changes).toEqual([]);
  expect(composeVerdict([change], [{ path: 'a', keep: [0] }])).toMatchObject({
    changes: [change],
    files: [{ verdict: 'applied' }],
  });
  expect(composeVerdict([change], [])).toMatchObject({ changes: [], files: [{ verdict: 'rejected' }] });
});

test('an edited proposal keeps the bytes of the lines that were not edited', () => {
  const change = edit('a\r\nb\nc\r\n', 'a\r\nX\nc\r\n', '\r\n');
  const { changes, files } = composeVerdict([change], [{ path: 'a', keep: 'all', content: 'a\nb\nc\nmine\n' }]);
  expect([afterOf(changes), files[0]?.verdict, files[0]?.edited]).toEqual([['a\r\nb\nc\r\nmine\r\n'], 'edited', true]);
  expect(composeVerdict([change], [{ path: 'a', keep: 'all', content: 'a\nX\nc\n' }])).toMatchObject({
    changes: [change],
    files: [{ verdict: 'applied' }],
  });
  expect(composeVerdict([change], [{ path: 'a', keep: 'all', content: 'a\nb\nc\n' }])).toMatchObject({
    changes: [],
    files: [{ verdict: 'rejected' }],
  });
});

test('deletions and binary changes are all or nothing, and an edit saves a file from deletion', () => {
  const removal: ProposedChange = { path: 'a', status: 'deleted', before: file('x\ny\n'), after: null };
  expect(composeVerdict([removal], [{ path: 'a', keep: 'all' }]).changes).toEqual([removal]);
  expect(composeVerdict([removal], [{ path: 'a', keep: 'all', content: 'x\n' }]).changes).toMatchObject([
    { status: 'modified', after: { text: 'x\n' } },
  ]);
  const binary: ProposedChange = { path: 'a', status: 'added', before: null, after: { bytes: Buffer.from([0]) } };
  expect(composeVerdict([binary], [{ path: 'a', keep: 'all' }])).toMatchObject({
    changes: [binary],
    files: [{ verdict: 'applied' }],
  });
  expect(composeVerdict([binary], [{ path: 'a', keep: [0] }])).toMatchObject({
    changes: [],
    files: [{ verdict: 'rejected' }],
  });
});

test('the edited text of a new file takes the line ends of the proposal', () => {
  const added: ProposedChange = {
    path: 'a',
    status: 'added',
    before: null,
    after: { text: 'x\r\n', like: { ...plainStyle, eol: '\r\n' } },
  };
  expect(afterOf(composeVerdict([added], [{ path: 'a', keep: 'all', content: 'x\ny\n' }]).changes)).toEqual([
    'x\r\ny\r\n',
  ]);
});
