import { lexer } from 'marked';
import { withoutOpenMarks } from '../../../shared/text/withoutOpenMarks.ts';
import { forTerminal } from '../base/forTerminal.ts';
import { markdownLines } from './markdown.ts';
import type { Screen } from './screen.ts';
import { indented, type Line, type Style } from './spans.ts';

type Kind = 'words' | 'note';

/** What stays on a terminal, in order: words of the model, and notes of what happens between them. */
export interface Page {
  /** Whether something stands above the next line. */
  begun(): boolean;
  /** Lines that may have to be read first; those that come later wait for them. */
  show(kind: Kind, lines: () => readonly Line[] | Promise<readonly Line[]>): void;
  note(text: string, ...styles: readonly Style[]): void;
  /** More words of the model. What can no longer change is printed, unless they may be the answer, which waits. */
  grow(text: string, waits: boolean): void;
  /** Words that are not printed yet, as they come. */
  pending(): string;
  /** Prints those words, or drops them. */
  flush(): void;
  drop(): void;
  /** The end of a turn: resolves when all is printed. */
  end(): Promise<void>;
}

export function createPage(screen: Screen): Page {
  let pending = '';
  let last: Kind | undefined;
  let printing: Promise<void> = Promise.resolve();
  let queued = 0;

  const put = (kind: Kind, lines: readonly Line[]): void => {
    if (lines.length === 0) return;
    const isApart = kind === 'words' ? last !== undefined : last === 'words';
    screen.print(isApart ? [[], ...lines] : lines);
    last = kind;
  };
  const show: Page['show'] = (kind, lines) => {
    const now = queued === 0 ? lines() : undefined;
    if (now !== undefined && !(now instanceof Promise)) return put(kind, now);
    queued += 1;
    printing = printing.then(async () => {
      put(kind, await (now ?? lines()));
      queued -= 1;
    });
  };
  const words = (text: string): void => {
    if (text.trim() !== '') show('words', () => markdownLines(forTerminal(text), screen.columns() - 1, screen.colours));
  };
  const flush = (): void => {
    const text = pending;
    pending = '';
    words(text);
  };
  return {
    begun: () => last !== undefined,
    show,
    note: (text, ...styles) =>
      show('note', () =>
        forTerminal(text)
          .split('\n')
          .flatMap((line) => indented(line, screen.columns() - 1, ...styles)),
      ),
    grow(text, waits) {
      pending += text;
      if (waits || !text.includes('\n')) return;
      // A list may still swallow the block that follows it.
      const whole = lexer(withoutOpenMarks(pending))
        .slice(0, -2)
        .map(({ raw }) => raw)
        .join('');
      if (whole.trim() === '') return;
      pending = pending.slice(whole.length);
      words(whole);
    },
    pending: () => pending,
    flush,
    drop() {
      pending = '';
    },
    async end() {
      await printing;
      last = undefined;
    },
  };
}
