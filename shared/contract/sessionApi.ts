import * as z from 'zod';
import { uncopied } from '../fits.ts';
import { contextUseSchema } from '../model/contextUse.ts';
import { levelSchema } from '../model/level.ts';
import { askedModelSchema } from '../model/modelInfo.ts';
import { modeSchema, phaseSchema } from '../model/phase.ts';
import { rewindPartSchema, rewindPointSchema, rewindPreviewSchema } from '../model/rewind.ts';
import { sessionStateSchema } from '../model/sessionState.ts';
import { todosSchema } from '../model/todo.ts';
import { usageSchema } from '../model/usage.ts';
import { nothing, sessionId, text } from './common.ts';
import { method } from './define.ts';

/** As a message brings it: what a file held is filled in by the engine. */
const givenAttachment = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['file', 'folder']), path: z.string() }),
    z.object({ kind: z.literal('image'), content: z.string(), mediaType: z.string(), name: z.string().optional() }),
    z.object({ kind: z.literal('text'), title: z.string(), text: z.string() }),
  ]),
);

export const sessionApi = {
  'session.create': method(
    () =>
      z.object({
        project: z.string(),
        title: z.string().max(200).optional(),
        mode: modeSchema.optional(),
        provider: z.string().optional(),
        model: z.string().optional(),
        effort: z.string().max(40).optional(),
      }),
    () => z.object({ session: sessionId }),
  ),
  /**
   * The state now; every later fact of the session reaches this connection until `session.unwatch`. Of a long timeline only the
   * newest chunks, as a frame can hold them: those before are empty, and `session.items` gives them.
   */
  'session.watch': method(
    () => z.object({ session: sessionId }),
    () => z.object({ seq: z.number(), state: uncopied(sessionStateSchema), draft: z.string() }),
  ),
  /** The chunks of the timeline before one, as many as a frame can hold, from number `from` on. They never change any more. */
  'session.items': method(
    () => z.object({ session: sessionId, before: z.int().min(1) }),
    () => z.object({ from: z.number(), items: uncopied(sessionStateSchema.unwrap().shape.items) }),
  ),
  'session.unwatch': method(
    () => z.object({ session: sessionId }),
    () => nothing,
  ),
  /** Starts a turn, or queues the message while one runs. */
  'session.send': method(
    () => z.object({ session: sessionId, text, attachments: z.array(givenAttachment).optional() }),
    () => z.object({ turn: z.string(), queued: z.boolean() }),
  ),
  /**
   * What could complete an `@` in a message: `query` is what stands behind it so far, `mention` what to put there (in
   * quotes where it holds a blank). `symbol:`, `task:` and `change:` ask for these alone; the last two need a session.
   */
  'mention.find': method(
    () =>
      z.object({
        project: z.string(),
        session: sessionId.optional(),
        query: z.string().max(500),
        limit: z.int().min(1).max(200),
      }),
    () =>
      z.object({
        choices: z.array(
          z.object({
            kind: z.enum(['file', 'folder', 'symbol', 'task', 'change', 'resource']),
            mention: z.string(),
            label: z.string(),
            note: z.string(),
          }),
        ),
      }),
  ),
  /**
   * What the next request would fill of the model's window, and with what: counted by the model's own tokenizer where it is
   * known, else estimated (`use.counted`). Counting may take a second the first time.
   */
  'session.context': method(
    () => z.object({ session: sessionId }),
    () => z.object({ use: contextUseSchema }),
  ),
  /** Whom the next request asks, without asking anybody; without a session, that of a new one. */
  'session.model': method(
    () => z.object({ session: sessionId.optional() }),
    () => z.object({ model: askedModelSchema }),
  ),
  /** What all sessions of this user have used today. */
  'usage.today': method(
    () => nothing,
    () => z.object({ usage: usageSchema }),
  ),
  'session.unqueue': method(
    () => z.object({ session: sessionId, id: z.string() }),
    () => nothing,
  ),
  /** Puts a queued message before another one, or last. One that has been read meanwhile stays read, and nothing is said of it. */
  'session.moveQueued': method(
    () => z.object({ session: sessionId, id: z.string(), before: z.string().optional() }),
    () => nothing,
  ),
  'session.stop': method(
    () => z.object({ session: sessionId }),
    () => nothing,
  ),
  /** Goes on with a turn that was interrupted (a crash, a restart, a failed provider). */
  'session.continue': method(
    () => z.object({ session: sessionId }),
    () => z.object({ turn: z.string() }),
  ),
  'session.draft': method(
    () => z.object({ session: sessionId, text }),
    () => nothing,
  ),
  'session.rename': method(
    () => z.object({ session: sessionId, title: z.string().min(1).max(200) }),
    () => nothing,
  ),
  /** Renames a file that a command has left where other programs obey it, so that none does. `path` stands in a notice. */
  'session.setAside': method(
    () => z.object({ session: sessionId, path: z.string() }),
    () => z.object({ path: z.string() }),
  ),
  'session.archive': method(
    () => z.object({ session: sessionId, archived: z.boolean() }),
    () => nothing,
  ),
  'session.delete': method(
    () => z.object({ session: sessionId }),
    () => nothing,
  ),
  /** What can be read of a damaged session, as a new one. `project`: where its journal does not say it. */
  'session.copyReadable': method(
    () => z.object({ session: sessionId, project: z.string().optional() }),
    () => z.object({ session: sessionId }),
  ),
  /** A copy up to an item of the timeline, or as it was before a rewind. */
  'session.fork': method(
    () =>
      z.union([
        z.object({ session: sessionId, item: z.int().min(0) }),
        z.object({ session: sessionId, rewind: z.string() }),
      ]),
    () => z.object({ session: sessionId }),
  ),
  /**
   * Goes back to an earlier point: files, conversation or both. Only what this session wrote goes back; files that anybody
   * else has changed since are named in `left` and stay. With `preview` nothing happens. UNAVAILABLE while a turn runs;
   * VALIDATION_ERROR where there is no such point.
   */
  'session.rewind': method(
    () =>
      z.object({
        session: sessionId,
        to: rewindPointSchema,
        what: rewindPartSchema,
        preview: z.boolean().optional(),
      }),
    () => rewindPreviewSchema,
  ),
  'session.configure': method(
    () =>
      z.object({
        session: sessionId,
        mode: modeSchema.optional(),
        provider: z.string().optional(),
        model: z.string().optional(),
        allow: levelSchema.optional(),
        effort: z.string().max(40).optional(),
        /** US dollars. */
        maxCost: z.number().positive().optional(),
        /** Edits are written as they come, and reviewed after. */
        appliesEdits: z.boolean().optional(),
      }),
    () => nothing,
  ),
  /**
   * Writes PROJECT.md through the usual review: a task of one step. FILE_EXISTS when there is one and `replace` was not
   * said; ask the person first.
   */
  'session.init': method(
    () => z.object({ session: sessionId, replace: z.boolean().optional() }),
    () => z.object({ turn: z.string() }),
  ),
  'session.movePhase': method(
    () => z.object({ session: sessionId, phase: phaseSchema }),
    () => nothing,
  ),
  /** The to-do list as the person wants it; the agent reads it with its next request. */
  'session.setTodos': method(
    () => todosSchema.unwrap().extend({ session: sessionId }),
    () => nothing,
  ),
  /** The person calls a tool, through the same gate; answers when it is proposed. Errors: those of its plan, and nothing is kept. */
  'session.callTool': method(
    () => z.object({ session: sessionId, tool: z.string(), input: z.record(z.string(), z.unknown()) }),
    () => z.object({ call: z.string() }),
  ),
  'session.export': method(
    () => z.object({ session: sessionId, format: z.enum(['markdown', 'json']) }),
    () => z.object({ text: z.string() }),
  ),
  'session.search': method(
    () => z.object({ query: z.string().max(500), project: z.string().optional() }),
    () =>
      z.object({
        hits: z.array(z.object({ session: sessionId, title: z.string(), at: z.string(), excerpt: z.string() })),
      }),
  ),
};
