import path from 'node:path';
import { definitionsOf } from './definitionsOf.ts';
import { loadGrammar } from './grammars.ts';
import type { IndexedFile } from './indexStore.ts';
import { languageOf } from './languages.ts';
import { type FileStamp, isGenerated, readSource } from './readSource.ts';
import { storeSymbols } from './storedSymbols.ts';
import { wordFilterOf } from './wordFilter.ts';

/** Time for one file (J5), in milliseconds. */
const fileLimitMs = 2000;

/** Reads what a source file defines. `seen` stands in for the stamp of a file that cannot be read. */
export async function indexSource(root: string, name: string, seen: FileStamp): Promise<IndexedFile> {
  const language = languageOf(name);
  const nothing = {
    path: name,
    stamp: seen,
    readAt: Date.now(),
    language: language?.name ?? 'unknown',
    symbols: storeSymbols([]),
  };
  const read = language && readSource(path.join(root, name));
  if (!read) return { ...nothing, problem: 'unreadable' };
  const { text, stamp, readAt } = read;
  const own = { ...nothing, stamp, readAt };
  if (isGenerated(text)) return { ...own, problem: 'generated', words: wordFilterOf(text) };
  const grammar = await loadGrammar(language.grammar);
  const symbols = definitionsOf(text, language.name, grammar, fileLimitMs);
  return symbols
    ? { ...own, symbols: storeSymbols(symbols) }
    : { ...own, problem: 'timeout', words: wordFilterOf(text) };
}
