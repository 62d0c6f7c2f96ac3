import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format } from '../src/spanwise.ts';

test('a duration is written from the longest unit to the shortest', () => {
  assert.equal(format(5_400_000), '1h 30m');
  assert.equal(format(694_861_001), '1w 1d 1h 1m 1s 1ms');
});

test('no time is zero milliseconds', () => {
  assert.equal(format(0), '0ms');
  assert.equal(format(0.4), '0ms');
});

test('a negative duration has one sign, in front', () => {
  assert.equal(format(-5_400_000), '-1h 30m');
});

test('short units can be left out', () => {
  assert.equal(format(93_784_005, 2), '1d 2h');
  assert.equal(format(3_599_999, 1), '59m');
});

test('what is no number is refused', () => {
  assert.throws(() => format(Number.NaN), RangeError);
});
