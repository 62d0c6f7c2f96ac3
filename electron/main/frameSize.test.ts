import { expect, test } from 'vitest';
import { isWithin } from './frameSize.ts';

test('S4 a frame counts by its texts, names and bytes, at whatever depth', () => {
  const text = 'x'.repeat(1000);
  for (const frame of [text, { a: [{ b: text }] }, { [text]: 1 }, new Uint8Array(1000)]) {
    expect(isWithin(frame, 1100)).toBe(true);
    expect(isWithin(frame, 900)).toBe(false);
  }
});

test('S4 a crowd of empty values is not free, and a large frame is not read to its end', () => {
  expect(isWithin(Array.from({ length: 1000 }), 1000)).toBe(false);
  const far = { toJSON: () => expect.unreachable() };
  expect(isWithin(['x'.repeat(100), far], 50)).toBe(false);
});

test('S4 what goes in circles, is too deep or is no plain data is refused', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  for (const odd of [circle, new Map([['a', 1]]), new Set([1]), { date: new Date(0) }])
    expect(isWithin(odd, 1_000_000)).toBe(false);
});
