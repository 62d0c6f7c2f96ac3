import * as z from 'zod';
import { errorCodes } from '../errorCode.ts';
import { appliedFileSchema, fileVerdictSchema } from '../model/change.ts';
import { intentSchema } from '../model/intent.ts';
import { levelSchema } from '../model/level.ts';
import { nothing } from './common.ts';
import { method } from './define.ts';

/** The asking process's own name for one of its calls. */
const key = z.string().regex(/^[A-Za-z0-9_>-]{1,200}$/);

/**
 * What another Vise of the same user (`vise mcp`) may say to a workbench through its server for external clients: it asks, and says what
 * became of it. It can neither see nor answer anything.
 */
export const externalApi = {
  /**
   * Puts a call before the person, in the inbox; answers when the person has, or a rule or grant did. The question goes
   * with the connection. Errors: CANCELLED (`external.leave`), LIMIT_EXCEEDED, DIRECTORY_NOT_FOUND, CONFLICT (the key is in use).
   */
  'external.ask': method(
    () =>
      z.object({
        /** Who asks, in its own words. */
        client: z.string().max(200),
        project: z.string().max(10_000),
        key,
        call: z.object({
          tool: z.string().max(200),
          category: z.string().max(60),
          level: levelSchema,
          input: z.unknown(),
          /** An outside process cannot ask for standing permission. */
          intent: intentSchema.unwrap().omit({ standing: true }),
        }),
      }),
    () =>
      z.object({
        decision: z.enum(['allow', 'deny']),
        reason: z.string().optional(),
        verdicts: z.array(fileVerdictSchema).optional(),
        /** The answer to a question of the agent. */
        text: z.string().optional(),
      }),
  ),
  /** How a call that was allowed ended, for the history. */
  'external.finish': method(
    () =>
      z.object({
        key,
        success: z.boolean(),
        code: z.enum(errorCodes).optional(),
        message: z.string().max(10_000).optional(),
        /** What it wrote, so that it can be taken back here. */
        applied: z.array(appliedFileSchema).max(10_000).optional(),
      }),
    () => nothing,
  ),
  /** Takes a question back. */
  'external.leave': method(
    () => z.object({ key }),
    () => nothing,
  ),
};
