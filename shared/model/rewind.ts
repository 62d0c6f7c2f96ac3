import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { phaseFactsSchema } from './phase.ts';

/** Where a session can go back to. */
export const rewindPointSchema = z.lazy(() =>
  z.union([
    /** Right before this item of the timeline; its length: as things are now. */
    z.object({ item: z.int().min(0) }),
    /** Right before this change set was written. */
    z.object({ changeSet: z.string() }),
    /** Right before this rewind: its files come again. The conversation that went is opened by `session.fork`. */
    z.object({ rewind: z.string() }),
  ]),
);
export type RewindPoint = Immutable<z.infer<typeof rewindPointSchema>>;

/** What goes back: the files, the conversation (`talk`), or both. */
export const rewindPartSchema = z.enum(['files', 'talk', 'both']);
export type RewindPart = z.infer<typeof rewindPartSchema>;

/** Files of one change set that were taken back (`undone`) or put back (`applied`). */
export const movedSchema = z.lazy(() =>
  z.object({ changeSet: z.string(), to: z.enum(['undone', 'applied']), files: z.array(z.string()) }),
);

/** The conversation as it was: what `reduce` cannot know of the point. */
export const rewoundTalkSchema = z.lazy(() =>
  z.object({
    items: z.number(),
    facts: phaseFactsSchema,
    compacted: z.object({ upTo: z.number(), summary: z.string() }).nullable(),
    /** The turn that the point lies in: it can be continued from there. */
    interrupted: z.string().nullable(),
  }),
);

/** Of a notice that the model reads too: files and conversation are not from one point, so it must look again. */
export const toldRewind = 'rewound_apart';

/** What the conversation shows of it. */
export const rewindNoticeSchema = z.lazy(() =>
  z.object({ level: z.enum(['info', 'warning']), code: z.enum(['rewound', toldRewind]), text: z.string() }),
);

/** A file that goes back, or one that stays as it is, and why. */
export const rewindPreviewSchema = z.lazy(() =>
  z.object({
    files: z.array(z.object({ path: z.string(), now: z.enum(['changed', 'removed', 'restored']) })),
    left: z.array(z.object({ path: z.string(), why: z.string() })),
    /** Items of the conversation that go. */
    items: z.number(),
    /** Its id, once it is done: by this it can be taken back. */
    rewind: z.string().optional(),
  }),
);
export type RewindPreview = Immutable<z.infer<typeof rewindPreviewSchema>>;
