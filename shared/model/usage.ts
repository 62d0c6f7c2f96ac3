import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** Token counts of model requests, summed. `cached` is the part of `input` that the provider read from its prompt cache. */
export const usageSchema = z.lazy(() =>
  z.object({
    requests: z.number(),
    input: z.number(),
    output: z.number(),
    cached: z.number(),
    reasoning: z.number(),
    /** In US dollars; absent where no price is known. */
    cost: z.number().optional(),
  }),
);
export type Usage = Immutable<z.infer<typeof usageSchema>>;

export const noUsage: Usage = { requests: 0, input: 0, output: 0, cached: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    cost: a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0),
  };
}
