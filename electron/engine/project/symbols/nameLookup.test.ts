import { expect, test } from 'vitest';
import { createNameLookup } from './nameLookup.ts';

const of = (...names: readonly number[]) => ({ names: Uint32Array.from(names) });

test('files are found by any of their names, in their order', () => {
  const files = { a: of(1, 2), empty: of(), b: of(4_294_967_295), c: of(3, 1), none: of() };
  const lookup = createNameLookup(new Map(Object.entries(files)));
  expect([1, 2, 3, 4_294_967_295, 4].map((hash) => lookup.filesWith(hash))).toEqual([
    ['a', 'c'],
    ['a'],
    ['c'],
    ['b'],
    [],
  ]);
  expect(createNameLookup(new Map()).filesWith(1)).toEqual([]);
});
