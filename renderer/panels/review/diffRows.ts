import type { Hunk } from '../../../shared/model/change.ts';
import { diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines, withoutLineEnd } from '../../../shared/text/lines.ts';
import { type Decision, regionOf } from './verdict.ts';
import { type Span, wordDiff } from './wordDiff.ts';

/** How a line stands to the file: as it is, coming, going; or going as proposed, but kept by the person. */
export type Mark = 'same' | 'added' | 'removed' | 'kept';

/** One side of a line; numbers count from 1. */
export interface Side {
  readonly number: number;
  readonly text: string;
}

/** One line of the scroll below the head of a file. `old` and `now` are its sides; both of them where it stays as it is. */
export type DiffRow =
  | { readonly kind: 'line'; readonly mark: Mark; readonly old?: Side; readonly now?: Side; readonly run: number }
  /** Both sides beside each other; one of them is missing where the other has more lines. */
  | { readonly kind: 'pair'; readonly old?: Side; readonly now?: Side; readonly run: number }
  | { readonly kind: 'run'; readonly run: number }
  | { readonly kind: 'fold'; readonly from: number; readonly count: number };

/** Neighbouring lines that differ, with the hunks of the proposal in it; none where the person alone wrote it. */
export interface Run {
  /** Lines before it, and up to its end, of each side. */
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly nowStart: number;
  readonly nowEnd: number;
  readonly hunks: readonly number[];
  readonly isRejected: boolean;
}

export interface FileDiff {
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly runs: readonly Run[];
}

/** Lines of a text without their ends. */
const linesOf = (text: string): readonly string[] => splitLines(text).map(withoutLineEnd);

/** What a file becomes by the proposal as the person left it. */
export function fileDiff(
  before: string,
  after: string,
  /** As the engine counts them; found here where absent. */
  hunks: readonly Hunk[] | undefined,
  { edited, rejected }: Pick<Decision, 'edited' | 'rejected'>,
): FileDiff {
  const old = linesOf(before);
  const now = linesOf(edited?.text ?? after);
  if (edited === null && hunks) {
    const runs = hunks.map((hunk, index): Run => {
      const { after: nowStart, lines } = regionOf(hunk);
      const oldStart = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
      const places = { oldStart, oldEnd: oldStart + hunk.oldLines, nowStart, nowEnd: nowStart + lines };
      return { ...places, hunks: [index], isRejected: rejected.includes(index) };
    });
    return { old, now, runs };
  }
  const runs = diffRuns(old, now).map(({ aStart, aEnd, bStart, bEnd }): Run => {
    const inside = (edited?.regions ?? []).flatMap(({ after: start, lines }, index) =>
      start <= bEnd && start + lines >= bStart ? [index] : [],
    );
    const isRejected = inside.length > 0 && inside.every((index) => rejected.includes(index));
    return { oldStart: aStart, oldEnd: aEnd, nowStart: bStart, nowEnd: bEnd, hunks: inside, isRejected };
  });
  return { old, now, runs };
}

/** Unchanged lines that stay on show around what differs. */
const context = 3;
/** Fewer hidden lines than this are shown: a line that says so takes room too. */
const leastFolded = 4;

/**
 * The lines of a file on show. What is rejected is drawn as the result will be: its old lines stay, its new ones do not come.
 * `opened`: the folds that were opened, by their first line.
 */
export function diffRows(
  { old, now, runs }: FileDiff,
  isBeside: boolean,
  opened: ReadonlySet<number>,
): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let oldAt = 0;
  let nowAt = 0;
  const unchanged = (upTo: number, isLast: boolean): void => {
    const count = upTo - oldAt;
    const head = oldAt === 0 ? 0 : context;
    const tail = isLast ? 0 : context;
    const hidden = count - head - tail;
    const isFolded = hidden >= leastFolded && !opened.has(oldAt + head);
    for (let index = 0; index < count; index += 1) {
      if (isFolded && index === head) {
        rows.push({ kind: 'fold', from: oldAt + head, count: hidden });
        index += hidden - 1;
        continue;
      }
      const oldSide = { number: oldAt + index + 1, text: old[oldAt + index] ?? '' };
      const nowSide = { number: nowAt + index + 1, text: now[nowAt + index] ?? '' };
      rows.push({ kind: 'line', mark: 'same', old: oldSide, now: nowSide, run: -1 });
    }
    oldAt += count;
    nowAt += count;
  };
  for (const [index, run] of runs.entries()) {
    unchanged(run.oldStart, false);
    rows.push({ kind: 'run', run: index });
    const sides = (lines: readonly string[], from: number, to: number): readonly Side[] =>
      lines.slice(from, to).map((text, at) => ({ number: from + at + 1, text }));
    const goes = sides(old, run.oldStart, run.oldEnd);
    const comes = run.isRejected ? [] : sides(now, run.nowStart, run.nowEnd);
    if (run.isRejected)
      for (const side of goes) rows.push({ kind: 'line', mark: 'kept', old: side, now: side, run: index });
    else if (isBeside)
      for (let at = 0; at < Math.max(goes.length, comes.length); at += 1)
        rows.push({ kind: 'pair', old: goes[at], now: comes[at], run: index });
    else {
      for (const side of goes) rows.push({ kind: 'line', mark: 'removed', old: side, run: index });
      for (const side of comes) rows.push({ kind: 'line', mark: 'added', now: side, run: index });
    }
    oldAt = run.oldEnd;
    nowAt = run.nowEnd;
  }
  unchanged(old.length, true);
  return rows;
}

/** What differs within a line, against the line that it takes the place of: the one at the same place of its run. */
export function wordsOfRun(
  { old, now, runs }: FileDiff,
  row: Extract<DiffRow, { kind: 'line' | 'pair' }>,
): { readonly old: readonly Span[]; readonly now: readonly Span[] } | undefined {
  const run = runs[row.run];
  const at = row.now && row.kind === 'line' ? row.now.number - 1 - (run?.nowStart ?? 0) : undefined;
  const place = at ?? (row.old ? row.old.number - 1 - (run?.oldStart ?? 0) : 0);
  if (!run || run.isRejected || run.oldStart + place >= run.oldEnd || run.nowStart + place >= run.nowEnd)
    return undefined;
  return wordDiff(old[run.oldStart + place] ?? '', now[run.nowStart + place] ?? '');
}
