import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes } from './byteOrder.ts';

test('texts are ordered as their bytes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'b', '/', 'ä', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}') }),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
