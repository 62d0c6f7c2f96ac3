import type { FileVerdict } from '../../../shared/model/change.ts';
import { type Failure, ok, type Result } from '../../../shared/result.ts';
import { type DiffRun, diffRuns } from '../workspace/diffRuns.ts';
import { splitLines } from '../workspace/lines.ts';
import { isText, type ProposedChange, sameContent } from '../workspace/proposedChange.ts';
import { type HunkText, hunkTexts } from '../workspace/verdict.ts';

/** A change that another proposal may lie on top of, or lie on: plain new content of one file that keeps its name. */
function isPlain({ oldPath, after, executable }: ProposedChange): boolean {
  return oldPath === undefined && after !== null && executable === undefined;
}

/** Whether `upper` can be shown as it will be once `lower` is written: they meet only in files whose content both change. */
export function canStack(lower: readonly ProposedChange[], upper: readonly ProposedChange[]): boolean {
  if (lower.length === 0 || upper.length === 0) return false;
  return lower.every((low) =>
    upper.every((up) =>
      pathsOf(low).every((a) =>
        pathsOf(up).every((b) => !isOnTheWay(a, b) && (a !== b || (isPlain(low) && isPlain(up)))),
      ),
    ),
  );
}

export function sharePath(lower: readonly ProposedChange[], upper: readonly ProposedChange[]): boolean {
  return lower.some((low) => upper.some((up) => pathsOf(low).some((path) => pathsOf(up).includes(path))));
}

function pathsOf({ path, oldPath }: ProposedChange): readonly string[] {
  return oldPath === undefined ? [path] : [path, oldPath];
}

function isOnTheWay(a: string, b: string): boolean {
  return a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/**
 * What lay below an edit was decided, and the edit was planned anew: is it still what the person judged? The same lines
 * must go and come, hunk by hunk, at the places that were shown; a text that the person typed fits only the very file they saw.
 */
export function sameProposal(
  shown: readonly ProposedChange[],
  now: readonly ProposedChange[],
  verdicts: readonly FileVerdict[] | undefined,
): boolean {
  if (shown.length !== now.length) return false;
  return shown.every((before, index) => {
    const after = now[index];
    if (!after || after.path !== before.path || after.oldPath !== before.oldPath || after.status !== before.status)
      return false;
    if (sameContent(before, after)) return true;
    if (verdicts?.some(({ path, content }) => path === before.path && content !== undefined)) return false;
    return sameHunks(before, after);
  });
}

/** The same lines go and come, and each hunk stands where the one that was shown has moved to: an insertion names no lines that tell. */
function sameHunks(shown: ProposedChange, now: ProposedChange): boolean {
  const was = hunkTexts(shown);
  const is = hunkTexts(now);
  if (was.length === 0 || was.length !== is.length) return false;
  const below = diffRuns(splitLines(oldText(shown)), splitLines(oldText(now)));
  return was.every((hunk, index) => {
    const other = is[index];
    return other?.old === hunk.old && other.now === hunk.now && movedTo(hunk, below).includes(other.start);
  });
}

function oldText({ before }: ProposedChange): string {
  return before && isText(before) ? before.text : '';
}

/** Where the start of a hunk stands after these runs; nowhere when one of them meets it, on either side of what came at its very place. */
function movedTo({ start, end }: HunkText, runs: readonly DiffRun[]): readonly number[] {
  let moved = start;
  for (const { aStart, aEnd, bStart, bEnd } of runs) {
    const grown = bEnd - bStart - (aEnd - aStart);
    if (aStart === aEnd && aStart === start && start === end) return [moved, moved + grown];
    if (aEnd <= start) moved += grown;
    else if (aStart < end) return [];
  }
  return [moved];
}

export const baseGone: Failure = {
  code: 'STALE',
  message:
    'An earlier edit of the same file in this reply was not written as proposed, and this edit no longer fits what the file holds, so it was not written. Read the file and propose it anew.',
};

export function stillFits<T extends { readonly changes: readonly ProposedChange[] }>(
  shown: T,
  now: T | undefined,
  verdicts: readonly FileVerdict[] | undefined,
): Result<T> {
  if (!now || !sameProposal(shown.changes, now.changes, verdicts)) return { ok: false, error: baseGone };
  return ok(now);
}
