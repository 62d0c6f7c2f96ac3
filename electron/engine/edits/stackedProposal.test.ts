import { describe, expect, test } from 'vitest';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { hashOf, plainStyle, type TextFile } from '../workspace/textFile.ts';
import { canStack } from './stackedProposal.ts';

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
