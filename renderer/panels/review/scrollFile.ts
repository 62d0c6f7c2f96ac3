import type { BuildFinding } from '../../../shared/model/build.ts';
import type { Change, Hunk } from '../../../shared/model/change.ts';
import type { Finding } from '../../../shared/model/rehearsal.ts';
import type { Run } from './diffRows.ts';
import type { Decision } from './verdict.ts';

/** What the person has decided about a file that waits, and how to decide. */
export interface ReviewedFile {
  readonly hunks: readonly Hunk[];
  readonly decision: Decision;
  readonly onDecide: (change: (decision: Decision) => Decision) => void;
  /** Hunks that fall with an edit below them which is not kept. */
  readonly fallen: readonly number[];
  /** Why the file is no longer as it was, where it is not. */
  readonly stale: string | undefined;
  /** Why it is asked about, where there is more to say than that changes are reviewed. */
  readonly layer?: { readonly number: number; readonly of: number } | undefined;
  /** What checks newly find in its hunks. */
  readonly findings?: readonly Finding[];
}

/** Lines of both texts, counted from 0, without the end. */
export type HunkLines = Pick<Run, 'oldStart' | 'oldEnd' | 'nowStart' | 'nowEnd'>;

/** One file of the scroll. */
export interface ScrollFile {
  readonly key: string;
  readonly change: Pick<
    Change,
    | 'path'
    | 'oldPath'
    | 'status'
    | 'before'
    | 'after'
    | 'binary'
    | 'executable'
    | 'additions'
    | 'deletions'
    | 'protectedBy'
  > & { readonly hunks?: readonly Hunk[] };
  /** Absent: only to look at. */
  readonly review?: ReviewedFile | undefined;
  /** What builds find in a run of what was written. */
  readonly brokenBy?: ((index: number, run: Run) => readonly BuildFinding[]) | undefined;
  /** Takes back what was written: these lines, or all of it. */
  readonly onTakeBack?: ((hunks?: readonly HunkLines[]) => void) | undefined;
}

/** Files that are looked at in one scroll, and what the list of them is called. */
export interface ScrolledFiles {
  readonly session: string;
  readonly files: readonly ScrollFile[];
  readonly label: string;
}

/** A file that was made, removed or moved, or has no lines, is taken back as a whole. */
export function takeBackHunk({ change, onTakeBack }: ScrollFile, run: Run): void {
  const isWhole = change.before === null || change.after === null;
  const { oldStart, oldEnd, nowStart, nowEnd } = run;
  onTakeBack?.(isWhole ? undefined : [{ oldStart, oldEnd, nowStart, nowEnd }]);
}
