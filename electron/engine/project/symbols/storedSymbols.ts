import { maxNameCharacters } from './namePattern.ts';
import { type SourceSymbol, symbolKinds } from './symbol.ts';

/** What a file defines, as the index keeps it. */
export interface StoredSymbols {
  /** A line for each symbol, in their order. */
  readonly text: string;
  /** Hashes of the names, each once. */
  readonly names: Uint32Array;
}

type Line = readonly [
  name: string,
  kind: number,
  line: number,
  column: number,
  endLine: number,
  exported: 0 | 1,
  signature: string,
  container?: string,
];

export function storeSymbols(symbols: readonly SourceSymbol[]): StoredSymbols {
  const hashes = new Set<number>();
  let text = '';
  for (const { name, kind, line, column, endLine, exported, signature, container } of symbols) {
    if (name.length > maxNameCharacters) continue;
    hashes.add(nameHash(name));
    const row: Line = [name, symbolKinds.indexOf(kind), line, column, endLine, exported ? 1 : 0, signature];
    // A line end in a string is written as `\n`, so that the lines of the text are the symbols.
    text += `${JSON.stringify(container === undefined ? row : [...row, container])}\n`;
  }
  return { text, names: Uint32Array.from(hashes) };
}

export function restoreSymbols(text: string): readonly SourceSymbol[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : symbolOf(line)));
}

/** Those with this name; only their lines are parsed. */
export function restoreNamed(text: string, name: string): readonly SourceSymbol[] {
  const found: SourceSymbol[] = [];
  const head = `[${JSON.stringify(name)},`;
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + 1))
    found.push(symbolOf(text.slice(at, text.indexOf('\n', at))));
  return found;
}

/** FNV-1a over UTF-16 units. */
export function nameHash(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function symbolOf(line: string): SourceSymbol {
  const [name, kind, row, column, endLine, exported, signature, container] = JSON.parse(line) as Line; // as `storeSymbols` wrote it
  return {
    name,
    kind: symbolKinds[kind] ?? 'variable',
    line: row,
    column,
    endLine,
    container,
    signature,
    exported: exported === 1,
  };
}
