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
    /** The part of `input` that the provider wrote to its prompt cache, where it says so. */
    cacheWrites: z.number().optional(),
    /** In US dollars; absent where no price is known. */
    cost: z.number().optional(),
    /** How many of the requests are not part of `cost`, because their price is not known. */
    unpriced: z.number().optional(),
    /** What the cached input would have cost more as fresh input, less what writing it cost. */
    saved: z.number().optional(),
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
    cacheWrites: sumOf(a.cacheWrites, b.cacheWrites),
    cost: sumOf(a.cost, b.cost),
    unpriced: unpricedIn(a) + unpricedIn(b) || undefined,
    saved: sumOf(a.saved, b.saved),
  };
}

function unpricedIn({ requests, cost, unpriced }: Usage): number {
  return unpriced ?? (cost === undefined ? requests : 0);
}

/** Absent where neither is known. */
function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
