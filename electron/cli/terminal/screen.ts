import { type Io, type ScreenSize, showsColours } from '../base/io.ts';
import { cutLine, type Line, lineWidth, painted } from './spans.ts';

export type Stream = 'out' | 'err';

/** Where the cursor stands within the lines of the input. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

/**
 * A terminal with lines that stay and, below them, a few that change: what runs (`setStatus`) and what is being typed
 * (`setInput`). What is printed pushes the changing lines down. A stream that is no terminal only gets what is printed to it.
 */
export interface Screen {
  readonly colours: boolean;
  columns(): number;
  rows(): number;
  print(lines: readonly Line[], stream?: Stream): void;
  /** A text as it is. What follows its last line end waits for the rest of the line. */
  write(text: string, stream: Stream): void;
  setStatus(lines: readonly Line[]): void;
  setInput(lines: readonly Line[], cursor?: Cursor): void;
  /** Runs after the size has changed, before the changing lines are drawn anew. */
  onResize(run: () => void): void;
  /** Takes the changing lines away, while another program has the terminal. */
  suspend(): void;
  resume(): void;
  close(): void;
}

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

export function createScreen(io: Io, size: ScreenSize): Screen {
  const live: Stream = io.stderrIsTty ? 'err' : 'out';
  const colours = showsColours(io, true);
  let status: readonly Line[] = [];
  let input: readonly Line[] = [];
  let cursor: Cursor | undefined;
  /** The changing lines as they stand there, and the row that the cursor is in. */
  let drawn: { readonly lines: readonly Line[]; readonly row: number; readonly text: string } | undefined;
  let suspended = false;
  const partial: Record<Stream, string> = { out: '', err: '' };
  const resized: (() => void)[] = [];

  /** Rows that a line takes on a terminal that has become narrower since it was drawn. */
  const heightOf = (line: Line): number => Math.max(1, Math.ceil(lineWidth(line) / size.columns()));
  const erasing = (): string => {
    if (!drawn) return '';
    const { lines, row } = drawn;
    const up = lines.slice(0, row).reduce((sum, line) => sum + heightOf(line), 0);
    drawn = undefined;
    return `\r${up > 0 ? `\u001B[${up}A` : ''}\u001B[J`;
  };
  const drawing = (): string => {
    if (suspended) return '';
    const room = Math.max(1, size.rows() - 1);
    const lines = [...status, ...input].slice(-room).map((line) => cutLine(line, Math.max(1, size.columns() - 1)));
    if (lines.length === 0) return showCursor;
    const row = cursor === undefined ? lines.length - 1 : Math.max(0, lines.length - input.length + cursor.row);
    const text = lines.map((line) => painted(line, colours)).join('\n');
    drawn = { lines, row, text: `${text} ${row} ${cursor?.column}` };
    if (cursor === undefined) return `${hideCursor}${text}`;
    const up = lines.length - 1 - row;
    return `${text}${up > 0 ? `\u001B[${up}A` : ''}\r${cursor.column > 0 ? `\u001B[${cursor.column}C` : ''}${showCursor}`;
  };
  const redraw = (): void => {
    const before = drawn?.text;
    const away = erasing();
    const now = drawing();
    if (before === undefined || drawn?.text !== before) io[live](`${away}${now}`);
  };
  const put = (text: string, stream: Stream): void => {
    const isTty = stream === 'out' ? io.stdoutIsTty : io.stderrIsTty;
    if (!isTty) return io[stream](text);
    if (stream === live) return io[live](`${erasing()}${text}${drawing()}`);
    io[live](erasing());
    io[stream](text);
    io[live](drawing());
  };
  const resize = size.onResize(() => {
    for (const run of resized) run();
    io[live](`${erasing()}${drawing()}`);
  });
  return {
    colours,
    columns: () => size.columns(),
    rows: () => size.rows(),
    print(lines, stream = live) {
      if (lines.length > 0) put(`${lines.map((line) => painted(line, colours)).join('\n')}\n`, stream);
    },
    write(text, stream) {
      const whole = partial[stream] + text;
      const end = whole.lastIndexOf('\n') + 1;
      partial[stream] = whole.slice(end);
      if (end > 0) put(whole.slice(0, end), stream);
    },
    setStatus(lines) {
      status = lines;
      redraw();
    },
    setInput(lines, at) {
      input = lines;
      cursor = at;
      redraw();
    },
    onResize: (run) => void resized.push(run),
    suspend() {
      suspended = true;
      io[live](`${erasing()}${showCursor}`);
    },
    resume() {
      suspended = false;
      redraw();
    },
    close() {
      resize.dispose();
      status = [];
      input = [];
      cursor = undefined;
      io[live](`${erasing()}${showCursor}`);
      for (const stream of ['out', 'err'] as const) if (partial[stream] !== '') io[stream](`${partial[stream]}\n`);
    },
  };
}
