import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../shared/model/change.ts';
import { changeOf } from '../../testing/sceneParts.ts';
import {
  allRejected,
  commented,
  composeEdited,
  type Decision,
  keptOf,
  linesOf,
  reasonOf,
  regionOf,
  toggled,
  undecided,
  verdictOf,
  wholeFile,
} from './verdict.ts';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'ONE\ntwo\nthree\nnew\nfour\n';
const change = changeOf('a.txt', before, after);
const proposed = { text: after, regions: change.hunks.map(regionOf) };

describe('a verdict', () => {
  test('keeps all where nothing was decided', () => {
    expect(verdictOf(change, undecided, null)).toEqual({ path: 'a.txt', keep: 'all' });
  });
  test('names the hunks that stay, with the comments', () => {
    const decision = commented(commented(toggled(undecided, 1, false), 1, 'not here'), wholeFile, 'else fine');
    expect(verdictOf(change, decision, null)).toEqual({
      path: 'a.txt',
      keep: [0, 2],
      comments: [{ hunk: 1, text: 'not here' }, { text: 'else fine' }],
    });
  });
  test('keeps none where every hunk is rejected, whatever was typed', () => {
    const decision: Decision = { ...allRejected(change, undecided), edited: { ...proposed, text: 'typed' } };
    expect(verdictOf(change, decision, before)).toEqual({ path: 'a.txt', keep: 'none' });
  });
  test('carries the edited text with the rejected hunks taken back', () => {
    const edited = { text: 'ONE!\ntwo\nthree\nnew\nfour\n', regions: proposed.regions };
    const decision: Decision = { ...toggled(undecided, 1, false), edited };
    expect(verdictOf(change, decision, before).content).toBe('ONE!\ntwo\nthree\nfour\n');
  });
  test('a file without hunks is one part', () => {
    const binary: Change = { ...change, hunks: [], binary: true };
    expect({
      kept: keptOf(binary, undecided),
      none: verdictOf(binary, allRejected(binary, undecided), null).keep,
    }).toEqual({ kept: 1, none: 'none' });
  });
  test('an emptied comment is no comment', () => {
    expect(commented(commented(undecided, 0, 'x'), 0, '  ')).toEqual(undecided);
  });
});

test('a denial tells the comments, file by file, with their lines', () => {
  expect(
    reasonOf(
      [
        { path: 'a.txt', keep: 'none', comments: [{ hunk: 1, text: 'why?' }, { text: 'no' }] },
        { path: 'b.txt', keep: 'none' },
      ],
      [change],
    ),
  ).toBe('a.txt, line 4: why?\na.txt: no');
});

const line = fc.constantFrom('a', 'b', 'c', '', '  d');
const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.map((each) => `${each}\n`).join(''));

test('rejecting every hunk of the untouched proposal gives the file back, for any two texts', () => {
  fc.assert(
    fc.property(text, text, (old, now) => {
      const { hunks } = changeOf('f', old, now);
      const all = hunks.map((_, index) => index);
      expect(composeEdited(old, hunks, { text: now, regions: hunks.map(regionOf) }, all)).toBe(old);
    }),
  );
});

test('rejecting no hunk gives the edited text, and a rejected one changes only its own lines', () => {
  fc.assert(
    fc.property(text, text, fc.nat(), (old, now, pick) => {
      const { hunks } = changeOf('f', old, now);
      const edited = { text: now, regions: hunks.map(regionOf) };
      expect(composeEdited(old, hunks, edited, [])).toBe(now);
      const hunk = hunks[pick % Math.max(1, hunks.length)];
      if (!hunk) return;
      const grown = linesOf(composeEdited(old, hunks, edited, [hunk.index])).length - linesOf(now).length;
      expect(grown).toBe(hunk.oldLines - hunk.newLines);
    }),
  );
});
