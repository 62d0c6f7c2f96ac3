import { expect, test } from 'vitest';
import { sampleRequest } from '../testing/modelEvents.ts';
import { createContextMeter } from './contextMeter.ts';

const request = { ...sampleRequest, messages: [{ role: 'user', text: 'word '.repeat(4_000) }] } as const;

test('an estimate is corrected by what the provider counted, and by nothing absurd', () => {
  const meter = createContextMeter();
  const first = meter.estimate(request);
  expect(first).toBeGreaterThan(4_500);
  expect(first).toBeLessThan(5_500);
  meter.learn(request, first * 2);
  expect(meter.estimate(request) / first).toBeCloseTo(2, 2);
  expect(meter.ofText('word '.repeat(4_000)) / 10_000).toBeCloseTo(1, 2);
  meter.learn(request, 0);
  meter.learn(request, 12);
  meter.learn(request, 10_000_000);
  expect(meter.estimate(request) / first).toBeCloseTo(2, 2);
});

test('a conversation that grew, was shortened or is another one is counted as if it had never been seen', () => {
  const meter = createContextMeter();
  const messages = Array.from({ length: 20 }, (_, index) => ({ role: 'user', text: 'x'.repeat(index * 8) }) as const);
  const parts = [5, 9, 9, 3, 20].map((end) => messages.slice(0, end));
  for (const part of [...parts, messages.slice(4, 9), messages.toReversed(), [], messages]) {
    const asked = { ...request, messages: part };
    expect(meter.estimate(asked)).toBe(createContextMeter().estimate(asked));
  }
});

test('writing without blanks has more tokens a character, and a picture counts', () => {
  const meter = createContextMeter();
  expect(meter.ofText('中'.repeat(1_000))).toBe(750);
  expect(meter.ofText('a'.repeat(1_000))).toBe(250);
  const plain = meter.estimate(request);
  const image = { mediaType: 'image/png', data: 'A'.repeat(1_000_000) };
  const seen = meter.estimate({ ...request, messages: [{ ...request.messages[0], images: [image] }] });
  expect(seen - plain).toBe(1_100);
});
