import type { Piece } from './line.ts';
import { lineEndInWord, nested, type Scan, stop } from './scan.ts';

export interface Sink {
  readonly text: (text: string, quoted: boolean) => void;
  readonly piece: (piece: Piece) => void;
}

export interface Surroundings {
  readonly quoted: boolean;
  /** Reads on after an opening double quote; lent by the word reader. */
  readonly double: (scan: Scan, sink: Sink) => void;
}

/** Takes what is read for its nested commands only. */
const nowhere: Sink = { text: () => {}, piece: () => {} };

const specialName = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;

/** Reads the expansion at `$`, or a plain dollar sign. */
export function readDollar(scan: Scan, sink: Sink, around: Surroundings): void {
  const start = scan.at;
  const written = () => scan.text.slice(start, scan.at);
  if (scan.text.startsWith('$((', start) && readArithmetic(scan, around)) {
    sink.piece({ kind: 'arithmetic', text: written() });
    return;
  }
  const next = scan.text[start + 1];
  if (next === '(') {
    scan.at += 2;
    readSubstitution(scan);
    sink.piece({ kind: 'substitution', text: written() });
    return;
  }
  if (next === '{') {
    const name = nested(scan, undefined, () => readBraced(scan, around));
    sink.piece({ kind: 'variable', text: written(), name, quoted: around.quoted });
    return;
  }
  specialName.lastIndex = start + 1;
  const name = specialName.exec(scan.text)?.[0];
  if (name !== undefined) {
    scan.at = start + 1 + name.length;
    sink.piece({ kind: 'variable', text: written(), name, quoted: around.quoted });
    return;
  }
  scan.at += 1;
  if (next === '[') sink.piece({ kind: 'arithmetic', text: '$' });
  else sink.text('$', around.quoted);
}

/** Behind `$(`: commands up to the closing parenthesis, with here-documents of their own. */
function readSubstitution(scan: Scan): void {
  const outer = scan.pending;
  const { piped } = scan;
  scan.waitingOutside += outer.length;
  scan.pending = [];
  nested(scan, 'substitution', () => scan.grammar(scan, ')'));
  if (scan.pending.length > 0) stop('a here-document has no body');
  scan.waitingOutside -= outer.length;
  scan.pending = outer;
  scan.piped = piped;
}

/** `$((…))`; false (and nothing consumed) when the parentheses say that it is a subshell in a substitution. */
function readArithmetic(scan: Scan, around: Surroundings): boolean {
  const start = scan.at;
  const commands = scan.commands.length;
  let depth = 0;
  scan.at += 3;
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? '';
    if (char === '$') nested(scan, 'substitution', () => readDollar(scan, nowhere, { ...around, quoted: true }));
    else if (char === '`') readBackticks(scan, nowhere, true);
    else if (char === '"' || char === "'" || char === '\\') stop('an arithmetic expansion contains quotes');
    else {
      if (char === '\n') lineEndInWord(scan);
      if (char === '(') depth += 1;
      if (char === ')') {
        if (depth === 0) {
          if (scan.text[scan.at + 1] === ')') {
            scan.at += 2;
            return true;
          }
          scan.at = start;
          scan.commands.length = commands;
          return false;
        }
        depth -= 1;
      }
      scan.at += 1;
    }
  }
  stop('an arithmetic expansion is not closed');
}

/** `${…}`: gives the name when nothing but the name stands there, else an empty text. */
function readBraced(scan: Scan, around: Surroundings): string {
  const start = scan.at + 2;
  scan.at = start;
  if (/[\s|]/.test(scan.text[start] ?? '')) stop('a ${ … } runs commands');
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? '';
    if (char === '}') {
      const content = scan.text.slice(start, scan.at);
      scan.at += 1;
      return /^(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])$/.test(content) ? content : '';
    }
    if (char === '\\') scan.at += 2;
    else if (char === "'") {
      // Inside double quotes shells disagree whether this quotes.
      if (around.quoted) stop('a ${…} inside double quotes contains a single quote');
      const end = scan.text.indexOf("'", scan.at + 1);
      if (end < 0) stop('a single quote is not closed');
      scan.at = end + 1;
    } else if (char === '"') {
      scan.at += 1;
      around.double(scan, nowhere);
    } else if (char === '`') readBackticks(scan, nowhere, around.quoted);
    else if (char === '$') nested(scan, undefined, () => readDollar(scan, nowhere, around));
    else if ((char === '<' || char === '>') && scan.text[scan.at + 1] === '(')
      stop('a ${…} contains a process substitution');
    else {
      if (char === '\n') lineEndInWord(scan);
      scan.at += 1;
    }
  }
  stop('a ${…} is not closed');
}

/** Backticks hold a text of their own, with one layer of backslashes. */
export function readBackticks(scan: Scan, sink: Sink, quoted: boolean): void {
  const start = scan.at;
  let inner = '';
  scan.at += 1;
  for (;;) {
    const char = scan.text[scan.at];
    if (char === undefined) stop('a backtick is not closed');
    if (char === '`') break;
    const next = scan.text[scan.at + 1];
    if (char === '\\' && next !== undefined && ('$`\\'.includes(next) || (quoted && next === '"'))) {
      inner += next;
      scan.at += 2;
    } else {
      if (char === '\n') lineEndInWord(scan);
      inner += char;
      scan.at += 1;
    }
  }
  scan.at += 1;
  nested(scan, 'substitution', () => {
    const within: Scan = { ...scan, text: inner, at: 0, pending: [] };
    scan.grammar(within, undefined);
  });
  sink.piece({ kind: 'substitution', text: scan.text.slice(start, scan.at) });
}
