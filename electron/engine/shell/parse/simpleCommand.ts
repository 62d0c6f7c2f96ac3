import { isLiteral, type Word } from './line.ts';
import { readRedirect } from './redirects.ts';
import { type DraftCommand, looksAt, newCommand, type Scan, skipBlanks, skipComment, stop } from './scan.ts';
import { newSink, readWord } from './words.ts';

const assignmentStart = /^([A-Za-z_]\w*)(\+?)=/;

/** What stands behind the words of a simple command. `function` means that it was the head of a function. */
export type SimpleEnd = { readonly kind: 'command' } | { readonly kind: 'function'; readonly name: string };

/** Assignments, words and redirections up to the next operator. */
export function readSimple(scan: Scan): SimpleEnd {
  const start = scan.at;
  const count = scan.commands.length;
  const command = newCommand(scan, 'command');
  for (;;) {
    skipBlanks(scan);
    if (skipComment(scan) || scan.at >= scan.text.length) break;
    if (readRedirect(scan, command)) continue;
    if (scan.text[scan.at] === '(') {
      const name = functionName(scan, command);
      scan.commands.length = count;
      return { kind: 'function', name };
    }
    const word = readWord(scan);
    if (!word) break;
    // For sh, `a &> f b` starts a beside it and runs b.
    if (command.redirects.some(({ op }) => op.startsWith('&>')))
      stop('words follow &>, which sh reads as another command');
    if (command.words.length > 0 || !readAssignment(scan, command, word)) command.words.push(word);
  }
  if (command.words.length + command.assignments.length + command.redirects.length === 0) {
    const char = scan.text[start];
    stop(
      char === undefined ? 'a command is missing at the end' : `a command is missing before ${JSON.stringify(char)}`,
    );
  }
  // `[ … ]` runs nothing but a built-in test; as `[[ … ]]` it is no command of its own.
  if (command.words[0]?.raw === '[' && command.words.at(-1)?.raw === ']') command.kind = 'condition';
  return { kind: 'command' };
}

function functionName(scan: Scan, command: DraftCommand): string {
  const [name, ...more] = command.words;
  const head = /\(\s*\)/y;
  head.lastIndex = scan.at;
  const found = head.exec(scan.text);
  if (
    !name ||
    more.length > 0 ||
    command.assignments.length > 0 ||
    command.redirects.length > 0 ||
    !isLiteral(name) ||
    !found
  ) {
    stop('a parenthesis stands where none may stand');
  }
  scan.at += found[0].length;
  return name.value;
}

function readAssignment(scan: Scan, command: DraftCommand, word: Word): boolean {
  const first = word.pieces[0];
  if (first?.kind !== 'text' || first.quoted) return false;
  const match = assignmentStart.exec(first.text);
  // A line continuation or escape inside the name leaves it to the shell; the raw text must show the assignment.
  if (!match || !word.raw.startsWith(match[0])) return false;
  const [head, name = '', plus] = match;
  const rest = first.text.slice(head.length);
  const pieces = [...(rest === '' ? [] : [{ ...first, text: rest }]), ...word.pieces.slice(1)];
  const value = { raw: word.raw.slice(head.length), pieces, value: pieces.map((piece) => piece.text).join('') };
  command.assignments.push({ name, append: plus === '+', value: looksAt(scan, '(') ? readArray(scan, value) : value });
  return true;
}

/** `name=(…)`: an array, for bash only. */
function readArray(scan: Scan, empty: Word): Word {
  if (empty.raw !== '') stop('a parenthesis stands where none may stand');
  const start = scan.at;
  scan.ambiguous.add('arrays are read differently by sh and bash');
  scan.at += 1;
  for (;;) {
    skipBlanks(scan);
    if (looksAt(scan, ')')) break;
    if (looksAt(scan, '\n')) scan.at += 1;
    else if (!readWord(scan)) stop('an array is not closed');
  }
  scan.at += 1;
  const text = scan.text.slice(start, scan.at);
  const sink = newSink();
  sink.piece({ kind: 'brace', text });
  return { raw: text, pieces: sink.done(), value: text };
}
