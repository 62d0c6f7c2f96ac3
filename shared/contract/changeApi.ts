import * as z from 'zod';
import { contentIdSchema, fileVerdictSchema } from '../model/change.ts';
import { callId, nothing, sessionId } from './common.ts';
import { method } from './define.ts';

const lineIndex = z.int().min(0);

export const changeApi = {
  /**
   * Answers several waiting proposals of one turn as one change set: those that are allowed are written all or none, and
   * taken back by one undo. Errors: CONFLICT (one of them waits no longer; nothing is answered then).
   */
  'change.answer': method(
    () =>
      z.object({
        session: sessionId,
        answers: z
          .array(
            z.object({
              call: callId,
              decision: z.enum(['once', 'deny']),
              reason: z.string().max(10_000).optional(),
              /** File by file; everything is kept when absent. */
              verdicts: z.array(fileVerdictSchema).optional(),
            }),
          )
          .min(1)
          .max(1000),
      }),
    () => nothing,
  ),
  /** The text of a content id that an event names. Binary content has no text. */
  'content.read': method(
    () => z.object({ session: sessionId, id: contentIdSchema }),
    () =>
      z.object({
        text: z.string().nullable(),
        base64: z.string().optional(),
        sizeBytes: z.number(),
        eol: z.string(),
        encoding: z.string(),
      }),
  ),
  /** Whether the files of a waiting change are still as they were when it was proposed. */
  'change.fresh': method(
    () => z.object({ session: sessionId, call: z.string() }),
    () => z.object({ stale: z.array(z.object({ path: z.string(), why: z.string() })) }),
  ),
  /**
   * Makes the waiting proposals whose files have moved on anew on the files as they are; those of which a hunk meets what was
   * changed there stay as they are, and are named.
   */
  'change.rebase': method(
    () => z.object({ session: sessionId }),
    () => z.object({ files: z.array(z.string()), conflicts: z.array(z.string()) }),
  ),
  /**
   * Tries the waiting proposals as they are judged by now (everything is kept where nothing is said); what comes of it is
   * told by `change.rehearsed`. `allow`: the person lets the shown checks run, for this session or by rules that are saved.
   */
  'change.rehearse': method(
    () =>
      z.object({
        session: sessionId,
        judged: z
          .array(z.object({ call: callId, verdicts: z.array(fileVerdictSchema) }))
          .max(1000)
          .optional(),
        allow: z.enum(['session', 'always']).optional(),
      }),
    () => nothing,
  ),
  /** Takes a change set back, file by file by content hash; `force` leaves out the files that have moved on. */
  'change.undo': method(
    () => z.object({ session: sessionId, changeSet: z.string(), skipStale: z.boolean().optional() }),
    () => z.object({ files: z.array(z.string()), skipped: z.array(z.string()) }),
  ),
  'change.redo': method(
    () => z.object({ session: sessionId, changeSet: z.string(), skipStale: z.boolean().optional() }),
    () => z.object({ files: z.array(z.string()), skipped: z.array(z.string()) }),
  ),
  /**
   * Takes back what the session wrote of one file, as a change set of its own. `before` and `after` say which change is meant:
   * of one set, or of all since the start. `hunks`: lines of both texts, counted from 0, `…End` not included; absent: all of it.
   */
  'change.takeBack': method(
    () =>
      z.object({
        session: sessionId,
        path: z.string(),
        before: contentIdSchema.nullable(),
        after: contentIdSchema.nullable(),
        hunks: z
          .array(z.object({ oldStart: lineIndex, oldEnd: lineIndex, nowStart: lineIndex, nowEnd: lineIndex }))
          .min(1)
          .max(10_000)
          .optional(),
      }),
    () => z.object({ changeSet: z.string() }),
  ),
  'image.store': method(
    () => z.object({ session: sessionId, base64: z.string().max(28_000_000), mediaType: z.string().regex(/^image\//) }),
    () => z.object({ id: z.string() }),
  ),
};
