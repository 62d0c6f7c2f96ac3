import { readBackticks, readDollar } from './expansions.ts';
import { type DraftCommand, type DraftRedirect, lineEndInWord, type Scan, skipBlanks, stop } from './scan.ts';
import { newSink, readWord } from './words.ts';

const operator = /(\d+|\{[A-Za-z_]\w*\})?(&>>|&>|<<-|<<<|<<|<&|<>|>>|>&|>\||<|>)/y;

/** Reads a redirection at the cursor into the command; false when none stands there. */
export function readRedirect(scan: Scan, command: DraftCommand): boolean {
  operator.lastIndex = scan.at;
  const match = operator.exec(scan.text);
  if (!match) return false;
  const [whole, fd, op = ''] = match;
  const after = scan.text[scan.at + whole.length];
  if ((op === '<' || op === '>') && after === '(' && fd === undefined) return false;
  if (fd?.startsWith('{')) scan.ambiguous.add('{name}> is read differently by sh and bash');
  scan.at += whole.length;
  skipBlanks(scan);
  const word = readWord(scan);
  if (!word) stop(`a target is missing after ${op}`);
  const redirect: DraftRedirect = {
    op,
    fd: fd === undefined ? null : fd.startsWith('{') ? -1 : Number(fd),
    word,
    write: writes(op, word.value),
  };
  command.redirects.push(redirect);
  if (op === '<<<') {
    if (word.pieces.every((piece) => piece.kind === 'text')) redirect.body = word.value;
  } else if (op === '<<' || op === '<<-') {
    if (word.pieces.some((piece) => piece.kind !== 'text')) stop('the end mark of a here-document is not a plain word');
    if (scan.text[scan.at] === '\r') stop('a here-document has carriage returns');
    scan.pending.push({
      delimiter: word.value,
      stripTabs: op === '<<-',
      quoted: /["'\\]/.test(word.raw),
      redirect,
    });
  }
  return true;
}

function writes(op: string, target: string): boolean {
  if (op === '>&') return !/^(?:\d+-?|-)$/.test(target);
  return op.includes('>');
}

/** At a line end that ends a command: the bodies of all here-documents that began on the line follow. */
export function readHereDocs(scan: Scan): void {
  if (scan.waitingOutside > 0) lineEndInWord(scan);
  const waiting = scan.pending;
  scan.pending = [];
  for (const { delimiter, stripTabs, quoted, redirect } of waiting) {
    const start = scan.at;
    let end: number;
    let continued = false;
    for (;;) {
      if (scan.at >= scan.text.length) stop('a here-document is not closed');
      const lineStart = scan.at;
      const lineEnd = scan.text.indexOf('\n', lineStart);
      const whole = scan.text.slice(lineStart, lineEnd < 0 ? scan.text.length : lineEnd);
      scan.at = lineEnd < 0 ? scan.text.length : lineEnd + 1;
      const line = stripTabs ? whole.replace(/^\t+/, '') : whole;
      if (line === `${delimiter}\r`) stop('a here-document has carriage returns');
      // The command's end keeps the line end, so that the next command is separated from this one.
      if (line === delimiter) {
        if (continued) stop('the end mark of a here-document follows a line continuation');
        end = lineStart;
        break;
      }
      continued = !quoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(whole);
    }
    const body = scan.text.slice(start, end);
    if (quoted || readExpansions(scan, body)) redirect.body = body;
  }
}

/** Finds the commands in a here-document's body; true when it holds no expansion at all. */
function readExpansions(scan: Scan, body: string): boolean {
  const sink = newSink();
  const within: Scan = { ...scan, text: body, at: 0, pending: [] };
  while (within.at < body.length) {
    const char = body[within.at];
    if (char === '\\') within.at += 2;
    else if (char === '`') readBackticks(within, sink, true);
    else if (char === '$') readDollar(within, sink, { quoted: true, double: skipQuoteMark });
    else within.at += 1;
  }
  return sink.done().every((piece) => piece.kind === 'text');
}

/** A double quote in a `${…}` of a here-document: shells disagree about it. */
function skipQuoteMark(): void {
  stop('a ${…} in a here-document contains quotes');
}
