import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoints, type StreamText, sliceCodePoints, truncateOutput } from './truncate.ts';

const whole = (text: string): StreamText => ({ text, totalChars: codePoints(text) });

describe('truncateOutput', () => {
  test('exactly the limit is not cut', () => {
    expect(truncateOutput(whole('a'.repeat(30)), whole('b'.repeat(20)), 50)).toEqual({
      stdout: 'a'.repeat(30),
      stderr: 'b'.repeat(20),
      truncated: false,
    });
  });

  test('60,000 characters against 50,000 keep the head and say so within the limit', () => {
    const { stdout, stderr, truncated } = truncateOutput(whole('x'.repeat(60_000)), whole(''), 50_000);
    expect([stdout.length, stdout.endsWith('x\n... (truncated)'), stderr, truncated]).toEqual([50_000, true, '', true]);
  });

  test('stderr keeps a quarter at least, stdout the rest', () => {
    const { stdout, stderr } = truncateOutput(whole('o'.repeat(1000)), whole('e'.repeat(1000)), 400);
    expect([stdout.length, stderr.length]).toEqual([300, 100]);
  });

  test('a short stderr leaves its room to stdout', () => {
    const { stdout, stderr } = truncateOutput(whole('o'.repeat(1000)), whole('e'.repeat(10)), 400);
    expect([stdout.length, stderr]).toEqual([390, 'e'.repeat(10)]);
  });

  test('0 is no limit, but what was not kept is marked', () => {
    expect(truncateOutput({ text: 'abc', totalChars: 9 }, whole(''), 0)).toEqual({
      stdout: 'abc\n... (truncated)',
      stderr: '',
      truncated: true,
    });
  });

  test('never more than the limit, never half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 60 }),
        (a, b, limit) => {
          const { stdout, stderr } = truncateOutput(whole(a), whole(b), limit);
          expect(codePoints(stdout) + codePoints(stderr)).toBeLessThanOrEqual(Math.max(limit, 0));
          expect([stdout.isWellFormed(), stderr.isWellFormed()]).toEqual([true, true]);
        },
      ),
    );
  });
});

test('slices count code points', () => {
  expect([sliceCodePoints('a😀b', 1, 2), sliceCodePoints('a😀b', 2), codePoints('a😀b')]).toEqual(['😀', 'b', 3]);
});
