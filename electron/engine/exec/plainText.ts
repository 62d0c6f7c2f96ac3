// Long because it is one screen: every control sequence works on the same rows, cursor and saved places.

import { fitting, TextRow } from './textRow.ts';

/** How far back a program may move the cursor and still change what it wrote. */
const screenRows = 50;
/** Rows kept open for changes beyond the screen before they are settled. */
const openRows = screenRows * 2;
/** A longer row goes on in the next without a line end between them: a change costs no more than this, however long the line. */
const screenColumns = 8_192;
/** Characters that a stream may have made by jumps and repetitions, which take a few bytes for thousands. */
const maxMade = 1_000_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
const special = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const specialAnywhere = new RegExp(special.source, 'g');

/**
 * What a stream would have left on a very wide screen, as text: colours gone, a progress line in its last state, window
 * titles, clipboard writes and other commands to the terminal dropped (security.md C8). A stream without control characters
 * comes out as it went in. `write` takes decoded text in pieces of any size.
 */
export class PlainText {
  #settled = '';
  #rows: TextRow[] = [new TextRow()];
  #row = 0;
  #column = 0;
  #top = 0;
  #saved: readonly [row: number, column: number] = [0, 0];
  #pending = '';
  /** Inside a string for the terminal, which may be long (a picture): it is dropped as it comes. */
  #string: { readonly ofOneLine: boolean } | undefined;
  #main: { rows: TextRow[]; row: number; column: number; top: number } | undefined;
  #lastPrinted = '';
  #made = 0;

  /** Characters that no later output can change. */
  get settledLength(): number {
    return this.#settled.length;
  }

  text(): string {
    return this.#settled + this.#rows.map(({ text, end }) => text + end).join('');
  }

  write(piece: string): void {
    const input = this.#pending + piece;
    this.#pending = '';
    let at = this.#string === undefined ? 0 : this.#dropString(input, 0);
    while (at < input.length) {
      specialAnywhere.lastIndex = at;
      const stop = specialAnywhere.exec(input)?.index ?? input.length;
      if (stop > at) this.#print(input.slice(at, stop));
      if (stop >= input.length) return;
      const next = this.#control(input, stop);
      if (next < 0) {
        // The rest of a sequence is yet to come; one that never ends is not waited for.
        if (input.length - stop < 4096) this.#pending = input.slice(stop);
        return;
      }
      at = next;
    }
  }

  /** Handles the control character at `at`; returns the index after it, or -1 when its end is missing. */
  #control(input: string, at: number): number {
    const c = input.charCodeAt(at);
    if (c === 0x0d) {
      const next = input[at + 1];
      if (next === undefined) return -1;
      if (next === '\n') {
        this.#newLine('\r\n');
        return at + 2;
      }
      this.#column = 0;
      return at + 1;
    }
    if (c === 0x08) this.#column = Math.max(0, this.#column - 1);
    else if (c === 0x0b || c === 0x0c || c === 0x84 || c === 0x85) this.#newLine('\n');
    else if (c === 0x8d) this.#moveRow(-1);
    else if (c === 0x9b) return this.#controlSequence(input, at + 1);
    else if (c === 0x90 || c === 0x98 || c === 0x9d || c === 0x9e || c === 0x9f)
      return this.#beginString(input, at + 1, c !== 0x90);
    else if (c === 0x1b) return this.#escape(input, at + 1);
    return at + 1;
  }

  #escape(input: string, at: number): number {
    const c = input[at];
    if (c === undefined) return -1;
    if (c === '[') return this.#controlSequence(input, at + 1);
    if (c === ']' || c === 'P' || c === 'X' || c === '^' || c === '_')
      return this.#beginString(input, at + 1, c !== 'P');
    if (c === '7') this.#saved = [this.#row, this.#column];
    else if (c === '8') this.#restore();
    else if (c === 'D') this.#newLine('\n');
    else if (c === 'E') this.#newLine('\n');
    else if (c === 'M') this.#moveRow(-1);
    else if (c >= ' ' && c <= '/') {
      let end = at;
      while (end < input.length && input.charAt(end) >= ' ' && input.charAt(end) <= '/') end += 1;
      return end < input.length ? end + 1 : -1;
    }
    return at + 1;
  }

  /** Titles, links and the like stand in one line: where their end is missing, the lines after it are not lost. */
  #beginString(input: string, at: number, ofOneLine: boolean): number {
    this.#string = { ofOneLine };
    return this.#dropString(input, at);
  }

  /** Index after the string's end, or of what ends it by being something else; the length when it goes on. */
  #dropString(input: string, at: number): number {
    for (let i = at; i < input.length; i += 1) {
      const c = input.charCodeAt(i);
      const next = input[i + 1];
      if (c === 0x1b && next === undefined) {
        this.#pending = '\x1b';
        return input.length;
      }
      const ends = c === 0x07 || c === 0x9c || c === 0x18 || c === 0x1a;
      if (!ends && c !== 0x1b && !(c === 0x0a && this.#string?.ofOneLine === true)) continue;
      this.#string = undefined;
      if (ends) return i + 1;
      return c === 0x1b && next === '\\' ? i + 2 : i;
    }
    return input.length;
  }

  #controlSequence(input: string, at: number): number {
    let end = at;
    while (end < input.length && /[\x20-\x3f]/.test(input.charAt(end))) end += 1;
    if (end >= input.length) return -1;
    const final = input.charAt(end);
    const parameters = input.slice(at, end);
    if (final < '@' || final > '~') return end; // broken off: the next character is read for itself
    if (parameters.startsWith('?')) {
      if (/^\?(?:47|1047|1049)$/.test(parameters)) this.#alternate(final === 'h');
      return end + 1;
    }
    const numbers = parameters.split(';').map((part) => Number.parseInt(part, 10));
    const count = Math.min(numbers[0] || 1, screenColumns);
    switch (final) {
      case 'A':
      case 'F':
        this.#moveRow(-count);
        if (final === 'F') this.#column = 0;
        break;
      case 'B':
      case 'E':
      case 'e':
        this.#moveRow(count);
        if (final === 'E') this.#column = 0;
        break;
      case 'C':
      case 'a':
        this.#column = Math.min(this.#column + count, screenColumns - 1);
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        break;
      case 'G':
      case '`':
        this.#column = count - 1;
        break;
      case 'd':
        this.#setRow(count - 1);
        break;
      case 'H':
      case 'f':
        this.#setRow(count - 1);
        this.#column = Math.min(numbers[1] || 1, screenColumns) - 1;
        break;
      case 'J':
        this.#eraseScreen(numbers[0] || 0);
        break;
      case 'K':
        this.#eraseLine(numbers[0] || 0);
        break;
      case 'P':
        this.#current().remove(this.#column, count);
        break;
      case '@':
        this.#current().insert(this.#column, this.#make(count));
        this.#current().cut(screenColumns);
        break;
      case 'X':
        this.#current().blank(this.#column, count);
        break;
      case 'b':
        this.#print(this.#lastPrinted.repeat(this.#make(count)));
        break;
      case 's':
        this.#saved = [this.#row, this.#column];
        break;
      case 'u':
        this.#restore();
        break;
      default: // colours, modes, reports: nothing that leaves text
    }
    return end + 1;
  }

  #print(run: string): void {
    let start = 0;
    for (;;) {
      const lineEnd = run.indexOf('\n', start);
      const part = lineEnd < 0 ? run.slice(start) : run.slice(start, lineEnd);
      if (part !== '') this.#put(part);
      if (lineEnd < 0) return;
      this.#newLine('\n');
      start = lineEnd + 1;
    }
  }

  #put(part: string): void {
    for (let rest = part; rest !== ''; ) {
      if (this.#column >= screenColumns) this.#goOn();
      const row = this.#current();
      if (this.#column > row.columns) this.#column = row.columns + this.#make(this.#column - row.columns);
      const fits = fitting(rest, screenColumns - this.#column);
      this.#column = row.put(this.#column, rest.slice(0, fits));
      rest = rest.slice(fits);
      if (rest !== '') this.#column = screenColumns;
    }
    this.#lastPrinted = lastCharacter(part);
  }

  /** As many characters as may still be made. */
  #make(count: number): number {
    const made = Math.min(count, maxMade - this.#made);
    this.#made += made;
    return made;
  }

  #newLine(end: '\n' | '\r\n'): void {
    const row = this.#current();
    if (row.end === '' && !row.goesOn) row.end = end;
    this.#nextRow();
  }

  /** The row is full. */
  #goOn(): void {
    const row = this.#current();
    row.goesOn = row.end === '';
    this.#nextRow();
  }

  #nextRow(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row === this.#rows.length) this.#rows.push(new TextRow());
    this.#scroll();
  }

  #scroll(): void {
    if (this.#row - this.#top >= screenRows) this.#top = this.#row - screenRows + 1;
    if (this.#main !== undefined || this.#rows.length <= openRows + screenRows) return;
    const count = Math.min(this.#rows.length - openRows, this.#top);
    if (count <= 0) return;
    for (const { text, end } of this.#rows.splice(0, count)) this.#settled += text + end;
    this.#row -= count;
    this.#top -= count;
    this.#saved = [Math.max(0, this.#saved[0] - count), this.#saved[1]];
  }

  #current(): TextRow {
    let row = this.#rows[this.#row];
    if (row === undefined) {
      row = new TextRow();
      this.#rows[this.#row] = row;
    }
    return row;
  }

  #moveRow(by: number): void {
    this.#goTo(Math.max(this.#row + by, this.#top));
  }

  #setRow(screenRow: number): void {
    this.#goTo(this.#top + Math.min(screenRow, screenRows - 1));
  }

  /** Rows that were jumped over exist and are empty. */
  #goTo(row: number): void {
    const limit = Math.min(row, this.#top + screenRows - 1);
    while (this.#rows.length <= limit) {
      const last = this.#rows.at(-1);
      if (last?.end === '') last.end = '\n';
      this.#rows.push(new TextRow());
    }
    this.#row = limit;
  }

  #restore(): void {
    this.#goTo(Math.max(this.#saved[0], this.#top));
    this.#column = this.#saved[1];
  }

  #eraseLine(what: number): void {
    const row = this.#current();
    if (what === 0) row.cut(this.#column);
    else if (what === 1) row.blank(0, this.#column + 1);
    else row.cut(0);
  }

  #eraseScreen(what: number): void {
    if (what === 0) {
      this.#eraseLine(0);
      this.#drop(this.#row + 1);
    } else if (what === 1) {
      for (let i = this.#top; i < this.#row; i += 1) this.#rows[i] = new TextRow('', '\n');
      this.#eraseLine(1);
    } else if (what === 2) {
      for (let i = this.#top; i < this.#rows.length; i += 1) this.#rows[i] = new TextRow();
      this.#drop(this.#top + 1);
      const row = this.#row;
      this.#row = this.#top;
      this.#goTo(row);
    }
  }

  #drop(from: number): void {
    this.#rows.length = Math.min(this.#rows.length, Math.max(from, 1));
    this.#rows.at(-1)?.open();
  }

  /** What a full-screen program painted is gone when it leaves, as in a terminal. */
  #alternate(enter: boolean): void {
    if (enter && this.#main === undefined) {
      this.#main = { rows: this.#rows, row: this.#row, column: this.#column, top: this.#top };
      this.#rows = [new TextRow()];
      this.#row = 0;
      this.#column = 0;
      this.#top = 0;
    } else if (!enter && this.#main !== undefined) {
      this.#rows = this.#main.rows;
      this.#row = this.#main.row;
      this.#column = this.#main.column;
      this.#top = this.#main.top;
      this.#main = undefined;
    }
  }
}

function lastCharacter(part: string): string {
  const low = part.charCodeAt(part.length - 1);
  return part.slice(low >= 0xdc00 && low < 0xe000 ? -2 : -1);
}

/** The whole of a text that is at hand. */
export function plainText(text: string): string {
  if (!special.test(text)) return text;
  const plain = new PlainText();
  plain.write(text);
  return plain.text().toWellFormed();
}
