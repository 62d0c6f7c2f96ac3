import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurationError, parse } from '../src/spanwise.ts';

const minute = 60_000;

test('amounts with units are added up', () => {
  assert.equal(parse('1h 30m'), 90 * minute);
  assert.equal(parse('2d1h'), 49 * 60 * minute);
  assert.equal(parse('30m, 1h'), 90 * minute);
});

test('units have long names, in any case', () => {
  assert.equal(parse('2 days'), 2 * 24 * 60 * minute);
  assert.equal(parse('1 Hour 1 MIN'), 61 * minute);
});

test('amounts may have a fraction', () => {
  assert.equal(parse('1.5h'), 90 * minute);
  assert.equal(parse('0.25s'), 250);
});

test('a single amount may be negative', () => {
  assert.equal(parse('-90s'), -1.5 * minute);
  assert.equal(parse('+5m'), 5 * minute);
});

test('a minus sign in front holds for the whole duration', () => {
  assert.equal(parse('-1h 30m'), -90 * minute);
  assert.equal(parse('- 1h 30m'), -90 * minute);
});

test('a text that is no duration is refused, and the place is shown', () => {
  for (const [text, position] of [
    ['', 0],
    ['soon', 0],
    ['1h 30', 3],
    ['1h 5 parsecs', 4],
  ] as const)
    assert.throws(() => parse(text), (error) => error instanceof DurationError && error.position === position);
});
