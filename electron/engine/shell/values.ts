import { posix } from 'node:path';
import { type Command, isLiteral, type Loop, literalWord, type Piece, type Word } from './parse/line.ts';
import { parseLine } from './parse/parseLine.ts';
import { programOf } from './programs/programs.ts';

/** What a line gives to its variables; null for what is read or computed. */
export type Values = ReadonlyMap<string, readonly (Word | null)[]>;

export interface Known {
  readonly home?: string | undefined;
  readonly values?: Values;
}

/** Stands for a command of a path that is only known when the command runs; no path contains it. */
const unknown = '\u{F0000}';
/** The same, where the line itself says what is meant, but only when it runs: another command, or too many readings. */
const said = '\u{F0001}';
const marks = /[\u{F0000}\u{F0001}]/gu;

/** More readings of one word are as good as none. */
const maxTexts = 32;
const maxDepth = 6;
/** Systems know no longer paths; a longer word is a pattern or a text. */
const maxPath = 4_096;

export interface Given {
  /** What the call adds to the environment. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Names of functions that the line defines. */
  readonly functions?: readonly string[];
}

/** `$1`, `$@` and their like. */
const positional = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '@', '*'];

/** What each variable may hold: assignments, loops, `export NAME=…`, and the environment that the call adds. */
export function valuesOf(
  commands: readonly Command[],
  loops: readonly Loop[],
  { environment = {}, functions = [] }: Given = {},
): Values {
  const values = new Map<string, (Word | null)[]>();
  const give = (name: string, value: Word | null): void => void values.set(name, [...(values.get(name) ?? []), value]);
  for (const [name, value] of Object.entries(environment)) give(name, literalWord(value));
  for (const { name, words } of loops) for (const word of words ?? [null]) give(name, word);
  for (const { argv, words, assignments } of commands) {
    for (const { name, append, value } of assignments) give(name, append ? null : value);
    const sets = argv[0] ?? '';
    if (sets === 'set' || programOf(sets).shell === 'posix' || functions.includes(sets)) {
      for (const name of positional) for (const word of words.slice(1, maxTexts)) give(name, word);
    }
    if (/^(?:export|declare|typeset|local|readonly|env)$/.test(sets)) {
      for (const word of words) {
        const head = /^([A-Za-z_]\w*)=/.exec(word.value);
        if (head?.[1] !== undefined) give(head[1], withoutHead(word, head[0].length));
      }
    } else if (/^(?:read|mapfile|readarray|getopts|printf)$/.test(sets)) {
      for (const name of argv.slice(1)) if (/^[A-Za-z_]\w*$/.test(name)) give(name, null);
    }
  }
  return values;
}

/** A word without its first characters, which are plain text. */
export function withoutHead(word: Word, length: number): Word {
  const [first, ...rest] = word.pieces;
  if (first?.kind !== 'text' || first.text.length < length) return { ...word, pieces: [{ kind: 'process', text: '' }] };
  const pieces = [{ ...first, text: first.text.slice(length) }, ...rest];
  return { raw: word.raw, pieces, value: word.value.slice(length) };
}

/**
 * What a word may be as a path: `~`, variables that the line or the engine knows, and what `$(echo …)` prints are put in,
 * other expansions become a mark. Glob characters and braces stay. A word that is split gives each of its commands.
 */
export function pathTexts(word: Word, known: Known): readonly string[] {
  if (word.value.length > maxPath) return [said];
  const texts = textsOf(word, known, 0).map((text) => (text.length > maxPath ? said : text));
  const mayBeSplit = word.pieces.some(
    (piece) => (piece.kind === 'variable' && !piece.quoted) || piece.kind === 'substitution',
  );
  return mayBeSplit
    ? [...new Set(texts.flatMap((text) => [text, ...text.split(/\s+/).filter((command) => command !== '')]))]
    : texts;
}

function textsOf(word: Word, known: Known, depth: number): readonly string[] {
  let texts: readonly string[] = [''];
  for (const [index, piece] of word.pieces.entries()) {
    const next = word.pieces[index + 1];
    // `~name` is the home of another.
    const isOther = piece.kind === 'tilde' && next !== undefined && !next.text.startsWith('/');
    const readings = isOther ? ['~'] : readingsOf(piece, known, depth);
    texts = [...new Set(texts.flatMap((text) => readings.map((reading) => text + reading)))];
    if (texts.length > maxTexts) return [said];
  }
  return texts;
}

function readingsOf(piece: Piece, known: Known, depth: number): readonly string[] {
  switch (piece.kind) {
    case 'text':
    case 'glob':
    case 'brace':
      return [piece.text];
    case 'tilde':
      return [known.home ?? '~'];
    case 'substitution':
      return printed(piece.text, known, depth);
    case 'variable':
      return piece.name === '' ? computed(piece.text, known, depth) : held(piece.name, known, depth);
    default:
      return [unknown];
  }
}

function held(name: string, known: Known, depth: number): readonly string[] {
  const values = known.values?.get(name);
  if (!values && name === 'HOME') return [known.home ?? '~'];
  if (!values && name === 'PWD') return ['.'];
  if (!values) return [unknown];
  if (depth >= maxDepth || values.length > maxTexts) return [said];
  // A variable may stand in its own value: each is worked out once for each depth.
  const heldBefore = known.values && (memo.get(known.values) ?? new Map<string, readonly string[]>());
  if (known.values && heldBefore) memo.set(known.values, heldBefore);
  const key = `${depth} ${name}`;
  const before = heldBefore?.get(key);
  if (before) return before;
  const texts = new Set(values.flatMap((value) => (value === null ? [said] : textsOf(value, known, depth + 1))));
  const found = texts.size > maxTexts ? [said] : [...texts];
  heldBefore?.set(key, found);
  return found;
}

const memo = new WeakMap<Values, Map<string, readonly string[]>>();

/** `${x:-text}` may be the text; what is cut out of a variable of the line is not followed. */
function computed(text: string, known: Known, depth: number): readonly string[] {
  const [, name = '', instead] = /^\$\{!?(\w+)(?::?[-=]([^${}`]*)\}$)?/.exec(text) ?? [];
  if (instead !== undefined) return [...held(name, known, depth), instead];
  const [, cut = '', from = '', end = ''] = /^\$\{(\w+)(%%?|##?)([^$`"'\\*?[\]{}]+)\}$/.exec(text) ?? [];
  if (end !== '') return held(cut, known, depth).map((value) => withoutEnd(value, from, end));
  if (known.values?.has(name)) return [said];
  return name === 'HOME' ? [known.home ?? '~'] : [unknown];
}

/** `${f%.js}` and `${f#./}`, where what is cut off is a plain text. */
function withoutEnd(value: string, from: string, end: string): string {
  if (from.startsWith('#')) return value.startsWith(end) ? value.slice(end.length) : value;
  return value.endsWith(end) ? value.slice(0, -end.length) : value;
}

/** What a substitution prints, where its command says so. */
function printed(text: string, known: Known, depth: number): readonly string[] {
  const inner = text.startsWith('$(') ? text.slice(2, -1) : text.slice(1, -1).replaceAll(/\\([$`\\])/g, '$1');
  const { commands, unparsable } = parseLine(inner);
  const [command] = commands;
  if (unparsable !== undefined || !command || commands.length > 1 || depth >= maxDepth) return [said];
  const [program = '', ...rest] = command.argv;
  const words = command.words.slice(1).filter(({ value }) => !/^-[neE]+$/.test(value));
  switch (program) {
    case 'echo':
      return combined(words, known, depth);
    case 'printf':
      return /^%[sb](?:\\n)?$/.test(words[0]?.value ?? '')
        ? combined(words.slice(1), known, depth)
        : words.length === 1 && words.every(isLiteral) && !/[%\\]/.test(words[0]?.value ?? '')
          ? [words[0]?.value ?? '']
          : [said];
    case 'pwd':
      return ['.'];
    case 'dirname':
      return words.length === 1 && words[0]
        ? textsOf(words[0], known, depth + 1).map((path) => posix.dirname(path))
        : [said];
    case 'mktemp':
      return rest.every((word) => /^-[dqu]*$/.test(word)) ? ['/tmp/made'] : [said];
    case 'git':
      return rest.join(' ') === 'rev-parse --show-toplevel' ? ['.'] : [said];
    // Numbers, names of users and times are no names of protected places.
    case 'date':
      return rest.every((word) => !/[.g]/.test(word.replaceAll(/%[a-zA-Z]/g, ''))) ? [unknown] : [said];
    case 'nproc':
    case 'id':
    case 'whoami':
    case 'uname':
      return [unknown];
    default:
      return [said];
  }
}

function combined(words: readonly Word[], known: Known, depth: number): readonly string[] {
  let texts: readonly string[] = [''];
  for (const [index, word] of words.entries()) {
    const readings = textsOf(word, known, depth + 1);
    texts = texts.flatMap((text) => readings.map((reading) => (index === 0 ? reading : `${text} ${reading}`)));
    if (texts.length > maxTexts) return [said];
  }
  return texts;
}

/** What a word may become when an unknown command turns out empty: `"$X"/*` is `/*`. */
export function emptied(text: string): string {
  return text.replaceAll(marks, '');
}

export function isUnknown(text: string): boolean {
  return text.search(marks) >= 0;
}

/** Another command of the line says what is meant. */
export function isSaid(text: string): boolean {
  return text.includes(said);
}

/** True when nothing of the word is known. */
export function isWhollyUnknown(text: string): boolean {
  return text.search(marks) === 0 && emptied(text).replaceAll('/', '') === '';
}
