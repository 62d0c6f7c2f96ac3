import type { MessagePort } from 'node:worker_threads';
import { definitionsOf } from './definitionsOf.ts';
import { extractSymbols, type PlacedSymbol } from './extractSymbols.ts';
import { findIdentifiers } from './findIdentifiers.ts';
import { loadGrammar } from './grammars.ts';
import { languageOf } from './languages.ts';
import { type FileStamp, isGenerated, isSameStamp, isUnsettled, readSource, type Source } from './readSource.ts';
import type { SourceReference, SourceSymbol } from './symbol.ts';

/** What is wanted of some files (real paths). */
export interface SymbolJob {
  readonly id: number;
  readonly files: readonly string[];
  readonly want:
    | { readonly kind: 'symbols'; readonly name?: string }
    | {
        readonly kind: 'references';
        readonly name: string;
        /** Where the name is defined, by file, when that is known of all files. */
        readonly defined?: ReadonlyMap<string, readonly SourceSymbol[]>;
      };
  /** Leaves out files that were surely made by a program: in a search they cost more than they tell. */
  readonly skipGenerated?: boolean;
  /** Time for parsing one file, in milliseconds. */
  readonly limitMs: number;
}

export interface SymbolFile {
  readonly language: string;
  readonly symbols: readonly SourceSymbol[];
  readonly references: readonly SourceReference[];
  /** The file could not be read, took too long, or was left out. */
  readonly problem?: 'unreadable' | 'timeout' | 'generated';
}

export type SymbolReply =
  | { readonly id: number; readonly files: readonly SymbolFile[] }
  | { readonly id: number; readonly broken: string };

/** What a file defined when it looked like this; asked again and again while a project is explored. */
const remembered = new Map<string, Remembered>();

interface Remembered {
  readonly stamp: FileStamp;
  readonly readAt: number;
  readonly symbols: readonly PlacedSymbol[];
}

/** About 300 bytes each. */
const maxRememberedSymbols = 50_000;
let rememberedSymbols = 0;

/** Serves one side of the thread: a job in, its reply out, in order. */
export function serveSymbolJobs(port: MessagePort): void {
  let queue = Promise.resolve();
  port.on('message', (job: SymbolJob) => {
    queue = queue.then(async () => {
      try {
        const files: SymbolFile[] = [];
        for (const file of job.files) files.push(await readSymbols(file, job));
        port.postMessage({ id: job.id, files } satisfies SymbolReply);
      } catch (error) {
        const broken = error instanceof Error ? error.message : String(error);
        port.postMessage({ id: job.id, broken } satisfies SymbolReply);
      }
    });
  });
}

async function readSymbols(file: string, { want, limitMs, skipGenerated = false }: SymbolJob): Promise<SymbolFile> {
  const language = languageOf(file.replaceAll('\\', '/'));
  const nothing = { language: language?.name ?? 'unknown', symbols: [], references: [] };
  if (!language) return nothing;
  const read = readSource(file);
  if (!read) return { ...nothing, problem: 'unreadable' };
  const { text } = read;
  const known = rememberedAs(file, read);
  if (want.kind === 'symbols' && known) return { ...nothing, symbols: selected(known, want.name) };
  // A name that is nowhere in the text is nowhere in the tree.
  if (want.name !== undefined && !text.includes(want.name)) return nothing;
  if (skipGenerated && isGenerated(text)) return { ...nothing, problem: 'generated' };
  const grammar = await loadGrammar(language.grammar);
  if (want.kind === 'symbols') {
    const symbols = definitionsOf(text, language.name, grammar, limitMs);
    if (!symbols) return { ...nothing, problem: 'timeout' };
    remember(file, read, symbols);
    return { ...nothing, symbols: selected(symbols, want.name) };
  }
  const tree = grammar.parse(text, limitMs);
  try {
    if (!tree) return { ...nothing, problem: 'timeout' };
    const said = known ?? (want.defined && (want.defined.get(file) ?? []));
    if (said) return { ...nothing, references: findIdentifiers(tree, text, want.name, said) };
    const symbols = extractSymbols(tree, text, language.name, grammar, limitMs);
    if (!symbols) return { ...nothing, problem: 'timeout' };
    remember(file, read, symbols);
    return { ...nothing, references: findIdentifiers(tree, text, want.name, symbols) };
  } finally {
    tree?.delete();
  }
}

function rememberedAs(file: string, { stamp }: Source): readonly PlacedSymbol[] | undefined {
  const known = remembered.get(file);
  return known && isSameStamp(known.stamp, stamp) && !isUnsettled(stamp, known.readAt) ? known.symbols : undefined;
}

function remember(file: string, { stamp, readAt }: Source, symbols: readonly PlacedSymbol[]): void {
  forget(file);
  // A copy: each short text of a tree would keep the whole text of its file.
  remembered.set(file, { stamp, readAt, symbols: structuredClone(symbols) });
  rememberedSymbols += symbols.length + 1;
  for (const oldest of remembered.keys()) {
    if (rememberedSymbols <= maxRememberedSymbols) break;
    forget(oldest);
  }
}

function forget(file: string): void {
  const known = remembered.get(file);
  if (known) rememberedSymbols -= known.symbols.length + 1;
  remembered.delete(file);
}

function selected(symbols: readonly PlacedSymbol[], name: string | undefined): readonly SourceSymbol[] {
  return symbols
    .filter((symbol) => name === undefined || symbol.name === name)
    .map(({ nameStart: _, ...symbol }) => symbol);
}
