import { forTerminal } from '../base/forTerminal.ts';
import type { Cursor } from '../terminal/screen.ts';
import { type Line, type Span, span, widthOf } from '../terminal/spans.ts';
import type { Completion } from './terminal.ts';

/** A text that is being typed, and where the cursor stands in it (an index into the text). */
export interface Typed {
  readonly text: string;
  readonly at: number;
}

/** One key as `node:readline` tells it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** What a key asks of whoever has the editor. */
export type Wish = 'submit' | 'interrupt' | 'end' | 'complete' | 'editor' | 'older' | 'newer' | 'redraw';

export const nothingTyped: Typed = { text: '', at: 0 };

const segmenter = new Intl.Segmenter();

/** The text after a key, or what the key asks for. */
export function afterKey(typed: Typed, text: string | undefined, key: Key): Typed | Wish {
  const { ctrl = false, meta = false, name, sequence = '' } = key;
  // Shift+Enter, as terminals with the kitty protocol or modifyOtherKeys tell it.
  if (sequence === '\u001B[13;2u' || sequence === '\u001B[27;2;13~') return inserted(typed, '\n');
  if (name === 'return' || name === 'enter') return entered(typed, meta);
  const command = ctrl ? ctrlKeys[name ?? ''] : meta ? metaKeys[name ?? ''] : plainKeys[name ?? ''];
  if (command !== undefined) return typeof command === 'string' ? command : command(typed);
  if (ctrl || meta || text === undefined || text === '' || /^[\u0000-\u001F\u007F]/.test(text)) return typed;
  return inserted(typed, text);
}

/** Alt+Enter, and Enter behind a backslash, begin a new line. */
function entered(typed: Typed, isNewLine: boolean): Typed | Wish {
  if (isNewLine) return inserted(typed, '\n');
  if (typed.text[typed.at - 1] !== '\\') return 'submit';
  return inserted(without(typed, typed.at - 1, typed.at), '\n');
}

export function inserted({ text, at }: Typed, more: string): Typed {
  return { text: `${text.slice(0, at)}${more}${text.slice(at)}`, at: at + more.length };
}

function without({ text }: Typed, from: number, to: number): Typed {
  return { text: `${text.slice(0, from)}${text.slice(to)}`, at: from };
}

type Change = (typed: Typed) => Typed | Wish;

const moved =
  (where: (typed: Typed) => number): Change =>
  (typed) => ({ ...typed, at: where(typed) });
const erased =
  (where: (typed: Typed) => number): Change =>
  (typed) => {
    const to = where(typed);
    return without(typed, Math.min(typed.at, to), Math.max(typed.at, to));
  };

const back = ({ text, at }: Typed): number => {
  let before = 0;
  for (const { index } of segmenter.segment(text.slice(0, at))) before = index;
  return before;
};
const forward = ({ text, at }: Typed): number => {
  const [next] = segmenter.segment(text.slice(at));
  return at + (next?.segment.length ?? 0);
};
const lineStart = ({ text, at }: Typed): number => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = ({ text, at }: Typed): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};
const wordStart = ({ text, at }: Typed): number => /\S*\s*$/.exec(text.slice(0, at))?.index ?? 0;
const wordEnd = ({ text, at }: Typed): number => at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0);

/** Up and down move within a text of many lines, and from its first and last line to what was typed before. */
const up: Change = (typed) => {
  const start = lineStart(typed);
  if (start === 0) return 'older';
  const above = lineStart({ text: typed.text, at: start - 1 });
  return { ...typed, at: Math.min(above + (typed.at - start), start - 1) };
};
const down: Change = (typed) => {
  const end = lineEnd(typed);
  if (end === typed.text.length) return 'newer';
  const below = end + 1;
  return { ...typed, at: Math.min(below + (typed.at - lineStart(typed)), lineEnd({ text: typed.text, at: below })) };
};

const plainKeys: Readonly<Record<string, Change | Wish>> = {
  backspace: erased(back),
  delete: erased(forward),
  left: moved(back),
  right: moved(forward),
  home: moved(lineStart),
  end: moved(lineEnd),
  up,
  down,
  tab: 'complete',
};

const ctrlKeys: Readonly<Record<string, Change | Wish>> = {
  a: moved(lineStart),
  e: moved(lineEnd),
  b: moved(back),
  f: moved(forward),
  h: erased(back),
  w: erased(wordStart),
  u: erased(lineStart),
  k: erased(lineEnd),
  p: up,
  n: down,
  left: moved(wordStart),
  right: moved(wordEnd),
  c: 'interrupt',
  g: 'editor',
  l: 'redraw',
  d: (typed) => (typed.text === '' ? 'end' : erased(forward)(typed)),
};

const metaKeys: Readonly<Record<string, Change | Wish>> = {
  b: moved(wordStart),
  f: moved(wordEnd),
  left: moved(wordStart),
  right: moved(wordEnd),
  d: erased(wordEnd),
  backspace: erased(wordStart),
};

/** The text with the end of what was typed completed as far as the choices agree; undefined where that is no more than there was. */
export function completed({ text, at }: Typed, { choices, part }: Completion): Typed | undefined {
  const common = choices.reduce((a, b) => {
    let end = 0;
    while (end < a.length && a[end] === b[end]) end += 1;
    return a.slice(0, end);
  });
  if (choices.length > 1 && common.length <= part.length) return undefined;
  return inserted(without({ text, at }, at - part.length, at), common);
}

/** The typed text behind its prompt as lines of so many columns, at most `maxRows` of them around the cursor. */
export function laidOut(
  { text, at }: Typed,
  prompt: string,
  columns: number,
  maxRows: number,
): { readonly lines: readonly Line[]; readonly cursor: Cursor } {
  const rows: Span[][] = [[]];
  let used = 0;
  let cursor: Cursor = { row: 0, column: 0 };
  const put = (segment: string, look: Span['styles']): void => {
    const shown = forTerminal(segment.replaceAll('\t', '    '));
    const width = widthOf(shown);
    if (used + width > columns) begin('');
    rows.at(-1)?.push({ text: shown, styles: look });
    used += width;
  };
  const begin = (indent: string): void => {
    rows.push(indent === '' ? [] : [span(indent)]);
    used = indent.length;
  };
  for (const { segment } of segmenter.segment(prompt)) put(segment, ['bold']);
  for (const { segment, index } of segmenter.segment(text)) {
    if (index === at) cursor = { row: rows.length - 1, column: used };
    if (segment === '\n' || segment === '\r\n') begin('  ');
    else put(segment, []);
  }
  if (at >= text.length) {
    if (used >= columns) begin('');
    cursor = { row: rows.length - 1, column: used };
  }
  const first = Math.max(0, Math.min(cursor.row - maxRows + 1, rows.length - maxRows));
  const shownFrom = cursor.row < first ? cursor.row : first;
  return {
    lines: rows.slice(shownFrom, shownFrom + maxRows).map(joined),
    cursor: { row: cursor.row - shownFrom, column: cursor.column },
  };
}

/** Letters of one look as one span. */
function joined(spans: readonly Span[]): Line {
  const line: { text: string; styles: Span['styles'] }[] = [];
  for (const { text, styles } of spans) {
    const before = line.at(-1);
    if (before && before.styles?.[0] === styles?.[0]) before.text += text;
    else line.push({ text, styles });
  }
  return line;
}
