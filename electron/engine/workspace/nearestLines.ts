import { splitLines, withoutLineEnd } from '../../../shared/text/lines.ts';

export interface NearLines {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** 0 to 1; 1 means equal but for blanks. */
  readonly similarity: number;
}

/** Looking for what was meant must stay cheap in a huge file: only this many lines are compared, each this long. */
const maxLines = 20_000;
const maxCharacters = 400;

/** Up to three places that look like the beginning of a passage, best first; below one half nothing is offered. */
export function nearestLines(text: string, passage: string): readonly NearLines[] {
  const wanted = splitLines(passage).map(withoutLineEnd);
  const first = wanted.find((line) => line.trim() !== '');
  if (first === undefined) return [];
  const skipped = wanted.indexOf(first);
  const target = pairsOf(first);
  const lines = splitLines(text).slice(0, maxLines);
  return lines
    .map((line, index) => ({ index, similarity: likeness(target, pairsOf(line)) }))
    .filter(({ similarity }) => similarity >= 0.5)
    .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
    .slice(0, 3)
    .map(({ index, similarity }) => {
      const start = Math.max(0, index - skipped);
      const shown = lines.slice(start, start + Math.min(wanted.length, 8)).join('');
      return { line: start + 1, text: shown.slice(0, 1000), similarity: Math.round(similarity * 100) / 100 };
    });
}

interface Pairs {
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
}

/** Pairs of neighbouring characters, blanks left out: Dice's coefficient over them is a cheap likeness of lines. */
function pairsOf(line: string): Pairs {
  const plain = line.slice(0, maxCharacters).replace(/\s+/g, '');
  const counts = new Map<string, number>();
  for (let index = 0; index < plain.length; index += 1) {
    const pair = plain.slice(index, index + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, size: plain.length };
}

function likeness(a: Pairs, b: Pairs): number {
  // Lines of very different length cannot reach one half.
  if (a.size === 0 || b.size === 0 || Math.min(a.size, b.size) * 3 < Math.max(a.size, b.size)) return 0;
  let shared = 0;
  for (const [pair, count] of a.counts) shared += Math.min(count, b.counts.get(pair) ?? 0);
  return (2 * shared) / (a.size + b.size);
}
