import { cFamilyNoise } from './cFamilyNoise.ts';
import { extractSymbols, type PlacedSymbol } from './extractSymbols.ts';
import type { Grammar } from './grammars.ts';

/** What a text defines; undefined when finding out takes longer than the limit (J5), in milliseconds. */
export function definitionsOf(
  text: string,
  language: string,
  grammar: Grammar,
  limitMs: number,
): readonly PlacedSymbol[] | undefined {
  const tree = grammar.parse(text, limitMs, language === 'c' || language === 'cpp' ? cFamilyNoise(text) : []);
  if (!tree) return undefined;
  try {
    return extractSymbols(tree, text, language, grammar, limitMs);
  } finally {
    tree.delete();
  }
}
