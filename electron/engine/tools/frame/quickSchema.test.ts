import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { quickSchema } from './quickSchema.ts';
import { compactSchema } from './tool.ts';

const exact = (schema: z.ZodType): string => JSON.stringify(compactSchema(z.toJSONSchema(schema, { io: 'input' })));

const part = z.lazy(() => z.object({ a: z.string() }));
const itself: z.ZodType = z.lazy(() => z.object({ more: z.array(itself) }));

describe('the quick way to a JSON Schema', () => {
  test.each([
    [z.object({})],
    [z.object({ filePath: z.string(), offset: z.int().min(0).optional(), limit: z.int().min(1).optional() })],
    [z.object({ a: z.string().min(1).max(9), b: z.number().min(0), c: z.number().max(3).optional(), d: z.boolean() })],
    [z.object({ kind: z.enum(['x', 'y']).optional(), list: z.array(z.string()).min(1).max(20) })],
    [z.object({ steps: z.array(z.object({ intent: z.string(), files: z.array(z.string()).optional() })) })],
    [z.object({ env: z.record(z.string(), z.string()).optional(), any: z.unknown(), some: z.unknown().optional() })],
    [z.object({ a: z.union([z.string(), z.array(z.string())]), b: z.array(z.string()).nullable().optional() })],
    [z.object({ a: z.string().catch(''), b: z.string().optional() })],
    [
      z
        .object({
          a: z
            .string()
            .trim()
            .min(1)
            .refine(() => true),
        })
        .refine(() => true),
    ],
    [z.lazy(() => z.object({ a: part, b: z.array(part), c: part.optional() }))],
    [z.object({ over: z.number().gt(0), seconds: z.number().positive() })],
  ])('gives what the long way gives (%#)', (schema) => {
    expect(JSON.stringify(quickSchema(schema))).toBe(exact(schema));
  });

  test.each([
    ['a description', z.object({ a: z.string().describe('words') })],
    ['a pattern', z.object({ a: z.string().regex(/x/) })],
    ['a format', z.object({ a: z.email() })],
    ['a default', z.object({ a: z.string().default('x') })],
    ['a fixed value', z.object({ a: z.literal('x') })],
    ['an upper bound that is left out', z.object({ a: z.number().lt(3) })],
    ['one that holds itself', itself],
    ['a strict object', z.strictObject({ a: z.string() })],
  ])('leaves %s to the long way', (_name, schema) => {
    expect(quickSchema(schema)).toBeUndefined();
  });
});
