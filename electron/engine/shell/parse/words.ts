import { decodeAnsiC } from './ansiC.ts';
import { readBackticks, readDollar, type Sink } from './expansions.ts';
import type { Piece, Word } from './line.ts';
import { lineEndInWord, nested, type Scan, stop } from './scan.ts';

const endsWord = new Set([' ', '\t', '\n', '\r', ';', '&', '|', '<', '>', '(', ')']);

/** Reads the word at the cursor, or nothing when none begins there. */
export function readWord(scan: Scan): Word | undefined {
  return readUntil(scan, (char) => endsWord.has(char));
}

/** The right side of `=~`: parentheses and bars belong to it. Only `sh` would see commands in a bar without parentheses. */
export function readPattern(scan: Scan): Word | undefined {
  let depth = 0;
  let sawParenthesis = false;
  return readUntil(scan, (char) => {
    if (char === '(') {
      depth += 1;
      sawParenthesis = true;
    } else if (char === ')') {
      depth -= 1;
    } else if (';&|<>'.includes(char) && !sawParenthesis) {
      stop('a pattern after =~ contains an operator');
    }
    return depth <= 0 && (char === ' ' || char === '\t' || char === '\n');
  });
}

function readUntil(scan: Scan, ends: (char: string) => boolean): Word | undefined {
  const start = scan.at;
  const sink = newSink();
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? '';
    const next = scan.text[scan.at + 1];
    if ((char === '<' || char === '>') && next === '(') readProcess(scan, sink);
    else if (ends(char) && !(char === '&' && isJoined(scan, start))) break;
    else if (!readPlain(scan, sink)) readOne(scan, sink, char, start);
  }
  if (scan.at === start) return undefined;
  const pieces = sink.done();
  return { raw: scan.text.slice(start, scan.at), pieces, value: pieces.map((piece) => piece.text).join('') };
}

const plain = /[\w.,:=@%+/-]+/y;

/** Letters that mean themselves everywhere, at once: a long word costs no more than its length. */
function readPlain(scan: Scan, sink: Sink): boolean {
  plain.lastIndex = scan.at;
  const text = plain.exec(scan.text)?.[0];
  if (text === undefined) return false;
  sink.text(text, false);
  scan.at += text.length;
  return true;
}

/** `a&b`, `https://h/?a=1&b=2`. */
function isJoined({ text, at, joinsAmpersand }: Scan, start: number): boolean {
  return joinsAmpersand && at > start && /[^\s&<>]/.test(text[at + 1] ?? ' ');
}

function readOne(scan: Scan, sink: Sink, char: string, start: number): void {
  switch (char) {
    case '\\': {
      const next = scan.text[scan.at + 1];
      scan.at += 2;
      if (next === undefined) {
        scan.at -= 1;
        sink.text('\\', true);
      } else if (next !== '\n') sink.text(next, true);
      return;
    }
    case "'":
      return readSingle(scan, sink);
    case '"':
      scan.at += 1;
      return readDouble(scan, sink);
    case '`':
      return readBackticks(scan, sink, false);
    case '$':
      if (scan.text[scan.at + 1] === "'") return readAnsi(scan, sink);
      if (scan.text[scan.at + 1] === '"') {
        scan.ambiguous.add('$"…" is read differently by sh and bash');
        scan.at += 2;
        return readDouble(scan, sink);
      }
      return readDollar(scan, sink, { quoted: false, double: readDouble });
    case '*':
    case '?':
    case '[':
      scan.at += 1;
      return sink.piece({ kind: 'glob', text: char });
    case '~':
      scan.at += 1;
      return scan.at - 1 === start ? sink.piece({ kind: 'tilde', text: char }) : sink.text(char, false);
    case '{':
      scan.at += 1;
      // `{}` of find and `@{1}` of git are no brace expansion for any shell.
      return /^\{[^,\s"'`$\\{}.]*\}/.test(scan.text.slice(scan.at - 1, scan.at + 200)) ||
        isWordEnd(scan.text[scan.at], start, scan.at - 1)
        ? sink.text(char, false)
        : sink.piece({ kind: 'brace', text: char });
    default:
      scan.at += 1;
      return sink.text(char, false);
  }
}

function isWordEnd(next: string | undefined, start: number, at: number): boolean {
  return start === at && (next === undefined || endsWord.has(next));
}

function readSingle(scan: Scan, sink: Sink): void {
  const end = scan.text.indexOf("'", scan.at + 1);
  if (end < 0) stopOpen(scan);
  const body = scan.text.slice(scan.at + 1, end);
  if (body.includes('\n')) lineEndInWord(scan);
  scan.at = end + 1;
  sink.text(body, true);
}

function readAnsi(scan: Scan, sink: Sink): void {
  const end = scan.text.indexOf("'", scan.at + 2);
  if (end < 0) stopOpen(scan);
  const body = scan.text.slice(scan.at + 2, end);
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(body)) stop("sh and bash end a $'…' text at different places");
  if (body.includes('\n')) lineEndInWord(scan);
  scan.ambiguous.add("$'…' is read differently by sh and bash");
  scan.at = end + 1;
  sink.text(decodeAnsiC(body), true);
}

function stopOpen(scan: Scan): never {
  scan.openQuotes += 1;
  scan.at = scan.text.length;
  stop('a single quote is not closed');
}

/** The cursor stands behind the opening quote. */
function readDouble(scan: Scan, sink: Sink): void {
  scan.openQuotes += 1;
  sink.text('', true);
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? '';
    if (char === '"') {
      scan.at += 1;
      scan.openQuotes -= 1;
      return;
    }
    if (char === '\\') {
      const next = scan.text[scan.at + 1];
      scan.at += 2;
      if (next === undefined) break;
      if (next !== '\n') sink.text('$`"\\'.includes(next) ? next : `\\${next}`, true);
    } else if (char === '`') readBackticks(scan, sink, true);
    else if (char === '$') readDollar(scan, sink, { quoted: true, double: readDouble });
    else {
      if (char === '\n') lineEndInWord(scan);
      scan.at += 1;
      sink.text(char, true);
    }
  }
  stop('a double quote is not closed');
}

function readProcess(scan: Scan, sink: Sink): void {
  const start = scan.at;
  scan.at += 2;
  const outer = scan.pending;
  scan.waitingOutside += outer.length;
  scan.pending = [];
  nested(scan, 'substitution', () => scan.grammar(scan, ')'));
  if (scan.pending.length > 0) stop('a here-document has no body');
  scan.waitingOutside -= outer.length;
  scan.pending = outer;
  sink.piece({ kind: 'process', text: scan.text.slice(start, scan.at) });
}

/** Collects pieces; neighbouring texts of one kind are joined. */
export function newSink(): Sink & { readonly done: () => readonly Piece[] } {
  const pieces: Piece[] = [];
  return {
    text(text, quoted) {
      const last = pieces.at(-1);
      if (last?.kind === 'text' && last.quoted === quoted)
        pieces[pieces.length - 1] = { ...last, text: last.text + text };
      else if (text !== '' || quoted) pieces.push({ kind: 'text', text, quoted });
    },
    piece: (piece) => void pieces.push(piece),
    done: () => pieces,
  };
}
