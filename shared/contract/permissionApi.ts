import * as z from 'zod';
import { decisionSchema } from '../model/call.ts';
import { fileVerdictSchema } from '../model/change.ts';
import { ruleSchema } from '../model/rule.ts';
import { callId, nothing, sessionId, text } from './common.ts';
import { method } from './define.ts';

export const permissionApi = {
  'permission.answer': method(
    () =>
      z.object({
        session: sessionId,
        call: callId,
        /** Further calls that get the same answer, each recorded by itself: all of them or none. */
        alike: z.array(callId).max(1000).optional(),
        /** `hour` answers an approval that offers it: the tool runs in that folder for so long without asking. */
        decision: decisionSchema,
        /** The one rule that *Session* or *Always* saves; all suggestions, which together allow the call, when absent. */
        rule: ruleSchema.optional(),
        /** With a denial: nobody is there to answer, and the call ends as where nobody can be asked. */
        unanswered: z.boolean().optional(),
        /** Told to the model with a denial. */
        reason: z.string().max(10_000).optional(),
        /** File by file, for a change; everything is kept when absent. */
        verdicts: z.array(fileVerdictSchema).optional(),
        /** The answer to a question of the agent. */
        answer: text.optional(),
      }),
    () => nothing,
  ),
  'permission.rules': method(
    () => z.object({ project: z.string().optional(), session: sessionId.optional() }),
    () => z.object({ rules: z.array(ruleSchema), problems: z.array(z.string()) }),
  ),
  'permission.revoke': method(
    () => z.object({ id: z.string(), project: z.string().optional(), session: sessionId.optional() }),
    () => nothing,
  ),
  /** What a rule would have allowed in past calls of a project. */
  'permission.backtest': method(
    () => z.object({ rule: ruleSchema, project: z.string() }),
    () =>
      z.object({
        considered: z.number(),
        matched: z.array(z.object({ at: z.string(), summary: z.string(), answered: z.string() })),
      }),
  ),
};
