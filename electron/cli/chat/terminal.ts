import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Io } from '../io.ts';

/** Lines of a person (or of a pipe), asked for one at a time. */
export interface Terminal {
  /** The next line; nothing at the end of input. */
  line(prompt: string): Promise<string | undefined>;
  /** The answer to a question. What was typed before it appeared on a terminal is no answer to it. */
  answer(prompt: string): Promise<string | undefined>;
  onInterrupt(run: () => void): void;
  close(): void;
}

export function openTerminal(io: Io, input: Readable, isTty: boolean): Terminal {
  const waiting: string[] = [];
  let ask: ((line: string | undefined) => void) | undefined;
  let ended = false;
  let interrupted: () => void = () => undefined;
  const lines = createInterface({ input, ...(isTty ? { output: process.stdout, terminal: true } : {}) });
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
    onInterrupt(run) {
      interrupted = run;
    },
    close: () => lines.close(),
  };
}
