import type { Piece, Word } from '../parse/line.ts';

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
  return words.every((word) => word.pieces.every(({ kind }) => kind === 'text'));
}
