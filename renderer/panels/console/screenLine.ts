import type { IBuffer } from '@xterm/xterm';

/** Where a character stands on the screen, counted from 1 as links are. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** One line of output as it was written, however many rows of the screen it fills. */
export interface ScreenLine {
  readonly text: string;
  /** The cell of each UTF-16 unit of the text. */
  readonly cells: readonly Cell[];
}

/** A line that fills more rows is looked at in part: no person reads it as one. */
const mostRows = 40;

type Rows = Pick<IBuffer, 'getLine'>;

/** The line of output that a row (from 0) belongs to. */
export function screenLineAt(buffer: Rows, row: number): ScreenLine {
  let first = row;
  while (first > 0 && row - first < mostRows && buffer.getLine(first)?.isWrapped) first -= 1;
  let text = '';
  const cells: Cell[] = [];
  for (let y = first; y < first + 2 * mostRows; y += 1) {
    const line = buffer.getLine(y);
    if (!line || (y > first && !line.isWrapped)) break;
    for (let x = 0; x < line.length; x += 1) {
      const cell = line.getCell(x);
      // The second half of a wide character has no text of its own.
      if (!cell || cell.getWidth() === 0) continue;
      const chars = cell.getChars() || ' ';
      text += chars;
      for (let unit = 0; unit < chars.length; unit += 1) cells.push({ x: x + 1, y: y + 1 });
    }
  }
  return { text, cells };
}
