/** One match of a pattern in a line. */
export interface TextMatch {
  /** Relative to the project. */
  readonly file: string;
  /** 1-based, as is `column` (in UTF-16 units). */
  readonly line: number;
  readonly column: number;
  /** The line without its end; a very long line is cut to what surrounds the match. */
  readonly text: string;
  /** Where the match begins and ends in `text`, 0-based. */
  readonly matchStart: number;
  readonly matchEnd: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Lines are shown up to this length; minified files have lines of megabytes. */
export const maxLineCharacters = 500;

/** The line with one match, cut to what surrounds the match when it is too long. Offsets are 0-based, in UTF-16 units. */
export function showMatch(
  line: string,
  start: number,
  end: number,
): Pick<TextMatch, 'column' | 'text' | 'matchStart' | 'matchEnd'> {
  if (line.length <= maxLineCharacters) return { column: start + 1, text: line, matchStart: start, matchEnd: end };
  const from = charStart(line, Math.max(0, Math.min(start - 100, line.length - maxLineCharacters)));
  const to = charStart(line, Math.min(line.length, from + maxLineCharacters));
  return {
    column: start + 1,
    text: line.slice(from, to),
    matchStart: start - from,
    matchEnd: Math.min(end, to) - from,
  };
}

export function clipLine(line: string): string {
  return line.length <= maxLineCharacters ? line : line.slice(0, charStart(line, maxLineCharacters));
}

/** Not between the halves of a surrogate pair. */
function charStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
