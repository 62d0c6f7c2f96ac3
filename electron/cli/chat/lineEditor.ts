import type { ReadStream } from 'node:tty';
import { forTerminal } from '../base/forTerminal.ts';
import type { Io } from '../base/io.ts';
import type { Screen } from '../terminal/screen.ts';
import { span } from '../terminal/spans.ts';
import { editedText } from './editedText.ts';
import { afterKey, completed, inserted, laidOut, nothingTyped, type Typed, type Wish } from './editText.ts';
import { type Keyboard, openKeyboard } from './keyboard.ts';
import type { Completion, Terminal } from './terminal.ts';

/** Rows of what is typed; the rest of a long text scrolls. */
const maxRows = 12;

interface Asked {
  readonly prompt: string;
  readonly isQuestion: boolean;
  readonly give: (line: string | undefined) => void;
}

/**
 * A person at a terminal: messages of one or many lines with the usual keys, a paste as one message, what was typed before with
 * up and down, Ctrl-G for an editor of one's own. What is typed stands below everything else, also while a turn runs. `io` is
 * the terminal itself: what switches it must not wait for a line's end.
 */
export function openEditor(io: Io, screen: Screen, input: ReadStream): Terminal {
  return new Editor(io, screen, input);
}

class Editor implements Terminal {
  readonly #io: Io;
  readonly #screen: Screen;
  readonly #keyboard: Keyboard;
  readonly #history = createHistory();
  #typed: Typed = nothingTyped;
  #asked: Asked | undefined;
  /** What was being typed when a question appeared. */
  #aside: Typed = nothingTyped;
  #interject: ((line: string) => void) | undefined;
  #interrupted: () => void = () => undefined;
  #tab: ((line: string) => Promise<Completion>) | undefined;
  #closed = false;
  /** The end of input was typed. While a turn runs it counts when the turn has ended. */
  #over = false;

  constructor(io: Io, screen: Screen, input: ReadStream) {
    this.#io = io;
    this.#screen = screen;
    this.#keyboard = openKeyboard(io, input, {
      key: (text, key) => {
        const after = afterKey(this.#typed, text, key);
        if (typeof after === 'string') this.#wishes[after]();
        else this.#typed = after;
        this.#draw();
      },
      paste: (text) => {
        this.#typed = inserted(this.#typed, text);
        this.#draw();
      },
      end: () => this.#wishes.end(),
    });
    screen.onResize(() => this.#draw());
  }

  line(prompt: string): Promise<string | undefined> {
    return this.#next(prompt, false);
  }

  answer(prompt: string): Promise<string | undefined> {
    return this.#next(prompt, true);
  }

  dismiss(): void {
    if (this.#asked?.isQuestion === true) this.#finish(undefined);
  }

  onLine(take?: (line: string) => void): void {
    this.#interject = take;
    this.#draw();
  }

  onTab(complete: (line: string) => Promise<Completion>): void {
    this.#tab = complete;
  }

  onInterrupt(run: () => void): void {
    this.#interrupted = run;
  }

  close(): void {
    if (this.#closed) return;
    this.#finish(undefined);
    this.#closed = true;
    this.#draw();
    this.#keyboard.close();
  }

  #next(text: string, isQuestion: boolean): Promise<string | undefined> {
    if (this.#closed || this.#over) return Promise.resolve(undefined);
    const lines = text.split('\n');
    if (lines.length > 1) this.#screen.write(`${lines.slice(0, -1).join('\n')}\n`, 'out');
    return new Promise((give) => {
      this.#asked = { prompt: lines.at(-1) ?? '', isQuestion, give };
      if (isQuestion) {
        this.#aside = this.#typed;
        this.#typed = nothingTyped;
      }
      this.#draw();
    });
  }

  get #prompt(): string {
    return this.#asked?.prompt ?? '> ';
  }

  get #columns(): number {
    return Math.max(10, this.#screen.columns() - 2);
  }

  #draw(): void {
    if (this.#closed || (this.#asked === undefined && this.#interject === undefined)) return this.#screen.setInput([]);
    const rows = Math.max(1, Math.min(maxRows, this.#screen.rows() - 6));
    const { lines, cursor } = laidOut(this.#typed, this.#prompt, this.#columns, rows);
    this.#screen.setInput(lines, cursor);
  }

  readonly #wishes: Readonly<Record<Wish, () => void>> = {
    submit: () => this.#submit(),
    interrupt: () => {
      if (this.#asked?.isQuestion !== true) this.#typed = nothingTyped;
      this.#interrupted();
    },
    end: () => {
      this.#over = true;
      if (this.#asked) this.#finish(undefined);
    },
    complete: () => void this.#complete(),
    editor: () => void this.#edit(),
    older: () => this.#look(-1),
    newer: () => this.#look(1),
    redraw: () => undefined,
  };

  /** What was typed stays above as it was sent. */
  #submit(): void {
    const { text } = this.#typed;
    const asked = this.#asked;
    if (asked === undefined && text.trim() === '') return;
    this.#screen.setInput([]);
    this.#screen.print(laidOut({ text, at: 0 }, this.#prompt, this.#columns, Number.MAX_SAFE_INTEGER).lines);
    if (asked?.isQuestion !== true) this.#history.keep(text);
    if (asked) return this.#finish(text);
    this.#typed = nothingTyped;
    this.#draw();
    this.#interject?.(text);
  }

  #finish(line: string | undefined): void {
    const asked = this.#asked;
    this.#asked = undefined;
    this.#typed = asked?.isQuestion === true ? this.#aside : nothingTyped;
    if (asked?.isQuestion === true) this.#aside = nothingTyped;
    this.#draw();
    asked?.give(line);
  }

  #look(by: -1 | 1): void {
    const found = this.#asked?.isQuestion === true ? undefined : this.#history.look(by, this.#typed.text);
    if (found !== undefined) this.#typed = { text: found, at: found.length };
  }

  async #complete(): Promise<void> {
    const before = this.#typed;
    const found = await this.#tab?.(before.text.slice(0, before.at)).catch(() => undefined);
    if (!found || found.choices.length === 0 || this.#typed !== before) return;
    const after = completed(before, found);
    if (after === undefined) this.#screen.print([[span(forTerminal(found.choices.join('  ')), 'dim')]]);
    else this.#typed = after;
    this.#draw();
  }

  async #edit(): Promise<void> {
    this.#keyboard.suspend();
    this.#screen.suspend();
    const text = await editedText(this.#typed.text, this.#io);
    this.#keyboard.resume();
    this.#screen.resume();
    if (text !== undefined) this.#typed = { text, at: text.length };
    else this.#screen.print([[span('The editor could not be used. Set VISUAL or EDITOR to one.', 'yellow')]]);
    this.#draw();
  }
}

const maxHistory = 200;

/** What was typed before, and where one looks in it. */
function createHistory(): {
  keep(text: string): void;
  /** The text before or after the one that is looked at; `now` is kept as the newest one. */
  look(by: -1 | 1, now: string): string | undefined;
} {
  const texts: string[] = [];
  let place = 0;
  let left = '';
  return {
    keep(text) {
      if (text.trim() !== '' && texts.at(-1) !== text) texts.push(text);
      if (texts.length > maxHistory) texts.shift();
      place = texts.length;
    },
    look(by, now) {
      const to = place + by;
      if (to < 0 || to > texts.length) return undefined;
      if (place === texts.length) left = now;
      place = to;
      return texts[to] ?? left;
    },
  };
}
