import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Io } from '../base/io.ts';

/** Lines of a person (or of a pipe), asked for one at a time. */
export interface Terminal {
  /** The next line; nothing at the end of input. */
  line(prompt: string): Promise<string | undefined>;
  /** The answer to a question. What was typed before it appeared on a terminal is no answer to it. */
  answer(prompt: string): Promise<string | undefined>;
  /**
   * Takes what is typed on a terminal while nobody asks for a line, until it is called with nothing. From a pipe every line
   * waits for its prompt: what was written beforehand is a dialogue, not an interjection.
   */
  onLine(take?: (line: string) => void): void;
  /** What Tab offers for the line up to the cursor; nothing where there is no terminal. */
  onTab(complete: (line: string) => Promise<Completion>): void;
  onInterrupt(run: () => void): void;
  close(): void;
}

/** What could stand in the place of `part`, the end of the line. */
export interface Completion {
  readonly choices: readonly string[];
  readonly part: string;
}

export function openTerminal(io: Io, input: Readable, isTty: boolean): Terminal {
  const waiting: string[] = [];
  let ask: ((line: string | undefined) => void) | undefined;
  let ended = false;
  let interrupted: () => void = () => undefined;
  let interject: ((line: string) => void) | undefined;
  let tab: ((line: string) => Promise<Completion>) | undefined;
  const completer = (line: string, give: (error: Error | null, found: [string[], string]) => void): void => {
    const found = tab?.(line) ?? Promise.resolve({ choices: [], part: '' });
    void found.then(
      ({ choices, part }) => give(null, [[...choices], part]),
      () => give(null, [[], line]),
    );
  };
  const lines = createInterface({ input, ...(isTty ? { output: process.stdout, terminal: true, completer } : {}) });
  const give = (line: string | undefined): boolean => {
    const resolve = ask;
    ask = undefined;
    resolve?.(line);
    return resolve !== undefined;
  };
  lines.on('line', (line) => {
    if (give(line)) return;
    if (isTty && interject) interject(line);
    else waiting.push(line);
  });
  lines.on('close', () => {
    ended = true;
    give(undefined);
  });
  lines.on('SIGINT', () => interrupted());

  const next = (prompt: string): Promise<string | undefined> => {
    io.out(prompt);
    const line = waiting.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      ask = resolve;
    });
  };
  return {
    line: next,
    answer(prompt) {
      if (isTty) waiting.length = 0;
      return next(prompt);
    },
    onLine(take) {
      interject = take;
    },
    onTab(complete) {
      tab = complete;
    },
    onInterrupt(run) {
      interrupted = run;
    },
    close: () => lines.close(),
  };
}
