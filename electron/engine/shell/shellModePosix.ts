import { type HereDocument, hereDocumentAt, skipHereDocuments } from './hereDocuments.ts';
import type { ShellMode } from './shellModeType.ts';
import { endOfSubstitution } from './substitution.ts';

/** Words of the language; quoted they are names like any other. */
const reservedWords = new Set('if for while until case do then else fi elif done esac function ! [[ {'.split(' '));
/** The built-ins that have no use as a program of their own. */
const builtIns = new Set(
  (
    'cd export unset set source . alias unalias eval exec exit return shift trap umask ulimit wait jobs fg bg read ' +
    'local declare : times type command hash'
  ).split(' '),
);

const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;
const url = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
const expansionStart = /[A-Za-z0-9_{(?$@*#!-]/;
const blank = (c: string | undefined): boolean =>
  c === undefined || c === ' ' || c === '\t' || c === '\n' || c === '\r';

interface Word {
  value: string;
  /** The command before the first quote or backslash: only this much can make an assignment or a reserved word. */
  bare: string;
  quoted: boolean;
  openBracket: boolean;
  /** `bare` begins as an address; undefined until its first `//`, which decides once and for all. */
  address?: boolean;
}

/** Reads `command` once with the quoting of sh and looks for what only a shell understands. */
export function posixShellMode(command: string): ShellMode {
  const argv: string[] = [];
  const hereDocuments: HereDocument[] = [];
  let why: string | undefined;
  /** A substitution has no end: others are not looked for, which would cost the square of the length. */
  let unclosed = false;
  let word: Word | undefined;
  let i = 0;
  const active = (what: string): void => {
    why ??= what;
  };
  const open = (): Word => {
    word ??= { value: '', bare: '', quoted: false, openBracket: false };
    return word;
  };
  const close = (): void => {
    if (word === undefined) return;
    if (!word.quoted && (word.value === '{' || word.value === '}')) active(word.value);
    if (argv.length === 0) {
      if (assignment.test(word.bare)) active('an assignment in front');
      else if (builtIns.has(word.value) || (!word.quoted && reservedWords.has(word.value))) active(word.value);
    }
    argv.push(word.value);
    word = undefined;
  };
  const literal = (c: string): void => {
    const current = open();
    current.value += c;
    if (current.quoted) return;
    current.bare += c;
    // Asked once a word: at each letter it would cost the square of the length.
    if (c === '/' && command[i - 1] === '/') current.address ??= url.test(current.bare);
  };
  const quote = (): Word => {
    const current = open();
    current.quoted = true;
    return current;
  };

  while (i < command.length) {
    const c = command.charAt(i);
    const next = command[i + 1];
    if (c === "'") {
      const end = command.indexOf("'", i + 1);
      if (end < 0) return { mode: 'error', message: 'unterminated quote' };
      quote().value += command.slice(i + 1, end);
      i = end + 1;
    } else if (c === '"') {
      const current = quote();
      i += 1;
      for (;;) {
        const d = command[i];
        if (d === undefined) return { mode: 'error', message: 'unterminated quote' };
        if (d === '"') break;
        const after = command[i + 1];
        if (d === '\\' && after !== undefined && '$`"\\\n'.includes(after)) {
          if (after !== '\n') current.value += after;
          i += 2;
          continue;
        }
        if (d === '`') active('`');
        if (d === '$' && after !== undefined && expansionStart.test(after)) active(`$${after}`);
        // The quotes inside a substitution are its own.
        const inside = d === '`' ? i + 1 : d === '$' && after === '(' ? i + 2 : undefined;
        if (inside !== undefined && !unclosed) {
          const end = endOfSubstitution(command, inside, d === '`' ? '`' : ')');
          unclosed = end < 0;
          if (!unclosed) {
            i = end + 1;
            continue;
          }
        }
        current.value += d;
        i += 1;
      }
      i += 1;
    } else if (c === '\\') {
      if (next === '\n') {
        i += 2; // a line continuation joins
      } else {
        quote().value += next ?? c;
        i += next === undefined ? 1 : 2;
      }
    } else if (c === ' ' || c === '\t' || c === '\r') {
      close();
      i += 1;
    } else if (c === '\n') {
      close();
      active('a new line');
      i = skipHereDocuments(command, i + 1, hereDocuments.splice(0));
    } else if (c === '#' && word === undefined) {
      active('#');
      const end = command.indexOf('\n', i);
      i = end < 0 ? command.length : end;
    } else if (c === '<' && next === '<' && command[i + 2] !== '<') {
      close();
      active('<<');
      const found = hereDocumentAt(command, i);
      if (found) hereDocuments.push(found);
      i += found?.length ?? 2;
    } else if ('|<>;()'.includes(c)) {
      close();
      active(c);
      i += 1;
    } else if (c === '&') {
      const before = command[i - 1];
      const squeezed = !blank(before) && !blank(next) && !'&<>|;'.includes(before ?? '') && !'&<>'.includes(next ?? '');
      if (squeezed) {
        literal(c);
      } else {
        close();
        active('&');
      }
      i += 1;
    } else {
      if (c === '`') active('`');
      if (c === '$' && next !== undefined && expansionStart.test(next)) active(`$${next}`);
      if (c === '~' && word === undefined) active('~');
      const current = open();
      // An address keeps its `?` and `*`: sh finds no such file and passes them on as they are.
      if (current.address !== true) {
        if (c === '*' || c === '?') active(c);
        if (c === ']' && current.openBracket) active('[');
        if (c === '[') current.openBracket = true;
      }
      literal(c);
      i += 1;
    }
  }
  close();
  if (why !== undefined) return { mode: 'shell', why };
  return argv.length === 0 ? { mode: 'shell', why: 'no word' } : { mode: 'direct', argv };
}
