import type * as z from 'zod';

/** One row of the contract: what goes in and what comes out, both checked at the border. Every output is an object. */
export interface Method<I extends z.ZodType, O extends z.ZodType> {
  readonly input: I;
  readonly output: O;
}

export function method<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): Method<I, O> {
  return { input, output };
}
