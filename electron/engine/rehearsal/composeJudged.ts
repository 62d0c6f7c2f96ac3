import type { FileVerdict } from '../../../shared/model/change.ts';
import { fitVerdict } from '../edits/fitVerdict.ts';
import { lookAfter } from '../edits/overlayLook.ts';
import { composeVerdict } from '../workspace/composeVerdict.ts';
import type { Look } from '../workspace/look.ts';
import type { FileOutcome, ProposedChange } from '../workspace/proposedChange.ts';

/** What one call proposes. */
export interface Proposal {
  readonly call: string;
  readonly changes: readonly ProposedChange[];
}

/** One file of a proposal as it would be written, with what was shown of it. */
export interface JudgedChange {
  readonly call: string;
  /** As it was proposed; hunks are counted in it. */
  readonly shown: ProposedChange;
  readonly change: ProposedChange;
  readonly outcome: FileOutcome;
}

/**
 * The changes that these verdicts would leave of the proposals, in their order: each on top of what is left of the ones
 * before it, as it would be written. Where nothing is said of a call, all of it is kept.
 */
export async function composeJudged(
  proposals: readonly Proposal[],
  verdicts: ReadonlyMap<string, readonly FileVerdict[]>,
  look: Look,
): Promise<readonly JudgedChange[]> {
  const judged: JudgedChange[] = [];
  for (const { call, changes } of proposals) {
    const below = judged.map(({ change }) => change);
    const shared = new Set(
      judged.map(({ shown }) => shown.path).filter((path) => changes.some((change) => change.path === path)),
    );
    const composed = composeVerdict(changes, verdicts.get(call));
    const fitted = await fitVerdict(composed, changes, lookAfter(look, below), shared);
    // Nothing of it fits what is left of the others: it would not be written either.
    if (!fitted.ok) continue;
    for (const change of fitted.value.changes) {
      const shown = changes.find(({ path }) => path === change.path);
      const outcome = fitted.value.files.find(({ path }) => path === change.path);
      if (shown && outcome) judged.push({ call, shown, change, outcome });
    }
  }
  return judged;
}
