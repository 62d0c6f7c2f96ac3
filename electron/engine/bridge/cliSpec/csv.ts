/**
 * Rows of separated values. With `quotes` a cell that begins with `"` follows RFC 4180 (separator, line break and doubled
 * quote inside); other cells are trimmed. Blank lines are dropped.
 */
export function parseSeparated(text: string, separator: ',' | '\t', quotes: boolean): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const cell = quotes && startsQuoted(text, at) ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    row.push(cell.text);
    at = cell.end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) row.push('');
      continue;
    }
    endRow();
    at += 1; // the line break
  }
  if (row.length > 0) endRow();
  return rows;
}

/** The header's names with the values of each row; missing cells are empty, extra ones dropped. */
export function rowsAsObjects(rows: readonly (readonly string[])[]): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...rest] = rows;
  return rest.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}

interface Cell {
  readonly text: string;
  /** At the separator, the line break, or the end of the text. */
  readonly end: number;
}

function startsQuoted(text: string, at: number): boolean {
  let from = at;
  while (text[from] === ' ') from += 1;
  return text[from] === '"';
}

function plainCell(text: string, at: number, separator: string): Cell {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1;
  return { text: text.slice(at, end).trim(), end };
}

function quotedCell(text: string, at: number, separator: string): Cell {
  let from = text.indexOf('"', at) + 1;
  let value = '';
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { text: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] === '"') {
      value += '"';
      from = quote + 2;
      continue;
    }
    const rest = plainCell(text, quote + 1, separator);
    return { text: value + rest.text, end: rest.end };
  }
}
