import stringWidth from 'string-width';

/** How a piece of text looks; nothing of it is seen without colours. */
export type Style = 'bold' | 'dim' | 'italic' | 'underline' | 'strike' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

/** A piece of a line in one look. Its text holds no line end and nothing that a terminal obeys. */
export interface Span {
  readonly text: string;
  readonly styles?: readonly Style[];
}

export type Line = readonly Span[];

const codes: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  strike: 9,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  cyan: 36,
};

export const span = (text: string, ...styles: readonly Style[]): Span => ({ text, styles });

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + widthOf(text), 0);

/** A line as it is written: with its colours, or as text alone. */
export function painted(line: Line, colours: boolean): string {
  if (!colours) return line.map(({ text }) => text).join('');
  return line
    .map(({ text, styles }, i) => {
      const look = sgr(styles);
      const before = i > 0 ? sgr(line[i - 1]?.styles) : '';
      const after = i + 1 < line.length ? sgr(line[i + 1]?.styles) : '';
      return `${look !== '' && look !== before ? look : ''}${text}${look !== '' && look !== after ? '\u001B[0m' : ''}`;
    })
    .join('');
}

function sgr(styles: readonly Style[] = []): string {
  return styles.length === 0 ? '' : `\u001B[${styles.map((style) => codes[style]).join(';')}m`;
}

const segmenter = new Intl.Segmenter();

/** The beginning of a text that takes at most so many columns, and the rest; at least one character of it. */
function splitAtWidth(text: string, columns: number): readonly [string, string] {
  let width = 0;
  let at = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns && index > 0) break;
    at = index + segment.length;
    if (width > columns) break;
  }
  return [text.slice(0, at), text.slice(at)];
}

/** A line of at most so many columns, the rest of it left out behind `…`. */
export function cutLine(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  const kept: Span[] = [];
  let left = columns - 1;
  for (const { text, styles } of line) {
    if (left <= 0) break;
    const [head] = widthOf(text) <= left ? [text] : splitAtWidth(text, left);
    if (widthOf(head) > left) break;
    kept.push({ text: head, styles });
    left -= widthOf(head);
    if (head.length < text.length) break;
  }
  return [...kept, { text: '…', styles: ['dim'] }];
}

/** A word or the blanks between two: what may not be torn, unless it is wider than a line. */
function piecesOf(line: Line): readonly Span[] {
  return line.flatMap(({ text, styles }) => (text.match(/\s+|\S+/g) ?? []).map((piece) => ({ text: piece, styles })));
}

/**
 * A line as lines of at most so many columns, broken at blanks. `first` stands before the first of them and `rest` before the
 * others: a bullet and its indentation.
 */
export function wrapped(line: Line, columns: number, first: Line = [], rest: Line = first): readonly Line[] {
  const lines: Line[] = [];
  let current: Span[] = [...first];
  let used = lineWidth(first);
  let isEmpty = true;
  const flush = (): void => {
    while (current.length > 0 && current.at(-1)?.text.trim() === '' && !isEmpty) current.pop();
    lines.push(current);
    current = [...rest];
    used = lineWidth(rest);
    isEmpty = true;
  };
  for (const piece of glued(piecesOf(line))) {
    const width = lineWidth(piece);
    const isBlank = piece.every(({ text }) => text.trim() === '');
    if (isBlank && isEmpty && lines.length > 0) continue;
    if (used + width > columns && !isEmpty) flush();
    if (isBlank && isEmpty && lines.length > 0) continue;
    let left = piece;
    while (lineWidth(left) > Math.max(1, columns - used)) {
      const [head, tail] = torn(left, Math.max(1, columns - used));
      current.push(...head);
      isEmpty = false;
      flush();
      left = tail;
    }
    current.push(...left);
    used += lineWidth(left);
    if (left.length > 0) isEmpty = false;
  }
  if (!isEmpty || lines.length === 0) flush();
  return lines;
}

/** A text within so many columns; what goes on in the next line stands a little further in than its beginning. */
export function indented(text: string, columns: number, ...styles: readonly Style[]): readonly Line[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  return wrapped([span(text.slice(indent.length), ...styles)], columns, [span(indent)], [span(`${indent}  `)]);
}

/** Facts with a dot between them, none of them torn. */
export function factLines(facts: readonly string[], columns: number, ...styles: readonly Style[]): readonly Line[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    const joined = last === undefined ? fact : `${last} · ${fact}`;
    if (last !== undefined && widthOf(joined) > columns) lines.push(`  ${fact}`);
    else lines[Math.max(0, lines.length - 1)] = joined;
  }
  return lines.map((line) => [span(line, ...styles)]);
}

/** Words that touch each other, such as a word and the full stop behind it in another look, stay together. */
function glued(pieces: readonly Span[]): readonly Line[] {
  const groups: Span[][] = [];
  let touches = false;
  for (const piece of pieces) {
    const isBlank = piece.text.trim() === '';
    if (touches && !isBlank) groups.at(-1)?.push(piece);
    else groups.push([piece]);
    touches = !isBlank;
  }
  return groups;
}

function torn(line: Line, columns: number): readonly [Line, Line] {
  const head: Span[] = [];
  let left = columns;
  for (const [i, { text, styles }] of line.entries()) {
    const width = widthOf(text);
    if (width <= left) {
      head.push({ text, styles });
      left -= width;
      continue;
    }
    if (left <= 0 && head.length > 0) return [head, line.slice(i)];
    const [start, end] = splitAtWidth(text, left);
    if (widthOf(start) > left && head.length > 0) return [head, line.slice(i)];
    return [
      [...head, { text: start, styles }],
      end === '' ? line.slice(i + 1) : [{ text: end, styles }, ...line.slice(i + 1)],
    ];
  }
  return [head, []];
}

/** A line torn at the width wherever that is, as a terminal does it: for code, where each blank counts. */
export function tornLines(line: Line, columns: number, first: Line = [], rest: Line = first): readonly Line[] {
  const lines: Line[] = [];
  let left = line;
  do {
    const before = lines.length === 0 ? first : rest;
    const [head, tail] = torn(left, Math.max(1, columns - lineWidth(before)));
    lines.push([...before, ...head]);
    left = tail;
  } while (left.length > 0);
  return lines;
}
