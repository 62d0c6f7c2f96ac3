import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** Whose subagent a session is: the call that started it, and the session of that call. */
export const subagentOfSchema = z.lazy(() => z.object({ session: z.string(), call: z.string() }));
export type SubagentOf = Immutable<z.infer<typeof subagentOfSchema>>;

/** What a subagent came to: the answer of the call that started it, or the details of its failure. */
export const subagentEndSchema = z.lazy(() =>
  z.object({
    /** Its session. */
    session: z.string(),
    /** Its last words. */
    report: z.string(),
    /** What it did, a line a call; the last of them where there are many. */
    steps: z.array(z.string()),
    requests: z.number(),
    /** US dollars; absent where no price is known. */
    cost: z.number().optional(),
    /** Where it worked, when it was to edit; absent when it changed nothing, since its lane is closed then. */
    lane: z.object({ name: z.string(), files: z.number(), additions: z.number(), deletions: z.number() }).optional(),
  }),
);
export type SubagentEnd = Immutable<z.infer<typeof subagentEndSchema>>;
