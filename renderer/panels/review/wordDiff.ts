import { diffRuns } from '../../../shared/text/diffRuns.ts';

/** A stretch of a line, by characters. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Longer lines are not looked into: they are data, and nobody reads them word by word. */
const mostCharacters = 2000;
/** Of two lines that share less than this the whole is another one, and marks within would only flicker. */
const leastAlike = 0.3;

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Which stretches of two lines differ, where the lines are alike enough that it helps to know. */
export function wordDiff(old: string, now: string): { readonly old: readonly Span[]; readonly now: readonly Span[] } {
  if (old.length > mostCharacters || now.length > mostCharacters) return { old: [], now: [] };
  const a = wordsOf(old);
  const b = wordsOf(now);
  const runs = diffRuns(a, b);
  const spans = (words: readonly string[], places: readonly (readonly [number, number])[]): readonly Span[] => {
    const starts = [0];
    for (const word of words) starts.push((starts.at(-1) ?? 0) + word.length);
    return places
      .filter(([from, to]) => to > from)
      .map(([from, to]) => ({ from: starts[from] ?? 0, to: starts[to] ?? 0 }));
  };
  const oldSpans = spans(
    a,
    runs.map(({ aStart, aEnd }) => [aStart, aEnd]),
  );
  const nowSpans = spans(
    b,
    runs.map(({ bStart, bEnd }) => [bStart, bEnd]),
  );
  const changed = (list: readonly Span[]): number => list.reduce((sum, { from, to }) => sum + to - from, 0);
  const alike = 1 - (changed(oldSpans) + changed(nowSpans)) / Math.max(1, old.length + now.length);
  return alike < leastAlike ? { old: [], now: [] } : { old: oldSpans, now: nowSpans };
}
