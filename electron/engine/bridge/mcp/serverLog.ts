import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';

export interface LogLine {
  readonly at: string;
  /** `vise`: what became of the server; `stderr`: what it wrote there; else the level that it gave its message. */
  readonly from: string;
  readonly text: string;
}

const maxLines = 500;
const maxLineChars = 2_000;

/** The last lines of one server, in memory alone: they are its own words. */
export class ServerLog {
  readonly #clock: Clock;
  readonly #redact: (text: string) => string;
  readonly #lines: LogLine[] = [];
  /** A line of stderr that has no end yet. */
  #open = '';

  constructor(clock: Clock, redact: (text: string) => string) {
    this.#clock = clock;
    this.#redact = redact;
  }

  get lines(): readonly LogLine[] {
    return this.#lines.map((line) => ({ ...line, text: this.#redact(line.text) }));
  }

  add(from: string, text: string): void {
    this.#lines.push({ at: isoTime(this.#clock), from, text: text.slice(0, maxLineChars) });
    if (this.#lines.length > maxLines) this.#lines.splice(0, this.#lines.length - maxLines);
  }

  addStderr(text: string): void {
    const lines = (this.#open + text).split(/\r?\n/);
    this.#open = (lines.pop() ?? '').slice(-maxLineChars);
    for (const line of lines.slice(-maxLines)) if (line.trim() !== '') this.add('stderr', line);
  }

  /** The server has ended: what it wrote last is whole. */
  endStderr(): void {
    this.addStderr('\n');
  }
}
