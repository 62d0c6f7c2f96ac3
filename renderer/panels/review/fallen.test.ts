import { expect, test } from 'vitest';
import type { WaitingChange } from '../../mirror/selectors.ts';
import { changeOf, contents } from '../../testing/sceneParts.ts';
import { fallenHunks } from './fallen.ts';
import { type Decision, regionOf, undecided } from './verdict.ts';

const layers = (...texts: readonly string[]): readonly WaitingChange[] =>
  texts.slice(1).map((after, index) => ({ call: `c${index}`, change: changeOf('f', texts[index] ?? '', after) }));
const fallen = (waiting: readonly WaitingChange[], decisions: readonly Decision[]) =>
  fallenHunks(
    waiting,
    ({ call }) => call,
    ({ call }) => decisions[Number(call.slice(1))] ?? undecided,
    ({ change }) => ({
      before: contents.get(change.before ?? '') ?? '',
      after: contents.get(change.after ?? '') ?? '',
    }),
  );
const rejected = (...hunks: readonly number[]): Decision => ({ ...undecided, rejected: hunks });

test('a hunk falls with the lines of a rejected edit below it, and no other does', () => {
  const waiting = layers('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'AA\nb\nc\nD\n', 'AA\nb\nc\nDD\n');
  expect(fallen(waiting, [])).toEqual({ c0: [], c1: [], c2: [] });
  expect(fallen(waiting, [rejected(0)])).toEqual({ c0: [], c1: [0], c2: [] });
  expect(fallen(waiting, [undecided, rejected(1)])).toEqual({ c0: [], c1: [], c2: [0] });
});

test('a typed text over a rejected edit falls whole where one line of it does not fit', () => {
  const waiting = layers('a\nb\nc\n', 'A\nb\nc\n', 'A\nb\nC\n');
  const typed = (text: string): Decision => ({
    ...undecided,
    edited: { text, regions: waiting[1]?.change.hunks.map(regionOf) ?? [] },
  });
  expect(fallen(waiting, [rejected(0), typed('A\nb\nC!\n')])['c1']).toEqual([]);
  expect(fallen(waiting, [rejected(0), typed('A!\nb\nC!\n')])['c1']).toEqual([0]);
});

test('edits of different files fall with none', () => {
  const waiting = [layers('a\n', 'A\n')[0], { call: 'c1', change: changeOf('g', 'a\n', 'B\n') }].flatMap(
    (one) => one ?? [],
  );
  expect(fallen(waiting, [rejected(0)])).toEqual({});
});
