import * as z from 'zod';
import { type LanePick, lanePickSchema } from '../../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { FileOutcome, ProposedChange } from '../../workspace/proposedChange.ts';
import { reviewLines, reviewSchema } from '../frame/describeVerdict.ts';
import { unique, writeErrors } from '../frame/errorGroups.ts';
import { applyReviewed } from '../frame/reviewed.ts';
import { changeIntent, defineTool, readIntent, type Tool } from '../frame/tool.ts';

/** A file or hunk of a lane that does not go home. */
const conflictSchema = z.lazy(() =>
  z.object({ lane: z.string(), path: z.string(), hunk: z.number().optional(), why: z.string() }),
);
type Conflict = Readonly<z.infer<ReturnType<typeof conflictSchema.unwrap>>>;

interface Taken {
  readonly lane: string;
  readonly path: string;
}

/** The lanes of a project, as far as they come home. */
export interface LanePort {
  /** Errors: VALIDATION_ERROR, UNAVAILABLE, those of git. */
  compose(picks: readonly LanePick[]): Promise<
    Result<{
      readonly changes: readonly ProposedChange[];
      readonly conflicts: readonly Conflict[];
      readonly taken: readonly Taken[];
    }>
  >;
  /** Each lane learns what became of what was wanted of it. */
  tell(taken: readonly Taken[], files: readonly FileOutcome[]): Promise<void>;
}

/** What lanes changed, on the files of the project as they are now: one review, one write, one undo. */
export function createBringHome(lanes: LanePort): Tool {
  return defineTool({
    name: 'bring_home',
    category: 'patch',
    permission: 'dangerous',
    errors: unique(...writeErrors, 'NOT_A_GIT_REPOSITORY', 'GIT_ERROR', 'CONFLICT', 'LIMIT_EXCEEDED', 'UNAVAILABLE'),
    about:
      'Propose what lanes of this project changed, on the files as they are now, as one change set. Name files or hunks to take only these; of several lanes the picks must fit each other. leaveConflicts brings the rest where some do not fit.',
    input: () =>
      z.object({
        picks: z.array(lanePickSchema).min(1).max(20),
        leaveConflicts: z.boolean().optional(),
      }),
    output: () =>
      z.object({
        brought: z.array(z.object({ lane: z.string(), path: z.string() })),
        conflicts: z.array(conflictSchema),
        review: reviewSchema.optional(),
      }),
    text: ({ brought, conflicts, review }) =>
      [
        brought.length === 0 ? 'The project has all of it already.' : '',
        ...brought.map(({ lane, path }) => `${path} from ${lane}`),
        ...conflicts.map((one) => `left out: ${conflictLine(one)}`),
        ...reviewLines(review),
      ]
        .filter((line) => line !== '')
        .join('\n'),
    async plan({ picks, leaveConflicts = false }) {
      const composed = await lanes.compose(picks);
      if (!composed.ok) return composed;
      const { changes, conflicts, taken } = composed.value;
      if (conflicts.length > 0 && !leaveConflicts)
        return fail(
          'CONFLICT',
          `Nothing was proposed, since not all of it fits: ${conflicts.map(conflictLine).join('; ')}. Leave these out, or say leaveConflicts.`,
          { conflicts },
        );
      const names = [...new Set(picks.map(({ lane }) => lane))].join(', ');
      const summary = `Bring home ${changes.length === 1 ? '1 file' : `${changes.length} files`} of ${names}`;
      const intent = changes.length === 0 ? readIntent(summary) : changeIntent(summary, changes);
      return ok({ intent, plan: { changes, conflicts, taken } });
    },
    async run({ changes, conflicts, taken }, hands, verdict) {
      if (changes.length === 0) return ok({ brought: [], conflicts });
      const written = await applyReviewed(changes, hands, verdict);
      await lanes.tell(taken, verdict.files);
      if (!written.ok) return written;
      const kept = new Set(written.value.changes.map(({ path }) => path));
      const brought = taken.filter(({ path }) => kept.has(path));
      return ok({ brought: [...brought], conflicts: [...conflicts], review: written.value.review });
    },
  });
}

function conflictLine({ lane, path, hunk, why }: Conflict): string {
  return `${path}${hunk === undefined ? '' : `, hunk ${hunk}`} of ${lane}: ${why}`;
}
