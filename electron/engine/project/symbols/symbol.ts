/** An index keeps a kind as its place in this list: new ones come last. */
export const symbolKinds = [
  'class',
  'function',
  'method',
  'interface',
  'type',
  'enum',
  'struct',
  'trait',
  'constant',
  'variable',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

/** One definition in a source file. */
export interface SourceSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based, of the name; `column` in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The last line of the whole definition. */
  readonly endLine: number;
  /** What it stands in, outermost first, joined by `.`. */
  readonly container?: string;
  /** The head of the definition in one line. */
  readonly signature: string;
  /** Seen from other files, by the rules of the language. */
  readonly exported: boolean;
}

/** An identifier outside comments and strings. */
export interface SourceReference {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly isDefinition: boolean;
}
