import type { AppliedFile } from '../../../../shared/model/change.ts';
import type { FileOutcome, ProposedChange } from '../../workspace/proposedChange.ts';
import { proposedHunks } from '../../workspace/verdict.ts';
import type { Verdict } from './tool.ts';

/** What the person made of a proposal, for the model. */
export interface Review {
  readonly outcome: 'applied' | 'edited' | 'partial';
  readonly note: string;
  readonly files: readonly ReviewedFile[];
}

export interface ReviewedFile {
  readonly path: string;
  readonly verdict: AppliedFile['verdict'];
  /** Proposed hunks that were not written; `line` is 1-based in the file as it was. */
  readonly rejectedHunks?: readonly {
    readonly hunk: number;
    readonly line: number;
    readonly oldLines: number;
    readonly newLines: number;
  }[];
  readonly comments?: readonly { readonly hunk?: number; readonly text: string }[];
}

const notes: Readonly<Record<Review['outcome'], string>> = {
  applied: 'Everything was written as proposed; the person left comments.',
  edited: 'The person changed the proposed text before it was written: read the file before you edit it again.',
  partial: 'Only a part of the proposal was written: what was rejected is not in the files.',
};

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
    ...(rejectedHunks.length > 0 ? { rejectedHunks } : {}),
    ...(file.comments.length > 0 ? { comments: file.comments } : {}),
  };
}
