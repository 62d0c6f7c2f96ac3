import * as z from 'zod';
import { errorCodes } from '../errorCode.ts';
import type { AppliedFile } from '../model/change.ts';
import type { Intent } from '../model/intent.ts';
import { levels } from '../model/level.ts';
import { nothing } from './common.ts';
import { method } from './define.ts';
import { fileVerdict } from './permissionApi.ts';

const text = z.string().max(1_000_000);
const line = z.string().max(10_000);
const contentId = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const hunk = z.lazy(() =>
  z.object({ index: count, oldStart: count, oldLines: count, newStart: count, newLines: count }),
);

const change = z.lazy(() =>
  z.object({
    path: line,
    oldPath: line.optional(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed']),
    before: contentId.nullable(),
    after: contentId.nullable(),
    binary: z.boolean().optional(),
    executable: z.boolean().optional(),
    additions: count,
    deletions: count,
    hunks: z.array(hunk).max(100_000),
    protectedBy: line.optional(),
  }),
);

const command = {
  command: text,
  argv: z.array(text).max(10_000).optional(),
  cwd: line,
};

/** What a call wants to do, as another process of this user tells it. */
const intent: z.ZodType<Intent, Intent> = z.lazy(() =>
  z.object({
    risk: z.enum(levels),
    effects: z.array(z.enum(['reads', 'writes', 'executes', 'network'])).max(4),
    targets: z
      .array(
        z.union([
          z.object({ kind: z.literal('path'), path: line, access: z.enum(['read', 'write']) }),
          z.object({ kind: z.literal('command'), ...command }),
          z.object({ kind: z.literal('host'), host: line }),
          z.object({ kind: z.literal('other'), name: line }),
        ]),
      )
      .max(10_000),
    summary: line,
    provenReadOnly: z.boolean().optional(),
    preview: z.union([
      z.object({ kind: z.literal('none') }),
      z.object({ kind: z.literal('changes'), changes: z.array(change).max(10_000) }),
      z.object({
        kind: z.literal('command'),
        ...command,
        mode: z.enum(['shell', 'direct']),
        hash: line,
        env: z.record(line, text).optional(),
      }),
      z.object({ kind: z.literal('question'), question: text }),
      z.object({ kind: z.literal('text'), title: line, text }),
    ]),
  }),
);

const appliedFile = (): z.ZodType<AppliedFile, AppliedFile> =>
  z.object({
    path: line,
    oldPath: line.optional(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed']),
    before: contentId.nullable(),
    after: contentId.nullable(),
    additions: count,
    deletions: count,
    verdict: z.enum(['applied', 'edited', 'partial', 'rejected']),
    beforeMode: count.optional(),
    afterMode: count.optional(),
    madeFolders: z.array(line).max(1_000).optional(),
  });

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
          level: z.enum(levels),
          input: z.unknown(),
          intent,
        }),
      }),
    () =>
      z.object({
        decision: z.enum(['allow', 'deny']),
        reason: z.string().optional(),
        verdicts: z.array(fileVerdict).optional(),
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
        applied: z.array(appliedFile()).max(10_000).optional(),
      }),
    () => nothing,
  ),
  /** Takes a question back. */
  'external.leave': method(
    () => z.object({ key }),
    () => nothing,
  ),
};
