import * as z from 'zod';
import type { Immutable } from '../../../../shared/immutable.ts';
import { proposedHunks } from '../../workspace/composeVerdict.ts';
import type { FileOutcome, ProposedChange } from '../../workspace/proposedChange.ts';
import type { Verdict } from './tool.ts';

const reviewedFileSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    verdict: z.enum(['applied', 'edited', 'partial', 'rejected']),
    /** Proposed hunks that were not written; `line` is 1-based in the file as it was. */
    rejectedHunks: z
      .array(z.object({ hunk: z.number(), line: z.number(), oldLines: z.number(), newLines: z.number() }))
      .optional(),
    comments: z.array(z.object({ hunk: z.number().optional(), text: z.string() })).optional(),
  }),
);
type ReviewedFile = Immutable<z.infer<typeof reviewedFileSchema>>;

/** What the person made of a proposal, for the model. */
export const reviewSchema = z.lazy(() =>
  z.object({
    outcome: z.enum(['applied', 'edited', 'partial']),
    note: z.string(),
    files: z.array(reviewedFileSchema),
  }),
);
export type Review = Immutable<z.infer<typeof reviewSchema>>;

const notes: Readonly<Record<Review['outcome'], string>> = {
  applied: 'Everything was written as proposed; the person left comments.',
  edited: 'The person changed the proposed text before it was written: read the file before you edit it again.',
  partial: 'Only a part of the proposal was written: what was rejected is not in the files.',
};

/** The review as the last line of a result that a model reads. */
export function reviewLines(review: Review | undefined): readonly string[] {
  return review === undefined ? [] : [`Review: ${JSON.stringify(review)}`];
}

/** Nothing when everything was written exactly as proposed and nothing was said about it. */
export function describeVerdict({ files }: Verdict, proposed: readonly ProposedChange[]): Review | undefined {
  if (files.every(({ verdict, comments }) => verdict === 'applied' && comments.length === 0)) return undefined;
  const byPath = new Map(proposed.map((change) => [change.path, change]));
  const outcome = files.some(({ verdict }) => verdict === 'partial' || verdict === 'rejected')
    ? 'partial'
    : files.some(({ verdict }) => verdict === 'edited')
      ? 'edited'
      : 'applied';
  return { outcome, note: notes[outcome], files: files.map((file) => reviewedFile(file, byPath.get(file.path))) };
}

function reviewedFile(file: FileOutcome, change: ProposedChange | undefined): ReviewedFile {
  const hunks = change && file.rejected.length > 0 ? proposedHunks(change) : [];
  const rejectedHunks = hunks
    .filter(({ index }) => file.rejected.includes(index))
    .map(({ index, oldStart, oldLines, newLines }) => ({
      hunk: index,
      line: oldLines === 0 ? oldStart + 1 : oldStart,
      oldLines,
      newLines,
    }));
  return {
    path: file.path,
    verdict: file.verdict,
    rejectedHunks: rejectedHunks.length > 0 ? rejectedHunks : undefined,
    comments: file.comments.length > 0 ? file.comments : undefined,
  };
}
