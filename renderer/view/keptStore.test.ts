import { expect, test } from 'vitest';
import * as z from 'zod';
import { restored } from './keptStore.ts';

const schema = z.object({
  tab: z.enum(['review', 'plan']).catch('review'),
  isOpen: z.boolean().catch(true),
});

test('a reload finds what was kept, and nothing beside it', () => {
  expect(restored(schema, JSON.stringify({ tab: 'plan', isOpen: false, x: 1 }))).toEqual({
    tab: 'plan',
    isOpen: false,
  });
});

test.each([null, '{broken', 'null', '7', '{"isOpen":"no","tab":9}'])('odd memories count as none: %s', (text) => {
  expect(restored(schema, text)).toEqual({ tab: 'review', isOpen: true });
});
