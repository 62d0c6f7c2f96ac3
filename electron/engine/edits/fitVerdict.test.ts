import { describe, expect, test } from 'vitest';
import { composeVerdict } from '../workspace/composeVerdict.ts';
import type { Look } from '../workspace/look.ts';
import type { FileOutcome, ProposedChange } from '../workspace/proposedChange.ts';
import { hashOf, plainStyle, type TextFile } from '../workspace/textFile.ts';
import { fitVerdict } from './fitVerdict.ts';

const file = (text: string): TextFile => ({
  ...plainStyle,
  text,
  hash: hashOf(new TextEncoder().encode(text)),
  sizeBytes: text.length,
  mode: 0o644,
  modifiedAt: '',
});
const change = (before: string, after: string): ProposedChange => ({
  path: 'a',
  status: 'modified',
  before: file(before),
  after: { text: after, like: plainStyle },
});

/** What is written of a proposal when the file holds this instead. */
async function fitted(
  shown: ProposedChange,
  now: string,
  verdicts?: Parameters<typeof composeVerdict>[1],
  below = new Set(['a']),
): Promise<string | readonly [string, FileOutcome['verdict'] | undefined]> {
  // Nothing else of it is asked.
  const look = { readText: async () => ({ ok: true, value: { ...file(now), real: '/p/a' } }) } as unknown as Look;
  const done = await fitVerdict(composeVerdict([shown], verdicts), [shown], look, below);
  if (!done.ok) return done.error.code;
  const after = done.value.changes[0]?.after;
  return [after && 'text' in after ? after.text : '', done.value.files[0]?.verdict];
}

describe('an edit over one that was not written as shown', () => {
  test.each<[string, string, string, string, Awaited<ReturnType<typeof fitted>>]>([
    ['goes to its lines', 'x\none\n', 'x\nONE\n', 'y\ny\none\n', ['y\ny\nONE\n', 'applied']],
    ['is not written where other lines stand', 'x\none\n', 'x\nONE\n', 'x\nuno\n', 'STALE'],
    ['inserts where the place has moved to', 'low\na\nb\n', 'low\na\nnew\nb\n', 'a\nb\n', ['a\nnew\nb\n', 'applied']],
    ['inserts nothing where the neighbours are gone', 'low\na\nb\nc\n', 'low\na\nb\nnew\nc\n', 'x\ny\n', 'STALE'],
    [
      'counts only for the one of equal lines that was shown',
      'l\n}\nb\n}\n',
      'l\n}\nb\nend\n',
      '}\nb\n}\n',
      ['}\nb\nend\n', 'applied'],
    ],
    ['loses only the hunks that build on it', 'LOW\nb\nc\n', 'HIGH\nb\nC\n', 'low\nb\nc\n', ['low\nb\nC\n', 'partial']],
  ])('%s', async (_, before, after, now, expected) => {
    expect(await fitted(change(before, after), now)).toEqual(expected);
  });

  test('keeps out what the person rejected of it', async () => {
    expect(await fitted(change('low\nb\nc\nd\n', 'low\nB\nc\nD\n'), 'b\nc\nd\n', [{ path: 'a', keep: [1] }])).toEqual([
      'b\nc\nD\n',
      'partial',
    ]);
  });

  test('takes a typed text whole or not at all', async () => {
    const over = change('low\nb\nc\n', 'low\nB\nc\n');
    const typed = (content: string) => [{ path: 'a', keep: 'all' as const, content }];
    expect([
      await fitted(over, 'b\nc\n', typed('low\nB!\nc\n')),
      await fitted(over, 'b\nc\n', typed('low!\nB!\nc\n')),
    ]).toEqual([['B!\nc\n', 'edited'], 'STALE']);
  });

  test('is left to the check against its base where no edit lies below it', async () => {
    expect(await fitted(change('a\n', 'A\n'), 'other\n', undefined, new Set())).toEqual(['A\n', 'applied']);
  });
});
