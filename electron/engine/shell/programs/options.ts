import { isLiteral, type Piece, type Word } from '../parse/line.ts';

/** The options with which a program only reads. What is not listed is not proven, an abbreviation neither. */
export interface Options {
  /** Letters as getopt reads them: `ab:` is `-a`, and `-b` with a value (glued, or the next word). */
  readonly short?: string;
  /** Letters that take the next word as their value and stand in no cluster (programs with a reader of their own). */
  readonly alone?: string;
  /** Names of long options; `name=` takes a value (glued, or the next word). */
  readonly long?: ReadonlySet<string>;
  /** Long names may have one dash (Go). */
  readonly singleDash?: boolean;
  /** At most so many names beside the options, for programs that write their second one. */
  readonly names?: number;
  /** Some systems take every word behind the first name as a name. */
  readonly optionsFirst?: boolean;
}

/** `a b= c` as the set of its words. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * True when each option is a listed one. A value may not look like an option either: should a version of the program not
 * take one there, it is only a name. `--` ends the options unless an option in front of it may have taken it as its value.
 */
export function keepsTo(words: readonly Word[], options: Options): boolean {
  const plain: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word) continue;
    if (isLiteral(word) && word.value === '--' && !words[index - 1]?.value.startsWith('-')) {
      plain.push(...words.slice(index + 1));
      break;
    }
    if (mayBecomeOption(word)) return false;
    if (!word.value.startsWith('-') || word.value === '-') {
      plain.push(word);
      continue;
    }
    if (options.optionsFirst && plain.length > 0) return false;
    const takes = optionTakes(word, options);
    if (takes === undefined) return false;
    if (takes === 'next') {
      index += 1;
      const value = words[index];
      if (!value || !isOneWord(value) || mayBecomeOption(value) || value.value.startsWith('-')) return false;
    }
  }
  return options.names === undefined || (plain.length <= options.names && plain.every(isOneWord));
}

function optionTakes(
  word: Word,
  { short = '', alone = '', long, singleDash }: Options,
): 'nothing' | 'next' | undefined {
  const value = singleDash ? word.value.replace(/^-(?=[^-])/, '--') : word.value;
  if (value === '--') return 'nothing';
  if (value.startsWith('--')) {
    const [name = '', ...glued] = value.slice(2).split('=');
    if (!(long?.has(name) || long?.has(`${name}=`)) || !isGlued(word)) return undefined;
    return glued.length === 0 && long.has(`${name}=`) ? 'next' : 'nothing';
  }
  if (!isLiteral(word)) return undefined;
  if (value.length === 2 && alone.includes(value.slice(1))) return 'next';
  for (let at = 1; at < value.length; at += 1) {
    const letter = value[at] ?? '';
    const listed = letter === ':' ? -1 : short.indexOf(letter);
    if (listed < 0) return undefined;
    if (short[listed + 1] === ':') return at === value.length - 1 ? 'next' : 'nothing';
  }
  return 'nothing';
}

/** Behind `--name=` a pattern or a quoted value may stand: whatever it becomes begins with `--name=` too. */
function isGlued({ pieces }: Word): boolean {
  const [first] = pieces.filter(({ text }) => text !== '');
  if (first?.kind !== 'text') return false;
  if (pieces.every(({ kind }) => kind === 'text')) return true;
  return (
    first.text.includes('=') &&
    pieces.every((piece) => /^(?:text|glob|brace)$/.test(piece.kind) || (piece.kind === 'variable' && piece.quoted))
  );
}

/** A word that might become an option, or several words, when the shell expands it. */
export function mayBecomeOption(word: Word): boolean {
  if (word.pieces.some((piece) => splits(piece, word))) return true;
  // An empty pair of quotes in front hides nothing: `"$X"` begins with what X holds.
  const first = word.pieces.find((piece) => piece.text !== '');
  return first !== undefined && first.kind !== 'text' && first.kind !== 'process' && first.kind !== 'tilde';
}

/** One word before and after the shell has expanded it. */
export function isOneWord(word: Word): boolean {
  return !word.pieces.some((piece) => piece.kind === 'glob' || piece.kind === 'brace' || splits(piece, word));
}

/** Unquoted results are split at blanks; only of a variable is kept by itself whether it stands in quotes. */
function splits(piece: Piece, { raw }: Word): boolean {
  if (piece.kind === 'variable') return !piece.quoted;
  return (piece.kind === 'substitution' || piece.kind === 'arithmetic') && !/^"[^"]*"$/.test(raw);
}

export function positionals(words: readonly Word[]): readonly Word[] {
  return words.filter(({ value }) => !value.startsWith('-') || value === '-');
}

export function allLiteral(words: readonly Word[]): boolean {
  return words.every(isLiteral);
}
