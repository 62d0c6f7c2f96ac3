import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fits, uncopied } from './fits.ts';

const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), below: z.array(tree).optional() }));
const schemas: Readonly<Record<string, z.ZodType>> = {
  string: z.string(),
  'bounded string': z.string().max(3).regex(/^a/),
  number: z.number(),
  'whole number': z.int().min(0),
  boolean: z.boolean(),
  unknown: z.unknown(),
  literal: z.literal(['a', null, 1]),
  'names with quotes': z.enum(['a"b', "c'd", '\\']),
  optional: z.object({ a: z.string().optional(), 'odd "name': z.number().nullable() }),
  array: z.array(z.union([z.string(), z.object({ a: z.literal(true) })])),
  record: z.record(z.string().min(2), z.number()),
  chosen: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), n: z.number() }),
    z.object({ kind: z.enum(['b', 'c']), s: z.array(z.string()) }),
  ]),
  refined: z.object({ a: z.number() }).refine(({ a }) => a > 1),
  strict: z.strictObject({ a: z.number() }),
  default: z.object({ a: z.number().default(1) }),
  tree,
};

const values: readonly unknown[] = [
  ...[undefined, null, '', 'a', 'abcd', 'b', 'a"b', "c'd", '\\', 0, 1, -1, 1.5, Number.NaN, Infinity, true, [], {}],
  ...[{ a: 1 }, { a: 2, b: 1 }, { a: 'x', 'odd "name': null }, { 'odd "name': 1 }, { a: null, 'odd "name': 1 }],
  ...[['x', { a: true }], ['x', { a: false }], [undefined], { ab: 1 }, { a: Number.NaN }, { ab: 'x' }],
  ...[{ kind: 'a', n: 1 }, { kind: 'a' }, { kind: 'b', s: ['x'] }, { kind: 'c', s: [1] }, { kind: 'd' }],
  ...[
    { name: 'x', below: [{ name: 'y', below: [{ name: 'z' }] }] },
    { name: 'x', below: [{ name: 'y', below: [{}] }] },
  ],
];

describe('fits', () => {
  test.each(Object.entries(schemas))('says of a %s what zod says', (_name, schema) => {
    expect(values.filter(fits(schema))).toEqual(values.filter((value) => schema.safeParse(value).success));
  });

  test('an uncopied schema hands on the very value, and refuses what does not fit', () => {
    const schema = z.object({ state: uncopied(z.object({ n: z.number() })) });
    const state = { n: 1, more: 2 };
    expect(schema.parse({ state }).state).toBe(state);
    expect(schema.safeParse({ state: { n: '1' } }).success).toBe(false);
  });
});
