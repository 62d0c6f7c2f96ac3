import type { AppliedFile } from '../../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { FileOutcome, ProposedChange } from '../../workspace/proposedChange.ts';
import { describeVerdict, type Review } from './describeVerdict.ts';
import type { Hands, Verdict } from './tool.ts';

export interface AppliedReview {
  readonly applied: readonly AppliedFile[];
  /** As they were written: the person may have changed what was proposed. */
  readonly changes: readonly ProposedChange[];
  readonly review?: Review;
}

/**
 * Writes what the person left of a proposal. Errors: PERMISSION_DENIED when nothing is left (the comments say why), and
 * those of `applyChanges`.
 */
export async function applyReviewed(
  proposed: readonly ProposedChange[],
  hands: Hands,
  verdict: Verdict,
): Promise<Result<AppliedReview>> {
  if (proposed.length > 0 && verdict.changes.length === 0) return allRejected(verdict.files);
  const applied = await hands.applyChanges(verdict.changes, verdict.files);
  if (!applied.ok) return applied;
  const review = describeVerdict(verdict, proposed);
  return ok({ applied: applied.value, changes: verdict.changes, review });
}

function allRejected(files: readonly FileOutcome[]): Result<never> {
  const comments = files.flatMap(({ path, comments: said }) => said.map((comment) => ({ path, ...comment })));
  const words = comments.map(({ path, text }) => `${path}: ${text}`).join('; ');
  return fail('PERMISSION_DENIED', rejectedWords(words), { comments });
}

/** What the model hears when a person keeps nothing of a change. */
export function rejectedWords(said: string): string {
  return said.trim() === ''
    ? 'The change was rejected without a comment, nothing was written. Ask what is wanted before proposing it again.'
    : `The change was rejected, nothing was written. The person says: ${said.trim()}`;
}
