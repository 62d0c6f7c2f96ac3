import { expect, test } from 'vitest';
import { append, emptyTimeline, itemAt, itemsOf, replaceAt, type Timeline, timelineLength } from './timeline.ts';

function numbers(count: number): Timeline<number> {
  let timeline: Timeline<number> = emptyTimeline;
  for (let i = 0; i < count; i += 1) timeline = append(timeline, i);
  return timeline;
}

test.each([0, 1, 127, 128, 129, 1000])('%d items come back in order, from any index', (count) => {
  const timeline = numbers(count);
  const plain = Array.from({ length: count }, (_, index) => index);
  expect(timelineLength(timeline)).toBe(count);
  expect([...itemsOf(timeline)]).toEqual(plain);
  for (const from of [1, 127, 128, 500, count]) expect([...itemsOf(timeline, from)]).toEqual(plain.slice(from));
  expect([itemAt(timeline, 0), itemAt(timeline, count - 1), itemAt(timeline, count)]).toEqual([
    plain[0],
    plain.at(-1),
    undefined,
  ]);
});

test('replacing an item leaves the old timeline and shares what did not change', () => {
  const before = numbers(300);
  const after = replaceAt(before, 200, -1);
  expect([itemAt(before, 200), itemAt(after, 200), timelineLength(after)]).toEqual([200, -1, 300]);
  expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, false, true]);
});

test('appending leaves the old timeline and shares the full chunks', () => {
  const before = numbers(256);
  const after = append(before, 256);
  expect([timelineLength(before), timelineLength(after)]).toEqual([256, 257]);
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, true]);
});

test('an index that is not there replaces nothing', () => {
  const timeline = numbers(3);
  expect(replaceAt(timeline, 3, 9)).toBe(timeline);
  expect(replaceAt(timeline, 999, 9)).toBe(timeline);
});
