import { compareBytes } from '../../workspace/byteOrder.ts';
import { clipLine } from './textMatch.ts';

export interface RankedFile {
  readonly file: string;
  readonly score: number;
  readonly matches: readonly { readonly line: number; readonly text: string }[];
}

/** Files and lines that a search by words tells. */
export const maxRankedFiles = 50;
const maxLinesPerFile = 5;

/** The words of a query in lower case: names are taken apart at capitals, digits stay with their word. */
export function wordsOf(query: string): readonly string[] {
  const parts = query
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
  // A single Latin letter is in every file; it counts only where there is nothing else.
  const useful = parts.filter((part) => part.length > 1 || part > '\u2000');
  return [...new Set(useful.length > 0 ? useful : parts)].slice(0, maxWords);
}

const maxWords = 20;

/** Gathers the matching lines of one file after the other and keeps the best files. */
export function createWordRank(words: readonly string[], fileOf: (name: string) => string | undefined) {
  const best: RankedFile[] = [];
  let total = 0;
  let name: string | undefined;
  let open: OpenFile | undefined;

  const close = () => {
    if (!open || open.lines === 0) return;
    total += 1;
    const file = rank(open, words);
    if (best.length === maxRankedFiles && compareFiles(file, best.at(-1) ?? file) >= 0) return;
    const place = best.findIndex((other) => compareFiles(file, other) < 0);
    best.splice(place === -1 ? best.length : place, 0, file);
    best.length = Math.min(best.length, maxRankedFiles);
  };

  return {
    /** Lines of one file must come together. */
    add(given: string, line: number, text: string): void {
      if (given !== name) {
        close();
        name = given;
        const file = fileOf(given);
        open = file === undefined ? undefined : { file, lines: 0, found: new Set(), shown: [] };
      }
      if (!open) return;
      const lower = text.toLowerCase();
      const found = words.filter((word) => lower.includes(word));
      open.lines += 1;
      for (const word of found) open.found.add(word);
      const worst = open.shown.at(-1);
      if (open.shown.length === maxLinesPerFile && worst && worst.words >= found.length) return;
      open.shown.push({ line, text: clipLine(text), words: found.length });
      open.shown.sort((a, b) => b.words - a.words || a.line - b.line);
      open.shown.length = Math.min(open.shown.length, maxLinesPerFile);
    },
    end(): { readonly results: readonly RankedFile[]; readonly total: number; readonly truncated: boolean } {
      close();
      return { results: best, total, truncated: total > best.length };
    },
  };
}

interface OpenFile {
  readonly file: string;
  lines: number;
  readonly found: Set<string>;
  readonly shown: { readonly line: number; readonly text: string; readonly words: number }[];
}

/** All words come first, then the share of them, then words in the path (+10), then the number of lines. */
function rank({ file, lines, found, shown }: OpenFile, words: readonly string[]): RankedFile {
  const path = file.toLowerCase();
  const inPath = words.filter((word) => path.includes(word));
  const all = new Set([...found, ...inPath]).size;
  const score =
    (all === words.length ? 100 : 0) +
    (50 * all) / words.length +
    (inPath.length > 0 ? 10 : 0) +
    (9 * inPath.length) / words.length / 10 +
    (9 * lines) / (lines + 5);
  return {
    file,
    score: Math.round(score * 100) / 100,
    matches: shown.toSorted((a, b) => a.line - b.line).map(({ line, text }) => ({ line, text })),
  };
}

function compareFiles(a: RankedFile, b: RankedFile): number {
  return b.score - a.score || compareBytes(a.file, b.file);
}
