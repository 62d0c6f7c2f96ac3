import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { decodeText } from '../../workspace/textFile.ts';
import { extractSymbols, type PlacedSymbol } from './extractSymbols.ts';
import { findIdentifiers } from './findIdentifiers.ts';
import { loadGrammar } from './grammars.ts';
import { languageOf } from './languages.ts';
import type { SourceReference, SourceSymbol } from './symbol.ts';

/** What is wanted of some files (real paths). */
export interface SymbolJob {
  readonly id: number;
  readonly files: readonly string[];
  readonly want:
    | { readonly kind: 'symbols'; readonly name?: string }
    | { readonly kind: 'references'; readonly name: string };
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

/** Larger source files are generated; parsing them would cost seconds. */
const maxSourceBytes = 4 * 1024 * 1024;

/** What a file defined when it looked like this; asked again and again while a project is explored. */
const remembered = new Map<string, { readonly stamp: string; readonly symbols: readonly PlacedSymbol[] }>();
/** About 300 bytes each. */
const maxRememberedSymbols = 100_000;
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
  const { text, stamp } = read;
  const known = remembered.get(file);
  if (want.kind === 'symbols' && known?.stamp === stamp)
    return { ...nothing, symbols: selected(known.symbols, want.name) };
  // A name that is nowhere in the text is nowhere in the tree.
  if (want.name !== undefined && !text.includes(want.name)) return nothing;
  if (skipGenerated && isGenerated(text)) return { ...nothing, problem: 'generated' };
  const grammar = await loadGrammar(language.grammar);
  const tree = grammar.parse(text, limitMs);
  if (!tree) return { ...nothing, problem: 'timeout' };
  try {
    const symbols =
      known?.stamp === stamp ? known.symbols : extractSymbols(tree, text, language.name, grammar, limitMs);
    if (!symbols) return { ...nothing, problem: 'timeout' };
    remember(file, stamp, symbols);
    if (want.kind === 'symbols') return { ...nothing, symbols: selected(symbols, want.name) };
    return { ...nothing, references: findIdentifiers(tree, text, want.name, symbols) };
  } finally {
    tree.delete();
  }
}

/** Bundles and minified files: a megabyte takes half a second to parse, and nobody edits them. */
function isGenerated(text: string): boolean {
  if (text.length > maxSearchedCharacters) return true;
  const head = text.slice(0, 65_536);
  return head.length > 20_000 && head.length / (head.split('\n').length + 1) > 500;
}

const maxSearchedCharacters = 1024 * 1024;

function remember(file: string, stamp: string, symbols: readonly PlacedSymbol[]): void {
  forget(file);
  remembered.set(file, { stamp, symbols });
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

/** The text of an ordinary source file, links not followed (P1, P9, P11), and what tells whether it changed. */
function readSource(file: string): { readonly text: string; readonly stamp: string } | undefined {
  let handle: number | undefined;
  try {
    if (realpathSync(file) !== file) return undefined;
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > maxSourceBytes) return undefined;
    const bytes = Buffer.alloc(stats.size);
    const length = readSync(handle, bytes, 0, stats.size, 0);
    const decoded = decodeText(bytes.subarray(0, length));
    return decoded.ok ? { text: decoded.value.text, stamp: `${stats.mtimeMs} ${stats.size} ${stats.ino}` } : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
