import { type Failure, ok, type Result } from '../../../shared/result.ts';
import { moveEdits } from '../../../shared/text/moveEdits.ts';
import { runsBetween } from '../workspace/knownRuns.ts';
import type { Look } from '../workspace/look.ts';
import { type FileOutcome, isText, type ProposedChange } from '../workspace/proposedChange.ts';
import type { TextFile } from '../workspace/textFile.ts';

/** What a person left of a proposal. */
export interface Judged {
  readonly changes: readonly ProposedChange[];
  readonly files: readonly FileOutcome[];
}

export const baseGone: Failure = {
  code: 'STALE',
  message:
    'An earlier edit of the same file in this reply was not written as proposed, and this edit no longer fits what the file holds, so it was not written. Read the file and propose it anew.',
};

const hunkGone = 'Not written: it builds on lines of an earlier edit of this reply that were not written as proposed.';

/**
 * What is left of an edit once the edits are decided that it was shown on top of: each hunk goes where its lines stand
 * now, and one whose lines are not there is left out. `look` sees the files as they will be below it, `below` names those
 * that were edited there. Error: STALE when nothing of it fits, or when one line of what a person typed does not.
 */
export async function fitVerdict<J extends Judged>(
  judged: J,
  shown: readonly ProposedChange[],
  look: Look,
  below: ReadonlySet<string>,
): Promise<Result<J>> {
  const changes: ProposedChange[] = [];
  const files = [...judged.files];
  for (const change of judged.changes) {
    const now = below.has(change.path) ? await look.readText(change.path) : undefined;
    const base = now?.ok ? now.value : null;
    if (!now || (base?.hash ?? null) === (change.before?.hash ?? null)) {
      changes.push(change);
      continue;
    }
    const at = files.findIndex(({ path }) => path === change.path);
    const outcome = files[at];
    const whole = shown.find(({ path }) => path === change.path);
    if (!outcome || !whole || base === null) return { ok: false, error: baseGone };
    const fitted = fitChange(outcome.edited ? change : whole, base, outcome.edited ? undefined : outcome.kept);
    if (!fitted || (outcome.edited && fitted.lost.length > 0)) return { ok: false, error: baseGone };
    files[at] = withoutHunks(outcome, fitted.lost);
    if (fitted.lost.length < (outcome.kept.length || 1)) changes.push(fitted.change);
  }
  if (changes.length === 0 && judged.changes.length > 0) return { ok: false, error: baseGone };
  return ok({ ...judged, changes, files });
}

/**
 * New content of a text file, made on another state of the file. `keep`: the hunks to be made, all where absent; `lost`:
 * those whose lines are not there. Nothing where it is no such change.
 */
export function fitChange(
  change: ProposedChange,
  base: TextFile,
  keep?: readonly number[],
): { readonly change: ProposedChange; readonly lost: readonly number[] } | undefined {
  const { before, after, oldPath } = change;
  if (before === null || !isText(before) || after === null || !('text' in after) || oldPath !== undefined)
    return undefined;
  const runs = runsBetween(before.text, after);
  const kept = keep ?? runs.map((_, index) => index);
  const { text, lost } = moveEdits(
    before.text,
    after.text,
    base.text,
    kept.flatMap((index) => runs[index] ?? []),
  );
  return {
    change: { ...change, before: base, after: { text, like: base } },
    lost: lost.flatMap((at) => kept[at] ?? []),
  };
}

function withoutHunks(outcome: FileOutcome, lost: readonly number[]): FileOutcome {
  if (lost.length === 0) return outcome;
  const kept = outcome.kept.filter((hunk) => !lost.includes(hunk));
  return {
    ...outcome,
    verdict: kept.length === 0 ? 'rejected' : 'partial',
    kept,
    rejected: [...outcome.rejected, ...lost].toSorted((a, b) => a - b),
    comments: [...outcome.comments, ...lost.map((hunk) => ({ hunk, text: hunkGone }))],
  };
}
