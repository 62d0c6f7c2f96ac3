/** Token counts of model requests, summed. `cached` is the part of `input` that the provider read from its prompt cache. */
export interface Usage {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
  /** In US dollars; absent where no price is known. */
  readonly cost?: number;
}

export const noUsage: Usage = { requests: 0, input: 0, output: 0, cached: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0);
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    ...(cost === undefined ? {} : { cost }),
  };
}
