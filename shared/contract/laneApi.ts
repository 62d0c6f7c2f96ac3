import * as z from 'zod';
import {
  laneFileSchema,
  laneHomeSchema,
  laneNameSchema,
  lanePickSchema,
  lanePlanSchema,
  laneSchema,
} from '../model/lane.ts';
import { modeSchema } from '../model/phase.ts';
import { callId, nothing, sessionId } from './common.ts';
import { method } from './define.ts';

/** A project, or one of its lanes. */
const project = z.string();
const picks = z.lazy(() => z.array(lanePickSchema).min(1).max(20));

export const laneApi = {
  /**
   * What a new lane would be; nothing is made. Errors: NOT_A_GIT_REPOSITORY, UNAVAILABLE (no commit yet, a lane itself),
   * BRANCH_ALREADY_EXISTS, VALIDATION_ERROR (the name), UNTRUSTED.
   */
  'lane.plan': method(
    () => z.object({ project, name: z.string().optional() }),
    () => z.object({ plan: lanePlanSchema }),
  ),
  /**
   * Makes a working tree and a branch outside the project, and a session there. `left`: what stands in no commit and is not
   * in the lane; with `carry` it is copied. `setup`: the command that the person agreed to; it goes through the gate.
   */
  'lane.create': method(
    () =>
      z.object({
        project,
        name: z.string().optional(),
        title: z.string().max(200).optional(),
        carry: z.boolean().optional(),
        setup: z.string().max(1000).optional(),
        mode: modeSchema.optional(),
        provider: z.string().optional(),
        model: z.string().optional(),
      }),
    () =>
      z.object({
        lane: laneHomeSchema,
        folder: z.string(),
        session: sessionId,
        left: z.array(z.string()),
        notes: z.array(z.string()),
      }),
  ),
  /** Of one project. `told`: what a crash had cut in two and was put right by this. */
  'lane.list': method(
    () => z.object({ project }),
    () => z.object({ lanes: z.array(laneSchema), told: z.array(z.string()) }),
  ),
  /** The files that lanes change, hunk by hunk, and which of the picks would not fit each other or the project as it is now. */
  'lane.files': method(
    () => z.object({ project, picks }),
    () => z.object({ lanes: z.array(z.object({ lane: laneNameSchema, files: z.array(laneFileSchema) })) }),
  ),
  /**
   * Proposes what lanes changed on the files of the project as they are now: a call that waits in a new session there, reviewed
   * by the hunk, written and taken back as one. CONFLICT, with the reasons in its details, where picks do not fit, unless
   * `leaveConflicts` is said. `merge`: merges the branch of the one lane instead.
   */
  'lane.bringHome': method(
    () => z.object({ project, picks, leaveConflicts: z.boolean().optional(), merge: z.boolean().optional() }),
    () => z.object({ session: sessionId, call: callId }),
  ),
  /**
   * Takes the working tree away, and the branch where no commit is on it alone (`commits`: how many are kept). CONFLICT while
   * it holds what the project does not, unless `discard` is said.
   */
  'lane.close': method(
    () => z.object({ project, name: z.string(), discard: z.boolean().optional() }),
    () => z.object({ commits: z.number() }),
  ),
  /** The kept commits of a closed lane go. */
  'lane.letGo': method(
    () => z.object({ project, name: z.string() }),
    () => nothing,
  ),
};
