import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** A run of lines that differ. Line numbers are 1-based; a side with 0 lines starts at the line *before* the gap. */
const hunkSchema = z.lazy(() =>
  z.object({
    index: z.number(),
    oldStart: z.number(),
    oldLines: z.number(),
    newStart: z.number(),
    newLines: z.number(),
  }),
);
export type Hunk = Immutable<z.infer<typeof hunkSchema>>;

/** Content by its identity: the SHA-256 (hex) of the bytes. The bytes themselves are fetched with `content.read`. */
export const contentIdSchema = z.lazy(() => z.string().regex(/^[0-9a-f]{64}$/, 'not a content id'));
export type ContentId = z.infer<typeof contentIdSchema>;

const statusSchema = z.lazy(() => z.enum(['added', 'modified', 'deleted', 'renamed']));

/** The proposed content of one file, as it crosses the wire and stands in the journal. */
export const changeSchema = z.lazy(() =>
  z.object({
    /** Relative to the project, with forward slashes. */
    path: z.string(),
    oldPath: z.string().optional(),
    status: statusSchema,
    before: contentIdSchema.nullable(),
    after: contentIdSchema.nullable(),
    binary: z.boolean().optional(),
    /** Set when the executable bit is to change. */
    executable: z.boolean().optional(),
    additions: z.number(),
    deletions: z.number(),
    hunks: z.array(hunkSchema),
    /** Why this path is always asked (P12), in words; absent for ordinary files. */
    protectedBy: z.string().optional(),
  }),
);
export type Change = Immutable<z.infer<typeof changeSchema>>;

/** What the person decided about one file of a change set. */
export const fileVerdictSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    /** `all`, `none`, or the indexes of the hunks that stay. Ignored when `content` is given. */
    keep: z.union([z.literal('all'), z.literal('none'), z.array(z.int().min(0))]),
    /** The whole final text, when the person edited the proposed side. Line ends are matched to the file's own. */
    content: z.string().optional(),
    /** What the model is told about single hunks (or about the whole file, without an index). */
    comments: z.array(z.object({ hunk: z.int().min(0).optional(), text: z.string().max(10_000) })).optional(),
  }),
);
export type FileVerdict = Immutable<z.infer<typeof fileVerdictSchema>>;

/** One file of a change set as it was really written. */
export const appliedFileSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    oldPath: z.string().optional(),
    status: statusSchema,
    before: contentIdSchema.nullable(),
    after: contentIdSchema.nullable(),
    additions: z.number(),
    deletions: z.number(),
    /** How the written content relates to the proposal. */
    verdict: z.enum(['applied', 'edited', 'partial', 'rejected']),
    /** Permission bits (0o7777) before and after, so that an undo brings back a script as a script. */
    beforeMode: z.number().optional(),
    afterMode: z.number().optional(),
    /** Folders that were made for this file, outermost first; an undo removes them when they are empty again. */
    madeFolders: z.array(z.string()).optional(),
  }),
);
export type AppliedFile = Immutable<z.infer<typeof appliedFileSchema>>;

/** A change set that was applied together, and can be taken back together. */
export const changeSetSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    call: z.string(),
    /** All calls that were written with it, in their order; absent where there is only the one. */
    calls: z.array(z.string()).optional(),
    turn: z.string(),
    at: z.string(),
    files: z.array(appliedFileSchema),
    /** An undo can be taken back too: `applied` again after a redo. */
    state: z.enum(['applied', 'undone']),
    /** The person took back a part of earlier ones by it. */
    isTakenBack: z.boolean().optional(),
  }),
);
export type AppliedChangeSet = Immutable<z.infer<typeof changeSetSchema>>;
