import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { askedSchema } from './asked.ts';
import { changeSchema } from './change.ts';
import { levelSchema } from './level.ts';

const effectSchema = z.lazy(() => z.enum(['reads', 'writes', 'executes', 'network']));
export type Effect = z.infer<typeof effectSchema>;

/** What a call would touch; rules and the phase gate look at these, never at tool names. */
const targetSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('path'), path: z.string(), access: z.enum(['read', 'write']) }),
    z.object({
      kind: z.literal('command'),
      command: z.string(),
      argv: z.array(z.string()).optional(),
      cwd: z.string(),
    }),
    z.object({ kind: z.literal('host'), host: z.string() }),
    z.object({ kind: z.literal('other'), name: z.string() }),
  ]),
);
export type Target = Immutable<z.infer<typeof targetSchema>>;

const commandPreviewSchema = z.lazy(() =>
  z.object({
    kind: z.literal('command'),
    /** The exact text (shell mode) or the words joined for reading (direct mode). */
    command: z.string(),
    /** The exact words in direct mode. */
    argv: z.array(z.string()).optional(),
    cwd: z.string(),
    mode: z.enum(['shell', 'direct']),
    /** SHA-256 over command, words, folder and environment additions: what was approved is what runs. */
    hash: z.string(),
    env: z.record(z.string(), z.string()).optional(),
  }),
);

const previewSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('changes'), changes: z.array(changeSchema) }),
    commandPreviewSchema.unwrap(),
    /** Answered in words, with all others that stand in `more` as one message. */
    askedSchema.unwrap().extend({ kind: z.literal('question'), more: z.array(askedSchema).optional() }),
    z.object({ kind: z.literal('text'), title: z.string(), text: z.string() }),
  ]),
);
export type Preview = Immutable<z.infer<typeof previewSchema>>;

const standingWishSchema = z.lazy(() =>
  z.object({
    /** Real path of the folder. */
    place: z.string(),
    /** The agent asks for it (`grantPermission`); only then it is offered. Never an answer by itself. */
    asked: z.boolean(),
  }),
);
export type StandingWish = Immutable<z.infer<typeof standingWishSchema>>;

/** What a call wants to do, shown before it happens. What is shown here is what runs. */
export const intentSchema = z.lazy(() =>
  z.object({
    risk: levelSchema,
    effects: z.array(effectSchema),
    targets: z.array(targetSchema),
    /** One line, sentence case, for the call card. */
    summary: z.string(),
    preview: previewSchema,
    /** The command is proven to only read. */
    provenReadOnly: z.boolean().optional(),
    /** The person may allow this tool in this folder for a while. */
    standing: standingWishSchema.optional(),
  }),
);
export type Intent = Immutable<z.infer<typeof intentSchema>>;
