import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** Lower-case words with hyphens: part of a branch, a folder and a command line. */
export const laneNameSchema = z.lazy(() => z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'not the name of a lane'));

/** What a session in a lane says of it. */
export const laneHomeSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The real path of the project that the lane belongs to. */
    home: z.string(),
    branch: z.string(),
  }),
);
export type LaneHome = Immutable<z.infer<typeof laneHomeSchema>>;

/**
 * `making`, `closing`: cut off by a crash, put right when lanes are next looked at. `gone`: its folder was removed by others.
 * `closed`: nothing is left but commits that are on no other branch.
 */
export const laneStateSchema = z.lazy(() => z.enum(['making', 'open', 'gone', 'closing', 'closed']));

/** What is kept of a lane on disk, from before its first file until its last commit is let go. */
export const laneRecordSchema = z.lazy(() =>
  laneHomeSchema.unwrap().extend({
    name: laneNameSchema,
    state: laneStateSchema.unwrap().exclude(['gone']),
    /** The working tree, absolute. */
    tree: z.string(),
    /** The project of its sessions: `tree`, or the folder in it that the home project is in its repository. */
    folder: z.string(),
    /** The commit that the branch began at. */
    start: z.string(),
    /** What its changes are counted from: `start`, or a commit with what was carried over. */
    base: z.string(),
    session: z.string().nullable(),
    createdAt: z.string(),
    /** The first of ten ports that are its own. */
    port: z.number(),
  }),
);
export type LaneRecord = Immutable<z.infer<typeof laneRecordSchema>>;

export const laneSchema = z.lazy(() =>
  laneRecordSchema.unwrap().extend({
    state: laneStateSchema,
    /** Against `base`, as the files of the lane are now; zero where they are gone. */
    files: z.number(),
    additions: z.number(),
    deletions: z.number(),
    /** Commits of its branch that are on no other. */
    commits: z.number(),
  }),
);
export type Lane = Immutable<z.infer<typeof laneSchema>>;

/** What a new lane of a project would be, before it is made. */
export const lanePlanSchema = z.lazy(() =>
  z.object({
    /** A free name. */
    name: z.string(),
    branch: z.string(),
    /** Where it begins: a branch, or a commit of a detached HEAD. */
    from: z.string(),
    /** What stands in no commit and so is not in the lane unless it is carried over; the first hundred. */
    uncommitted: z.array(z.string()),
    uncommittedCount: z.number(),
    /** What is different in the lane, in words: submodules, a shallow history. */
    notes: z.array(z.string()),
    /** The command that makes a fresh checkout work, as the settings or the manifests say; empty where none is known. */
    setup: z.string(),
  }),
);
export type LanePlan = Immutable<z.infer<typeof lanePlanSchema>>;

/** One file that differs between a lane and what it began from. */
export const laneFileSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    status: z.enum(['added', 'modified', 'deleted']),
    /** The file is in the project as the lane has it. */
    isHome: z.boolean(),
    additions: z.number(),
    deletions: z.number(),
    /** Of a text: its hunks, with the lines they take away and bring. */
    hunks: z.array(z.object({ index: z.number(), line: z.number(), removed: z.string(), added: z.string() })),
    /** Why it, or one of its hunks, cannot be brought home as the project is now. */
    conflicts: z.array(z.object({ hunk: z.number().optional(), why: z.string() })),
  }),
);
export type LaneFile = Immutable<z.infer<typeof laneFileSchema>>;

/** What is to be brought of one lane: all of it, or some files, or some hunks of them. */
export const lanePickSchema = z.lazy(() =>
  z.object({
    lane: laneNameSchema,
    files: z.array(z.object({ path: z.string().min(1), hunks: z.array(z.int().min(0)).optional() })).optional(),
  }),
);
export type LanePick = Immutable<z.infer<typeof lanePickSchema>>;
