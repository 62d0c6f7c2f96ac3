import type { Token, TokenLine } from './highlight.ts';

/** A piece of a line as it is drawn. */
export interface Piece extends Token {
  readonly isMarked: boolean;
}

/** A line cut where its colours and its marked stretches begin and end. Colours that do not belong to the text are left out. */
export function linePieces(
  text: string,
  tokens: TokenLine | undefined,
  marked: readonly { readonly from: number; readonly to: number }[],
): readonly Piece[] {
  const isOf = tokens !== undefined && tokens.map((token) => token.text).join('') === text;
  const coloured: TokenLine = isOf ? tokens : [{ text, kind: '' }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { text: whole, kind } of coloured) {
    const end = at + whole.length;
    const cuts = [at, ...marked.flatMap(({ from, to }) => [from, to]).filter((cut) => cut > at && cut < end), end];
    for (let index = 0; index + 1 < cuts.length; index += 1) {
      const from = cuts[index] ?? 0;
      const to = cuts[index + 1] ?? from;
      if (to > from)
        pieces.push({
          text: text.slice(from, to),
          kind,
          isMarked: marked.some((span) => span.from <= from && to <= span.to),
        });
    }
    at = end;
  }
  return pieces;
}
