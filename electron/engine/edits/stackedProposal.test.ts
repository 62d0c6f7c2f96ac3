import { describe, expect, test } from 'vitest';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { hashOf, plainStyle, type TextFile } from '../workspace/textFile.ts';
import { canStack, sameProposal } from './stackedProposal.ts';

const file = (text: string): TextFile => ({
  ...plainStyle,
  text,
  hash: hashOf(new TextEncoder().encode(text)),
  sizeBytes: text.length,
  mode: 0o644,
  modifiedAt: '',
});
const change = (path: string, before: string, after: string, more: Partial<ProposedChange> = {}): ProposedChange => ({
  path,
  status: 'modified',
  before: file(before),
  after: { text: after, like: plainStyle },
  ...more,
});
const plain = change('a', '1\n', '2\n');

describe('a proposal can lie on top of another', () => {
  test.each<[string, ProposedChange, ProposedChange, boolean]>([
    ['of the same file', plain, change('a', '2\n', '3\n'), true],
    ['of another file', plain, change('b', '1\n', '2\n'), true],
    ['but not on a removal', { ...plain, after: null, status: 'deleted' }, plain, false],
    ['but not as a removal', plain, { ...plain, after: null, status: 'deleted' }, false],
    ['but not on a move to its place', { ...plain, oldPath: 'old', status: 'renamed' }, plain, false],
    ['but not where the one below moves away', { ...plain, path: 'b', oldPath: 'a', status: 'renamed' }, plain, false],
    ['but not on a changed right', { ...plain, executable: true }, plain, false],
    ['but not below a file', plain, change('a/b', '', 'x\n'), false],
  ])('%s', (_, lower, upper, expected) => {
    expect(canStack([lower], [upper])).toBe(expected);
  });

  test('nothing lies on what proposes nothing', () => {
    expect([canStack([], [plain]), canStack([plain], [])]).toEqual([false, false]);
  });
});

describe('a proposal that was planned anew is the one that was shown', () => {
  const shown = [change('a', 'x\none\n', 'x\nONE\n')];
  test.each<[string, ProposedChange, boolean]>([
    ['when nothing moved', change('a', 'x\none\n', 'x\nONE\n'), true],
    ['when the same lines go and come elsewhere', change('a', 'y\ny\none\n', 'y\ny\nONE\n'), true],
    ['not when other lines go', change('a', 'x\nuno\n', 'x\nONE\n'), false],
    ['not when other lines come', change('a', 'x\none\n', 'x\nEINS\n'), false],
    ['not when it would make the file', { ...change('a', '', 'x\nONE\n'), before: null, status: 'added' }, false],
  ])('%s', (_, now, expected) => {
    expect(sameProposal(shown, [now], undefined)).toBe(expected);
  });

  test.each<[string, string, string, boolean]>([
    // Shown: `new` between `b` and `c`, over an edit that put `low` in front. It was rejected.
    ['where the shown one has moved to', 'a\nb\nc\n', 'a\nb\nnew\nc\n', true],
    ['not at the same number of a file that is shorter now', 'a\nb\nc\n', 'a\nb\nc\nnew\n', false],
    ['not elsewhere', 'a\nb\nc\n', 'a\nnew\nb\nc\n', false],
    ['not where its neighbours are gone', 'x\ny\n', 'x\nnew\ny\n', false],
  ])('rule 9: an insertion counts %s', (_, before, after, expected) => {
    const over = [change('a', 'low\na\nb\nc\n', 'low\na\nb\nnew\nc\n')];
    expect(sameProposal(over, [change('a', before, after)], undefined)).toBe(expected);
  });

  test('rule 9: one of several equal lines counts only where it was shown', () => {
    const over = [change('a', 'low\n}\nb\n}\n', 'low\n}\nb\nend\n')];
    expect([
      sameProposal(over, [change('a', '}\nb\n}\n', '}\nb\nend\n')], undefined),
      sameProposal(over, [change('a', '}\nb\n}\n', 'end\nb\n}\n')], undefined),
    ]).toEqual([true, false]);
  });

  test('an insertion right behind what was rejected stays where it was shown', () => {
    const over = [change('a', 'a\nlow\nb\n', 'a\nlow\nnew\nb\n')];
    expect(sameProposal(over, [change('a', 'a\nb\n', 'a\nnew\nb\n')], undefined)).toBe(true);
  });

  test('not when a text was typed over a file that is another one now', () => {
    const moved = [change('a', 'y\none\n', 'y\nONE\n')];
    expect(sameProposal(shown, moved, [{ path: 'a', keep: 'all' }])).toBe(true);
    expect(sameProposal(shown, moved, [{ path: 'a', keep: 'all', content: 'typed' }])).toBe(false);
    expect(sameProposal(shown, shown, [{ path: 'a', keep: 'all', content: 'typed' }])).toBe(true);
  });
});
