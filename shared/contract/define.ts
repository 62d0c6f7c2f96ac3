import type * as z from 'zod';

/** One row of the contract: what goes in and what comes out, both checked at the border. Every output is an object. */
export interface Method<I extends z.ZodType, O extends z.ZodType> {
  readonly input: I;
  readonly output: O;
}

/** Each schema is made when it is first used: making all of them cost every start 15 ms. */
export function method<I extends z.ZodType, O extends z.ZodType>(input: () => I, output: () => O): Method<I, O> {
  let madeInput: I | undefined;
  let madeOutput: O | undefined;
  return {
    get input() {
      madeInput ??= input();
      return madeInput;
    },
    get output() {
      madeOutput ??= output();
      return madeOutput;
    },
  };
}
