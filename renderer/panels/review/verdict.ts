import type { Change, FileVerdict, Hunk } from '../../../shared/model/change.ts';

/** Where a hunk stands in the edited text: `after` lines come before it, `lines` belong to it. */
export interface Region {
  readonly after: number;
  readonly lines: number;
}

/** The proposed side as the person left it, and where each hunk of the proposal has moved to in it. */
export interface Edited {
  readonly text: string;
  readonly regions: readonly Region[];
}

/** What the person has decided about one file so far. Nothing decided means all is kept. */
export interface Decision {
  readonly rejected: readonly number[];
  /** By hunk; those about the whole file under -1. */
  readonly comments: Readonly<Record<number, string>>;
  readonly edited: Edited | null;
  /** Hunks that were judged one by one, and whether the file was marked as read. */
  readonly seen?: readonly number[] | undefined;
  readonly isRead?: boolean | undefined;
}

export const wholeFile = -1;
export const undecided: Decision = { rejected: [], comments: {}, edited: null };

type Hunks = Pick<Change, 'hunks'>;

/** A file without hunks (binary, a rename, a new mode) is decided as one. */
export function partsOf({ hunks }: Hunks): number {
  return Math.max(1, hunks.length);
}

export function keptOf(change: Hunks, { rejected }: Decision): number {
  return partsOf(change) - rejected.length;
}

export function toggled(decision: Decision, hunk: number, keep: boolean): Decision {
  const others = decision.rejected.filter((index) => index !== hunk);
  const seen = [...new Set([...(decision.seen ?? []), hunk])];
  return { ...decision, seen, rejected: keep ? others : [...others, hunk].toSorted((a, b) => a - b) };
}

/** Whether the person is through with a file: marked as read, or judged hunk by hunk. */
export function isReviewed(change: Hunks, { isRead, seen = [] }: Decision): boolean {
  return isRead ?? seen.length >= partsOf(change);
}

export function allKept(decision: Decision): Decision {
  return { ...decision, rejected: [] };
}

export function allRejected(change: Hunks, decision: Decision): Decision {
  return { ...decision, rejected: Array.from({ length: partsOf(change) }, (_, index) => index) };
}

export function commented(decision: Decision, hunk: number, text: string): Decision {
  const { [hunk]: _before, ...comments } = decision.comments;
  return { ...decision, comments: text.trim() === '' ? comments : { ...comments, [hunk]: text } };
}

/** Where a hunk of the proposal stands in the proposed text. */
export function regionOf({ newStart, newLines }: Hunk): Region {
  return { after: newLines === 0 ? newStart : newStart - 1, lines: newLines };
}

export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/**
 * The edited text with the rejected hunks taken back to what the file had there. Line ends are `\n`; the engine matches
 * them to the file's own.
 */
export function composeEdited(
  before: string,
  hunks: readonly Hunk[],
  { text, regions }: Edited,
  rejected: readonly number[],
): string {
  const old = linesOf(before);
  const lines = [...linesOf(text)];
  const back = hunks
    .flatMap((hunk, index) => {
      const region = regions[index];
      return rejected.includes(index) && region ? [{ hunk, region }] : [];
    })
    // From the end, so that earlier regions keep their place.
    .toSorted((a, b) => b.region.after - a.region.after);
  for (const { hunk, region } of back) {
    const from = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    lines.splice(region.after, region.lines, ...old.slice(from, from + hunk.oldLines));
  }
  return lines.join('\n');
}

/** The verdict on one file as the engine takes it. `before` is needed only where the proposed side was edited. */
export function verdictOf(change: Change, decision: Decision, before: string | null): FileVerdict {
  const { rejected, edited } = decision;
  const all = partsOf(change);
  const kept = all - rejected.length;
  const comments = Object.entries(decision.comments).map(([hunk, text]) =>
    Number(hunk) === wholeFile ? { text } : { hunk: Number(hunk), text },
  );
  const keep =
    kept === all
      ? ('all' as const)
      : kept === 0
        ? ('none' as const)
        : change.hunks.map(({ index }) => index).filter((_, at) => !rejected.includes(at));
  return {
    path: change.path,
    keep,
    content: edited !== null && kept > 0 ? composeEdited(before ?? '', change.hunks, edited, rejected) : undefined,
    comments: comments.length > 0 ? comments : undefined,
  };
}

/** What the model hears where nothing of a call is kept: the comments, file by file, each with its place in the file as it is. */
export function reasonOf(verdicts: readonly FileVerdict[], changes: readonly Change[]): string {
  const placeOf = (path: string, hunk: number): string => {
    const found = changes.find((change) => change.path === path)?.hunks[hunk];
    return found ? `, line ${found.oldLines === 0 ? found.oldStart + 1 : found.oldStart}` : '';
  };
  return verdicts
    .flatMap(({ path, comments = [] }) =>
      comments.map(({ hunk, text }) => `${path}${hunk === undefined ? '' : placeOf(path, hunk)}: ${text}`),
    )
    .join('\n');
}
