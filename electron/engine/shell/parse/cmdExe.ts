import type { Piece, Word } from './line.ts';
import { type DraftCommand, newCommand, type Scan, stop } from './scan.ts';

/**
 * A line for cmd.exe: double quotes quote, `^` escapes, `& && || |` and line ends separate. Blocks, `for`, `if` and
 * variables in program names are left to the person: their meaning depends on the state of the shell.
 */
export function parseCmdExe(scan: Scan): void {
  const { text } = scan;
  let command = newCommand(scan, 'command');
  while (scan.at < text.length) {
    const char = text[scan.at] ?? '';
    if (/[ \t,;=]/.test(char)) scan.at += 1;
    else if (/[&|\r\n]/.test(char)) {
      scan.at += /^(?:&&|\|\||\r\n)/.test(text.slice(scan.at, scan.at + 2)) ? 2 : 1;
      command = newCommand({ ...scan, piped: char === '|' }, 'command');
    } else if ('()'.includes(char)) stop('a block is not understood');
    else if (char === '<' || char === '>') readRedirect(scan, command);
    else {
      const word = readWord(scan);
      if (command.words.length === 0 && /^@?(?:if|for|rem|goto|call)$/i.test(word.value))
        stop(`${word.value} is not understood`);
      if (/^[0-9]$/.test(word.raw) && /[<>]/.test(text[scan.at] ?? '')) readRedirect(scan, command, Number(word.raw));
      else command.words.push(word);
    }
  }
}

function readRedirect(scan: Scan, command: DraftCommand, fd: number | null = null): void {
  const op = /^(?:>>|>&|<&|>|<)/.exec(scan.text.slice(scan.at, scan.at + 2))?.[0] ?? '';
  scan.at += op.length;
  while (/[ \t]/.test(scan.text[scan.at] ?? '')) scan.at += 1;
  const word = readWord(scan);
  if (word.raw === '') stop(`a target is missing after ${op}`);
  command.redirects.push({ op, fd, word, write: op.startsWith('>') && op !== '>&' });
}

function readWord(scan: Scan): Word {
  const start = scan.at;
  const pieces: Piece[] = [];
  let quoted = false;
  const add = (text: string) => pieces.push({ kind: 'text', text, quoted });
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? '';
    if (!quoted && /[ \t\r\n&|<>(),;=]/.test(char)) break;
    scan.at += 1;
    if (char === '"') quoted = !quoted;
    else if (char === '%' || char === '!') pieces.push({ kind: 'variable', text: char, name: '', quoted });
    else if ('*?'.includes(char) && !quoted) pieces.push({ kind: 'glob', text: char });
    else if (char === '^' && !quoted) {
      const next = scan.text[scan.at];
      if (next === undefined || next === '\r' || next === '\n') stop('a line ends with ^');
      scan.at += 1;
      add(next);
    } else if (quoted && (char === '\r' || char === '\n')) stop('a double quote is not closed');
    else add(char);
  }
  // cmd.exe closes an open quote at the end of the line, the program may not: no certain meaning.
  if (quoted) stop('a double quote is not closed');
  return { raw: scan.text.slice(start, scan.at), pieces, value: pieces.map((piece) => piece.text).join('') };
}
