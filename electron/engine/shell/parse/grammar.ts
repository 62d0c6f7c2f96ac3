import { readCondition } from './condition.ts';
import type { Place, Word } from './line.ts';
import { readHereDocs, readRedirect } from './redirects.ts';
import { looksAt, nested, newCommand, type Scan, skipBlanks, skipComment, stop } from './scan.ts';
import { readSimple } from './simpleCommand.ts';
import { readWord } from './words.ts';

const keywordHere =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|coproc|time|\{|\}|!|\[\[)(?=[\s;&|<>()]|$)/y;
const closing = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', 'in', '}']);
const nothing: ReadonlySet<string> = new Set();

/** Reads a whole text, or up to and over the closing parenthesis (POSIX shell grammar, with bash's compound commands). */
export function readCommands(scan: Scan, closer: ')' | undefined): void {
  const { piped } = scan;
  readList(scan, nothing);
  scan.piped = piped;
  if (closer === ')') {
    if (!looksAt(scan, ')')) stop('a parenthesis is not closed');
    scan.at += 1;
  } else {
    if (scan.at < scan.text.length) stop(`${JSON.stringify(scan.text[scan.at])} stands where it may not stand`);
    if (scan.pending.length > 0) stop('a here-document is not closed');
  }
}

function keyword(scan: Scan): string | undefined {
  keywordHere.lastIndex = scan.at;
  return keywordHere.exec(scan.text)?.[0];
}

function expectKeyword(scan: Scan, word: string): void {
  if (keyword(scan) !== word) stop(`${word} is missing`);
  scan.at += word.length;
}

/** Blanks, comments and line ends; a line end brings the here-documents of its line. */
function skipLines(scan: Scan): void {
  for (;;) {
    skipBlanks(scan);
    if (skipComment(scan)) continue;
    const char = scan.text[scan.at];
    if (char === '\n') {
      scan.at += 1;
      readHereDocs(scan);
    } else if (char === '\r') {
      // A terminal takes it as a line end, a shell as command of the word.
      scan.ambiguous.add('a carriage return is a line end for terminals only');
      scan.at += 1;
    } else return;
  }
}

/** Commands up to one of the keywords, a closing parenthesis, `;;` or the end; at least one if keywords are given. */
function readList(scan: Scan, until: ReadonlySet<string>): void {
  let empty = true;
  for (;;) {
    skipLines(scan);
    if (scan.at >= scan.text.length || looksAt(scan, ')') || isCaseEnd(scan)) break;
    const word = keyword(scan);
    if (word !== undefined && until.has(word)) break;
    if (word !== undefined && closing.has(word)) stop(`${word} stands where it may not stand`);
    const from = scan.commands.length;
    readAndOr(scan);
    empty = false;
    skipBlanks(scan);
    skipComment(scan);
    const char = scan.text[scan.at];
    if (char === '&') {
      scan.at += 1;
      for (const command of scan.commands.slice(from)) command.places.push('background');
    } else if (char === ';' && !isCaseEnd(scan)) scan.at += 1;
    else if (char !== undefined && !'\n\r);'.includes(char))
      stop(`${JSON.stringify(char)} stands where it may not stand`);
  }
  if (empty && until.size > 0 && !until.has('esac')) stop('a command is missing');
}

function isCaseEnd(scan: Scan): boolean {
  return looksAt(scan, ';;') || looksAt(scan, ';&');
}

function readAndOr(scan: Scan): void {
  readPipeline(scan);
  for (;;) {
    skipBlanks(scan);
    if (!looksAt(scan, '&&') && !looksAt(scan, '||')) return;
    scan.at += 2;
    skipLines(scan);
    readPipeline(scan);
  }
}

function readPipeline(scan: Scan): void {
  const { piped } = scan;
  while (keyword(scan) === '!') {
    scan.at += 1;
    skipBlanks(scan);
  }
  readCommand(scan);
  for (;;) {
    skipBlanks(scan);
    if (!looksAt(scan, '|') || looksAt(scan, '||')) break;
    scan.at += looksAt(scan, '|&') ? 2 : 1;
    skipLines(scan);
    scan.piped = true;
    readCommand(scan);
  }
  scan.piped = piped;
}

function readCommand(scan: Scan): void {
  const word = keyword(scan);
  if (looksAt(scan, '(')) {
    scan.at += 1;
    compound(scan, 'subshell', () => readCommands(scan, ')'));
    return;
  }
  switch (word) {
    case '{':
      scan.at += 1;
      return compound(scan, 'group', () => {
        readList(scan, new Set(['}']));
        expectKeyword(scan, '}');
      });
    case 'if':
      return compound(scan, 'branch', () => readIf(scan));
    case 'while':
    case 'until':
      scan.at += word.length;
      return compound(scan, 'loop', () => {
        readList(scan, new Set(['do']));
        readDo(scan);
      });
    case 'for':
    case 'select':
      scan.at += word.length;
      return compound(scan, 'loop', () => readFor(scan));
    case 'case':
      scan.at += word.length;
      return compound(scan, 'branch', () => readCase(scan));
    case 'function':
      return readFunctionKeyword(scan);
    case '[[':
      return readCondition(scan);
    case 'coproc':
      return stop('coproc is not understood');
    case 'time':
      return readTime(scan);
    case undefined:
      break;
    default:
      return stop(`${word} stands where it may not stand`);
  }
  const end = readSimple(scan);
  if (end.kind === 'function') readBody(scan, end.name);
}

/** A compound command and its redirections. */
function compound(scan: Scan, place: Place, read: () => void): void {
  nested(scan, place, read);
  const at = scan.commands.length;
  const command = newCommand(scan, 'redirects');
  do skipBlanks(scan);
  while (readRedirect(scan, command));
  if (command.redirects.length === 0) scan.commands.splice(at, 1);
}

function readDo(scan: Scan): void {
  expectKeyword(scan, 'do');
  readList(scan, new Set(['done']));
  expectKeyword(scan, 'done');
}

function readIf(scan: Scan): void {
  expectKeyword(scan, 'if');
  for (;;) {
    readList(scan, new Set(['then']));
    expectKeyword(scan, 'then');
    readList(scan, new Set(['elif', 'else', 'fi']));
    const next = keyword(scan);
    if (next === 'elif') {
      scan.at += next.length;
      continue;
    }
    if (next === 'else') {
      scan.at += next.length;
      readList(scan, new Set(['fi']));
    }
    return expectKeyword(scan, 'fi');
  }
}

function readFor(scan: Scan): void {
  skipBlanks(scan);
  if (looksAt(scan, '(')) stop('an arithmetic for is not understood');
  const name = readWord(scan);
  if (!name || !/^[A-Za-z_]\w*$/.test(name.raw)) stop('the name of a loop is missing');
  // A loop over PATH (or zsh's `path`) changes what the names of programs mean.
  if (!/^(?!.*path)[a-z]{1,12}\d?$/.test(name.raw)) scan.ambiguous.add(`a loop sets ${name.raw}`);
  skipLines(scan);
  const words: Word[] = [];
  const isListed = keyword(scan) === 'in';
  if (isListed) {
    scan.at += 2;
    for (;;) {
      skipBlanks(scan);
      const word = readWord(scan);
      if (word === undefined) break;
      words.push(word);
    }
    if (skipComment(scan)) skipBlanks(scan);
  }
  scan.loops.push({ name: name.raw, words: isListed ? words : undefined });
  if (looksAt(scan, ';') && !isCaseEnd(scan)) scan.at += 1;
  skipLines(scan);
  readDo(scan);
}

function readCase(scan: Scan): void {
  skipBlanks(scan);
  if (!readWord(scan)) stop('the word of a case is missing');
  skipLines(scan);
  expectKeyword(scan, 'in');
  for (;;) {
    skipLines(scan);
    if (keyword(scan) === 'esac') break;
    if (looksAt(scan, '(')) scan.at += 1;
    for (;;) {
      skipBlanks(scan);
      if (!readWord(scan)) stop('a pattern of a case is missing');
      skipBlanks(scan);
      if (!looksAt(scan, '|')) break;
      scan.at += 1;
    }
    if (!looksAt(scan, ')')) stop('a parenthesis is missing in a case');
    scan.at += 1;
    readList(scan, new Set(['esac']));
    if (looksAt(scan, ';;&')) scan.at += 3;
    else if (isCaseEnd(scan)) scan.at += 2;
    else if (keyword(scan) !== 'esac') stop('a case is not closed');
  }
  expectKeyword(scan, 'esac');
}

/** `function name { … }`, with or without parentheses. */
function readFunctionKeyword(scan: Scan): void {
  scan.at += 'function'.length;
  skipBlanks(scan);
  const name = readWord(scan);
  if (!name) stop('the name of a function is missing');
  const parentheses = /[ \t]*\(\s*\)/y;
  parentheses.lastIndex = scan.at;
  scan.at += parentheses.exec(scan.text)?.[0].length ?? 0;
  readBody(scan, name.value);
}

function readBody(scan: Scan, name: string): void {
  scan.functions.push(name);
  skipLines(scan);
  const word = keyword(scan);
  if (!looksAt(scan, '(') && (word === undefined || closing.has(word) || word === '!' || word === 'time')) {
    stop('the body of a function is missing');
  }
  nested(scan, 'function', () => readCommand(scan));
}

/** `time` in front of a compound command is a keyword; else it is a program that runs another. */
function readTime(scan: Scan): void {
  const head = /time(?:[ \t]+-p)?[ \t]+(?=[({]|(?:if|for|while|until|case)\s|\[\[\s)/y;
  head.lastIndex = scan.at;
  const found = head.exec(scan.text);
  if (!found) {
    readSimple(scan);
    return;
  }
  scan.at += found[0].length;
  readCommand(scan);
}
