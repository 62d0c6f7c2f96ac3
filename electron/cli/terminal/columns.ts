import { widthOf } from './spans.ts';

/**
 * Rows under their heads, each column as wide as its widest cell on a terminal, two blanks apart; the last is left as it is.
 * Without rows there are no heads either.
 */
export function columns(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [...(heads.length > 0 ? [heads] : []), ...rows];
  const count = Math.max(...lines.map((cells) => cells.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(...lines.map((cells) => widthOf(cells[at] ?? ''))));
  const padded = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => `${cell}${' '.repeat(at === cells.length - 1 ? 0 : (widths[at] ?? 0) - widthOf(cell))}`)
      .join('  ')
      .trimEnd();
  return `${lines.map(padded).join('\n')}\n`;
}
