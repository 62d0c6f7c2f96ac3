import { cutLine, widthOf } from './spans.ts';

/**
 * Rows under their heads, each column as wide as its widest cell on a terminal, two blanks apart. Of what is wider
 * than `width` together, the widest columns are cut, never the first, which names the row. Without rows there are no heads
 * either.
 */
export function columns(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return '';
  const lines = [...(heads.length > 0 ? [heads] : []), ...rows];
  const count = Math.max(...lines.map((cells) => cells.length));
  const widths = fitted(
    Array.from({ length: count }, (_, at) => Math.max(...lines.map((cells) => widthOf(cells[at] ?? '')))),
    width - 2 * (count - 1),
  );
  const padded = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const room = widths[at] ?? 0;
        const shown = cutLine([{ text: cell, styles: [] }], room)
          .map(({ text }) => text)
          .join('');
        return `${shown}${' '.repeat(at === cells.length - 1 ? 0 : room - widthOf(shown))}`;
      })
      .join('  ')
      .trimEnd();
  return `${lines.map(padded).join('\n')}\n`;
}

/** Columns are cut to no less than this. */
const narrowest = 8;

/** The widest columns but the first are cut, evenly, until all fit into `room`. */
function fitted(widths: readonly number[], room: number): readonly number[] {
  const cut = [...widths];
  for (let left = cut.reduce((sum, each) => sum + each, 0) - room; left > 0; left -= 1) {
    const widest = cut.reduce((best, each, at) => (at > 0 && (best === 0 || each > (cut[best] ?? 0)) ? at : best), 0);
    if (widest === 0 || (cut[widest] ?? 0) <= narrowest) break;
    cut[widest] = (cut[widest] ?? 0) - 1;
  }
  return cut;
}
