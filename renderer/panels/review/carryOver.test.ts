import { expect, test } from 'vitest';
import { changeOf } from '../../testing/sceneParts.ts';
import { carriedOver } from './carryOver.ts';
import { type Decision, regionOf, undecided, wholeFile } from './verdict.ts';

const was = changeOf('f', 'a\nb\nc\n', 'A\nb\nC\n');
const now = changeOf('f', 'new\na\nb\nc\n', 'new\nA\nb\nC\n');
const proposed = { was: 'A\nb\nC\n', now: 'new\nA\nb\nC\n' };

test('verdicts and comments stay with their hunks, and what was typed goes along', () => {
  const decision: Decision = {
    rejected: [1],
    comments: { 0: 'why' },
    edited: { text: 'A!\nb\nC\n', regions: was.hunks.map(regionOf) },
  };
  expect(carriedOver(decision, was, now, proposed)).toEqual({
    rejected: [1],
    seen: undefined,
    comments: { 0: 'why' },
    edited: {
      text: 'new\nA!\nb\nC\n',
      regions: [
        { after: 1, lines: 1 },
        { after: 3, lines: 1 },
      ],
    },
  });
});

test('of hunks that are counted anew the words stay, about the whole file, and the verdicts are asked again', () => {
  const other = changeOf('f', 'new\na\nb\nc\n', 'new\nA\nb\nc\n');
  const decision: Decision = { ...undecided, rejected: [0], comments: { 0: 'one', 1: 'two' } };
  expect(carriedOver(decision, was, other, { ...proposed, now: 'new\nA\nb\nc\n' })).toMatchObject({
    rejected: [],
    comments: { [wholeFile]: 'one\ntwo' },
  });
});
