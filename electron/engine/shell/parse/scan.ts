import type { Assignment, Command, Loop, Place, Redirect, Word } from './line.ts';

/** A redirect under construction: the body of a here-document is only known some lines later. */
export interface DraftRedirect {
  op: string;
  fd: number | null;
  word: Word;
  write: boolean;
  body?: string;
}

export interface DraftCommand {
  kind: Command['kind'];
  words: Word[];
  assignments: Assignment[];
  redirects: DraftRedirect[];
  places: Place[];
  piped: boolean;
}

export interface PendingHereDoc {
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly quoted: boolean;
  readonly redirect: DraftRedirect;
}

/** Where the reader stands in one text. Nested texts (backticks, here-documents) share everything but `text`, `at`, `pending`. */
export interface Scan {
  readonly text: string;
  at: number;
  readonly commands: DraftCommand[];
  readonly functions: string[];
  readonly loops: Loop[];
  readonly ambiguous: Set<string>;
  pending: PendingHereDoc[];
  /** Here-documents that wait outside the substitution being read. */
  waitingOutside: number;
  places: readonly Place[];
  piped: boolean;
  depth: number;
  /** Quotes that were opened and are not closed yet. */
  openQuotes: number;
  /** `&` between two letters is one of them. */
  readonly joinsAmpersand: boolean;
  /** The grammar, lent to the word reader: both need each other and files may not form a circle. */
  readonly grammar: (scan: Scan, closer: ')' | undefined) => void;
}

/** Ends the reading of a text without a certain meaning; caught by `parseLine` only. */
export class Unparsable extends Error {}

export function stop(reason: string): never {
  throw new Unparsable(reason);
}

/** Deeper nesting is not what people or models write, and would exhaust the stack. */
const maxDepth = 24;
const maxCommands = 50;

export function nested<T>(scan: Scan, place: Place | undefined, read: () => T): T {
  if (scan.depth >= maxDepth) stop('it is nested too deeply');
  const { places } = scan;
  scan.depth += 1;
  if (place !== undefined) scan.places = [...places, place];
  const value = read();
  scan.depth -= 1;
  scan.places = places;
  return value;
}

export function newCommand(scan: Scan, kind: DraftCommand['kind']): DraftCommand {
  if (scan.commands.length >= maxCommands) stop(`it has more than ${maxCommands} commands`);
  const command: DraftCommand = {
    kind,
    words: [],
    assignments: [],
    redirects: [],
    places: [...scan.places],
    piped: scan.piped,
  };
  scan.commands.push(command);
  return command;
}

/** A line end inside a word, while a here-document waits for its body, is where shells disagree. */
export function lineEndInWord(scan: Scan): void {
  if (scan.pending.length > 0 || scan.waitingOutside > 0) stop('a here-document begins inside a word');
}

/** Blanks and line continuations. */
export function skipBlanks(scan: Scan): void {
  for (;;) {
    const char = scan.text[scan.at];
    if (char === ' ' || char === '\t') scan.at += 1;
    else if (char === '\\' && scan.text[scan.at + 1] === '\n') scan.at += 2;
    else return;
  }
}

/** A comment begins at `#` where a word could begin; a carriage return before it belongs to the word for some shells. */
export function skipComment(scan: Scan): boolean {
  if (scan.text[scan.at] !== '#' || scan.text[scan.at - 1] === '\r') return false;
  while (scan.at < scan.text.length && scan.text[scan.at] !== '\n') scan.at += 1;
  return true;
}

export function looksAt(scan: Scan, text: string): boolean {
  return scan.text.startsWith(text, scan.at);
}

export function finishedRedirect({ op, fd, word, write, body }: DraftRedirect): Redirect {
  return { op, fd, target: word.value, word, write, body };
}
