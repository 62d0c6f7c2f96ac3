import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { sessionId } from './common.ts';
import { method } from './define.ts';

const project = z.string();

/** The changes of one file on one side of the index. */
const sideSchema = z.lazy(() =>
  z.object({
    /** Of its hunks, for `of` when some of them are staged; absent where the file goes as a whole. */
    id: z.string().optional(),
    binary: z.boolean(),
    additions: z.number(),
    deletions: z.number(),
    /** Lines with their first character; a very long diff is cut. */
    hunks: z.array(z.object({ oldStart: z.number(), newStart: z.number(), lines: z.array(z.string()) })),
  }),
);
export type GitSide = Immutable<z.infer<ReturnType<typeof sideSchema.unwrap>>>;

const conflictSchema = z.lazy(() =>
  z.object({
    /** Of the file as it lies there. */
    id: z.string(),
    /** Empty where one side removed the file, or the marks are gone. */
    parts: z.array(z.object({ ours: z.string(), theirs: z.string(), oursName: z.string(), theirsName: z.string() })),
  }),
);

const fileSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    oldPath: z.string().optional(),
    status: z.enum(['modified', 'added', 'deleted', 'renamed', 'untracked', 'conflicted']),
    staged: sideSchema.optional(),
    unstaged: sideSchema.optional(),
    conflict: conflictSchema.optional(),
  }),
);
export type GitFile = Immutable<z.infer<ReturnType<typeof fileSchema.unwrap>>>;

const stateSchema = z.lazy(() =>
  z.object({
    branch: z.string().nullable(),
    detached: z.boolean(),
    /** Null before the first commit. */
    head: z.string().nullable(),
    upstream: z.string().nullable(),
    ahead: z.number(),
    behind: z.number(),
    branches: z.array(z.string()),
    hasRemote: z.boolean(),
    /** What git is in the middle of, and the ways out, in words. */
    middle: z.string().optional(),
    /** At most 300 of them. */
    files: z.array(fileSchema),
    total: z.number(),
    /** What makes pull requests here. */
    hosting: z.enum(['gh', 'glab']).optional(),
  }),
);
export type GitState = Immutable<z.infer<ReturnType<typeof stateSchema.unwrap>>>;

const files = z.array(z.string().max(10_000)).min(1).max(1000);
const name = z.string().min(1).max(250);
const side = z.enum(['ours', 'theirs', 'both']);

/** What the person does in the panel of git. */
const actionSchema = z.lazy(() =>
  z.discriminatedUnion('do', [
    z.object({
      do: z.enum(['stage', 'unstage']),
      files: files.optional(),
      /** Of one file, counted from 1. */
      hunks: z.array(z.int().min(1)).min(1).max(1000).optional(),
      of: z.string().optional(),
    }),
    z.object({ do: z.literal('commit'), message: z.string().min(1).max(100_000), amend: z.boolean().optional() }),
    z.object({ do: z.enum(['createBranch', 'switch']), name }),
    z.object({ do: z.enum(['fetch', 'pull', 'push', 'giveUp']) }),
    z.object({ do: z.literal('pullRequest'), title: z.string().min(1).max(250), body: z.string().max(60_000) }),
    /** One choice for each conflict of the file, in their order. */
    z.object({ do: z.literal('resolve'), file: z.string(), of: z.string(), choices: z.array(side).min(1).max(1000) }),
  ]),
);
export type GitAction = Immutable<z.infer<ReturnType<typeof actionSchema.unwrap>>>;

export const gitApi = {
  /** What has changed since the last commit, by file and hunk. `problem` in place of it says why there is nothing to show. */
  'git.state': method(
    () => z.object({ project }),
    () => z.object({ state: stateSchema.optional(), problem: z.string().optional() }),
  ),
  /**
   * Does one thing by the tool for it, through the same rules and limits. What would be asked about is answered by the click
   * itself where it shows all of it (stage, commit, resolve); else `asks` says what would happen, and the same action with its
   * `id` as `confirmed` does it, as long as it is still the same. Errors: those of the tool.
   */
  'git.act': method(
    () => z.object({ project, action: actionSchema, confirmed: z.string().optional() }),
    () =>
      z.object({
        /** What was done, in words. */
        done: z.string().optional(),
        asks: z
          .object({ id: z.string(), summary: z.string(), text: z.string(), reasons: z.array(z.string()) })
          .optional(),
      }),
  ),
  /** A message for what is staged, by the session's model. Errors: NOTHING_TO_COMMIT, CONFIG_INVALID, those of the provider. */
  'git.propose': method(
    () => z.object({ session: sessionId }),
    () => z.object({ message: z.string() }),
  ),
  /** What people said of the branch's pull request, as text. Errors: UNAVAILABLE (neither gh nor glab), those of the program. */
  'git.comments': method(
    () => z.object({ project, confirmed: z.string().optional() }),
    () =>
      z.object({
        text: z.string().optional(),
        asks: z
          .object({ id: z.string(), summary: z.string(), text: z.string(), reasons: z.array(z.string()) })
          .optional(),
      }),
  ),
};
