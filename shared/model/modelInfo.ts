import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { dialectNames } from './dialect.ts';

/** What is known of one model, for people to choose by. What is absent is unknown. */
export const modelInfoSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** Tokens that a request and its reply may have together, and those of one reply. */
    window: z.number().optional(),
    output: z.number().optional(),
    /** US dollars for a million tokens. */
    price: z.object({ input: z.number(), cached: z.number().optional(), output: z.number() }).optional(),
    pictures: z.boolean().optional(),
    reasoning: z.boolean().optional(),
    /** The efforts that may be asked for, least first. */
    efforts: z.array(z.string()).optional(),
  }),
);
export type ModelInfo = Immutable<z.infer<typeof modelInfoSchema>>;

/** The model that the next request of a session asks, and how. */
export const askedModelSchema = z.lazy(() =>
  modelInfoSchema.unwrap().extend({
    provider: z.string(),
    dialect: z.enum(dialectNames),
    /** Who says which dialect it is. */
    dialectFrom: z.enum(['setting', 'learnt', 'address', 'catalogue', 'preset', 'default']),
    /** Empty: what the provider takes as usual. */
    effort: z.string(),
    /** What the phase has of its own. */
    ofPhase: z.array(z.enum(['model', 'effort'])),
  }),
);
export type AskedModel = Immutable<z.infer<typeof askedModelSchema>>;
