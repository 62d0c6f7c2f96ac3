import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Io } from '../base/io.ts';

/** Lines of a person (or of a pipe), asked for one at a time. */
export interface Terminal {
  /** The next message; nothing at the end of input. From a pipe it is a line. */
  line(prompt: string): Promise<string | undefined>;
  /** The answer to a question. What was typed before it appeared on a terminal is no answer to it. */
  answer(prompt: string): Promise<string | undefined>;
  /** The question that waits is answered by the end of what asked it: its answer is nothing. */
  dismiss(): void;
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

/** The lines of a pipe or a file; each prompt is printed before its line. */
export function openPipe(io: Io, input: Readable): Terminal {
  const waiting: string[] = [];
  let ask: ((line: string | undefined) => void) | undefined;
  let ended = false;
  const lines = createInterface({ input });
  const give = (line: string | undefined): boolean => {
    const resolve = ask;
    ask = undefined;
    resolve?.(line);
    return resolve !== undefined;
  };
  lines.on('line', (line) => {
    if (!give(line)) waiting.push(line);
  });
  lines.on('close', () => {
    ended = true;
    give(undefined);
  });
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
    answer: next,
    dismiss: () => undefined,
    onLine: () => undefined,
    onTab: () => undefined,
    onInterrupt: () => undefined,
    close: () => lines.close(),
  };
}
