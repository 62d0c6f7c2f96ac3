import { cFamilyNoise } from './cFamilyNoise.ts';
import { extractSymbols, type PlacedSymbol } from './extractSymbols.ts';
import type { Grammar } from './grammars.ts';
import { quietCode, type TextPart } from './quietCode.ts';

/**
 * What a text defines; undefined when finding out takes longer than the limit (J5), in milliseconds. Code in which nothing is
 * defined is not parsed where that is seen without parsing.
 */
export function definitionsOf(
  text: string,
  language: string,
  grammar: Grammar,
  limitMs: number,
): readonly PlacedSymbol[] | undefined {
  if (language === 'c' || language === 'cpp')
    return parsed(text, language, grammar, limitMs, { without: cFamilyNoise(text) })?.symbols;
  const quiet = quietPartsOf(text, language);
  const quick =
    quiet.length > 0 ? parsed(text, language, grammar, limitMs, { without: quiet, isTrial: true }) : undefined;
  // Where the parser had to guess, it may guess otherwise with the whole text before it.
  if (quick && !quick.hasErrors) return quick.symbols;
  return parsed(text, language, grammar, limitMs, {})?.symbols;
}

/** Not in what may hold markup: text between tags looks like anything. */
function quietPartsOf(text: string, language: string): readonly TextPart[] {
  if (language !== 'typescript' && language !== 'javascript') return [];
  return quietCode(text, { isTyped: language === 'typescript' }) ?? [];
}

/** `isTrial`: nothing is made of a text with errors. */
function parsed(
  text: string,
  language: string,
  grammar: Grammar,
  limitMs: number,
  { without = [], isTrial = false }: { readonly without?: readonly TextPart[]; readonly isTrial?: boolean },
) {
  const tree = grammar.parse(text, limitMs, without);
  if (!tree) return undefined;
  try {
    const hasErrors = tree.rootNode.hasError;
    if (hasErrors && isTrial) return { hasErrors, symbols: undefined };
    return { hasErrors, symbols: extractSymbols(tree, text, language, grammar, limitMs) };
  } finally {
    tree.delete();
  }
}
