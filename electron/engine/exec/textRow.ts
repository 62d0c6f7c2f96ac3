/** Anything that may take no column, or two. */
const unusual = /[^\t\x20-\u02ff]/;
/** East Asian wide and full-width characters, from and to. */
const wide: readonly (readonly [number, number])[] = [
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
  [0x1100, 0x115f],
  [0xa960, 0xa97f],
  [0xfe30, 0xfe6f],
];
/** Vowels and endings of Korean that are drawn into the letter before. */
const joined = [0x1160, 0x11ff] as const;
/** Properties are slow to ask for: what was asked is kept, most texts being made of a few hundred characters. */
const maxKnown = 10_000;
const known = new Map<number, number>();

function widthOf(code: number): number {
  if (code < 0x300) return 1;
  const before = known.get(code);
  if (before !== undefined) return before;
  const character = String.fromCodePoint(code);
  const width =
    /^(?:\p{Mn}|\p{Me}|\p{Cf})$/u.test(character) || (code >= joined[0] && code <= joined[1])
      ? 0
      : wide.some(([from, to]) => code >= from && code <= to) || /^\p{Emoji_Presentation}$/u.test(character)
        ? 2
        : 1;
  if (known.size >= maxKnown) known.clear();
  known.set(code, width);
  return width;
}

/** One row of a screen without a right edge, addressed by column. As long as each character takes one column, a column is an index. */
export class TextRow {
  /** Empty for the row that is still open, and for one that goes on in the next. */
  end: '' | '\n' | '\r\n';
  goesOn = false;
  #text: string;
  #columns: number;
  /** Each character takes one column. */
  #even: boolean;

  constructor(text = '', end: '' | '\n' | '\r\n' = '') {
    this.#text = text;
    this.#columns = columnsOf(text);
    this.#even = !unusual.test(text);
    this.end = end;
  }

  get text(): string {
    return this.#text;
  }

  get columns(): number {
    return this.#columns;
  }

  /** Nothing follows it any more. */
  open(): void {
    this.end = '';
    this.goesOn = false;
  }

  /** Writes over what stands there; returns the column behind it. */
  put(column: number, part: string): number {
    if (unusual.test(part)) this.#even = false;
    const size = columnsOf(part);
    const behind = column + size;
    if (column === this.#columns) this.#set(this.#text + part, behind);
    else if (column > this.#columns) this.#set(this.#text + ' '.repeat(column - this.#columns) + part, behind);
    else this.#set(this.#until(column) + part + this.#from(behind), Math.max(behind, this.#columns));
    return behind;
  }

  /** Drops everything from a column on. */
  cut(column: number): void {
    if (column < this.#columns) this.#set(this.#until(column), column);
  }

  /** Takes columns out; what is behind them moves up. */
  remove(column: number, count: number): void {
    if (column >= this.#columns) return;
    this.#set(this.#until(column) + this.#from(column + count), Math.max(column, this.#columns - count));
  }

  /** Puts blanks in; what is behind them moves on. */
  insert(column: number, count: number): void {
    if (column >= this.#columns) return;
    this.#set(this.#until(column) + ' '.repeat(count) + this.#from(column), this.#columns + count);
  }

  /** Puts blanks over what stands there. */
  blank(column: number, count: number): void {
    if (column >= this.#columns) return;
    const size = Math.min(count, this.#columns - column);
    this.#set(this.#until(column) + ' '.repeat(size) + this.#from(column + size), this.#columns);
  }

  #set(text: string, columns: number): void {
    this.#text = text;
    this.#columns = columns;
  }

  /** The columns before this one; a wide character that it halves is a blank there. */
  #until(column: number): string {
    if (this.#even) return this.#text.slice(0, column);
    const { index, over } = this.#place(column);
    return this.#text.slice(0, index) + (over ? ' ' : '');
  }

  #from(column: number): string {
    if (this.#even) return this.#text.slice(column);
    const { index, over } = this.#place(column);
    const rest = this.#text.slice(index);
    return over ? ` ${rest.slice(unitsOf(rest.codePointAt(0) ?? 0x20))}` : rest;
  }

  /** Where a column begins in the text; `over` when the character there began one column before. Looked for from the nearer end. */
  #place(column: number): { readonly index: number; readonly over: boolean } {
    const text = this.#text;
    if (column >= this.#columns) return { index: text.length, over: false };
    if (column > this.#columns / 2) {
      let index = text.length;
      let at = this.#columns;
      while (at > column) {
        const low = text.charCodeAt(index - 1);
        index -= low >= 0xdc00 && low < 0xe000 && index > 1 ? 2 : 1;
        at -= widthOf(text.codePointAt(index) ?? 0x20);
      }
      return { index, over: at < column };
    }
    let index = 0;
    let at = 0;
    while (index < text.length) {
      const code = text.codePointAt(index) ?? 0x20;
      const size = widthOf(code);
      if (at + size > column) return { index, over: at < column };
      at += size;
      index += unitsOf(code);
    }
    return { index, over: false };
  }
}

/** How much of a text fits into so many columns; at least one character, where there is room for none. */
export function fitting(text: string, columns: number): number {
  if (text.length * 2 <= columns) return text.length;
  const head = text.slice(0, columns + 1);
  if (!unusual.test(head)) return Math.max(1, Math.min(text.length, columns));
  let at = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.codePointAt(index) ?? 0x20;
    at += widthOf(code);
    if (at > columns && index > 0) break;
    index += unitsOf(code);
  }
  return index;
}

function columnsOf(text: string): number {
  if (!unusual.test(text)) return text.length;
  let columns = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0x20;
    columns += widthOf(code);
    index += unitsOf(code);
  }
  return columns;
}

function unitsOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}
