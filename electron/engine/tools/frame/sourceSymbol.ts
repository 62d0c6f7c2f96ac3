import * as z from 'zod';
import { symbolKinds } from '../../project/symbols/symbol.ts';

/** A definition in a source file, as tools tell it; lines and columns are 1-based. */
export const sourceSymbolSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    kind: z.enum(symbolKinds),
    line: z.number(),
    column: z.number(),
    endLine: z.number(),
    container: z.string().optional(),
    signature: z.string(),
    exported: z.boolean(),
  }),
);
