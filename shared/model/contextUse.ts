import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** Who counted: the provider (with its last reply), the model's own tokenizer here, or nobody. */
export const countedSchema = z.lazy(() => z.enum(['provider', 'tokenizer', 'estimate']));
export type Counted = z.infer<typeof countedSchema>;

/** What fills the model's window with the next request, in tokens. */
export const contextUseSchema = z.lazy(() =>
  z.object({
    tokens: z.number(),
    /** The model's window. */
    limit: z.number(),
    counted: countedSchema,
    /** Adds up to `tokens`. `vise` is what Vise said to the model, `person` holds what was attached as well. */
    parts: z.array(
      z.object({
        kind: z.enum(['instructions', 'rules', 'tools', 'summary', 'person', 'vise', 'replies', 'results']),
        tokens: z.number(),
      }),
    ),
  }),
);
export type ContextUse = Immutable<z.infer<typeof contextUseSchema>>;
