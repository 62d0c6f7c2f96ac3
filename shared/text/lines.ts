/**
 * Lines with their ends. A line ends at `\n` (so `\r\n` stays together); only a text without any `\n` is taken as one whose
 * lines end at `\r`. A final line end does not start another line; the empty text has none.
 */
export function splitLines(text: string): string[] {
  const end = text.includes('\n') ? '\n' : '\r';
  const lines: string[] = [];
  let start = 0;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, start)) {
    lines.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Lines ended by any of `\n`, `\r\n`, `\r`, as an editor counts them. */
export function splitAnyLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

export function lineEndOf(line: string): '' | '\n' | '\r\n' | '\r' {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : '';
}

export function withoutLineEnd(line: string): string {
  return line.slice(0, line.length - lineEndOf(line).length);
}
