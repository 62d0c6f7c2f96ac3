import type { Piece, Word } from '../commandParts/types.ts';

/** A word that might become an option, or several words, when the shell expands it. */
export function mayBecomeOption(word: Word): boolean {
  if (word.pieces.some(splits)) return true;
  // An empty pair of quotes in front hides nothing: `"$X"` begins with what X holds.
  const first = word.pieces.find((piece) => piece.text !== '');
  return first !== undefined && first.kind !== 'text' && first.kind !== 'process' && first.kind !== 'tilde';
}

/** Unquoted results are split at blanks; whether a substitution is quoted is not kept, so it counts as unquoted. */
function splits(piece: Piece): boolean {
  return piece.kind === 'substitution' || piece.kind === 'arithmetic' || (piece.kind === 'variable' && !piece.quoted);
}

/** Letters of short options and names of long ones that write, run programs or exhaust the machine. */
export interface Forbidden {
  readonly letters?: string;
  readonly long?: readonly string[];
}

/** False when a word is, abbreviates (`--out`), or may turn into a forbidden option. Behind `--` nothing is an option. */
export function avoids(words: readonly Word[], { letters = '', long = [] }: Forbidden): boolean {
  for (const word of words) {
    if (word.value === '--' && word.pieces.every(({ kind }) => kind === 'text')) return true;
    if (mayBecomeOption(word)) return false;
    if (!word.value.startsWith('-')) continue;
    if (word.pieces.some(({ kind }) => kind !== 'text')) return false;
    if (word.value.startsWith('--')) {
      const name = word.value.split('=')[0] ?? '';
      if (long.some((option) => option.startsWith(name) || name === option)) return false;
    } else if ([...word.value.slice(1)].some((letter) => letters.includes(letter))) return false;
  }
  return true;
}

export function positionals(words: readonly Word[]): readonly Word[] {
  return words.filter(({ value }) => !value.startsWith('-') || value === '-');
}

export function allLiteral(words: readonly Word[]): boolean {
  return words.every((word) => word.pieces.every(({ kind }) => kind === 'text'));
}
