import path from 'node:path';
import { ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { countForbidden } from '../textSearch/listFiles.ts';
import { placeOf } from '../textSearch/searchScope.ts';
import { candidateFiles } from './candidateFiles.ts';
import type { IndexAnswer } from './indexAnswer.ts';
import type { SourceReference, SourceSymbol } from './symbol.ts';
import type { SymbolIndex } from './symbolIndex.ts';
import type { SymbolReader } from './symbolReader.ts';
import type { SymbolFile, SymbolJob } from './symbolThread.ts';

/** Files a question to the thread: a cancelled search stops after these. */
const filesAtOnce = 12;
const batchesAtOnce = 3;

export interface FoundSymbol extends SourceSymbol {
  /** Relative to the project. */
  readonly file: string;
  readonly language: string;
}

export interface FoundReference extends SourceReference {
  readonly file: string;
}

export interface Found<T> {
  readonly found: readonly T[];
  readonly truncated: boolean;
  /** Files that took too long to parse. */
  readonly timedOut: readonly string[];
  /** Bundles and minified files that were left out. */
  readonly generated: readonly string[];
}

/** What answers questions about symbols. */
export interface SymbolParts {
  readonly symbols: SymbolReader;
  /** Of the project; without it every question is answered by searching. */
  readonly index?: SymbolIndex | undefined;
}

/** Definitions of a name, by file and line; the first `limit`. Errors: CANCELLED, UNAVAILABLE. */
export async function findDefinitions(
  look: Look,
  { symbols: reader, index }: SymbolParts,
  search: {
    readonly name: string;
    readonly start: ResolvedPath;
    readonly limit: number;
    readonly accepts: (symbol: SourceSymbol) => boolean;
  },
  signal: AbortSignal,
): Promise<Result<Found<FoundSymbol>>> {
  const { name, accepts } = search;
  const release = index?.hold();
  try {
    await countForbidden(look, search.start, signal);
    const known = await fromIndex(look, index, search, signal);
    if (known) return ok(known);
    const candidates = candidateFiles(look, { ...search, definitionsOnly: true }, signal);
    const want = { kind: 'symbols', name } as const;
    return await readCandidates(look, reader, { ...search, want, candidates }, signal, (file, read) =>
      read.symbols.filter(accepts).map((symbol) => ({ ...symbol, file, language: read.language })),
    );
  } finally {
    release?.();
  }
}

/** Undefined when the index cannot tell. */
async function fromIndex(
  look: Look,
  index: SymbolIndex | undefined,
  { name, start, limit, accepts }: Parameters<typeof findDefinitions>[2],
  signal: AbortSignal,
): Promise<Found<FoundSymbol> | undefined> {
  const answer = await askIndex(index, name, start, signal);
  if (!answer) return undefined;
  const mayRead = (file: string): boolean => !look.isForbidden(file);
  const found = answer.files
    .filter(({ file }) => mayRead(file))
    .toSorted((a, b) => compareBytes(a.file, b.file))
    .flatMap(({ file, language, symbols }) => symbols.filter(accepts).map((symbol) => ({ ...symbol, file, language })));
  return {
    found: found.slice(0, limit),
    truncated: found.length > limit,
    timedOut: answer.timedOut.filter(mayRead).toSorted(compareBytes),
    generated: answer.generated.filter(mayRead).toSorted(compareBytes),
  };
}

/** Where a name stands in code, by file and line; the first `limit`. Errors: CANCELLED, UNAVAILABLE. */
export async function findReferencesTo(
  look: Look,
  { symbols: reader, index }: SymbolParts,
  search: { readonly name: string; readonly start: ResolvedPath; readonly limit: number },
  signal: AbortSignal,
): Promise<Result<Found<FoundReference>>> {
  const { name, start } = search;
  const release = index?.hold();
  try {
    await countForbidden(look, start, signal);
    const candidates = candidateFiles(look, { name, start, definitionsOnly: false }, signal);
    const defined = await definedByIndex(index, search, signal);
    const want = { kind: 'references', name, ...(defined ? { defined } : {}) } as const;
    return await readCandidates(look, reader, { ...search, want, candidates }, signal, (file, read) =>
      read.references.map((reference) => ({ file, ...reference })),
    );
  } finally {
    release?.();
  }
}

/** Undefined when the index does not know all files. */
async function definedByIndex(
  index: SymbolIndex | undefined,
  { name, start }: { readonly name: string; readonly start: ResolvedPath },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly SourceSymbol[]> | undefined> {
  const answer = await askIndex(index, name, start, signal);
  if (!answer || answer.timedOut.length > 0) return undefined;
  return new Map(answer.files.map(({ file, symbols }) => [path.join(start.root, file), symbols]));
}

async function askIndex(
  index: SymbolIndex | undefined,
  name: string,
  start: ResolvedPath,
  signal: AbortSignal,
): Promise<IndexAnswer | undefined> {
  if (!index || start.root !== index.root || start.kind !== 'directory') return undefined;
  return index.definitions(name, start.realRelative, signal);
}

/** What one file (real path) defines. Errors: CANCELLED, UNAVAILABLE. */
export async function definitionsIn(
  { symbols: reader, index }: SymbolParts,
  { real, root, realRelative }: ResolvedPath,
  signal: AbortSignal,
): Promise<Result<Omit<SymbolFile, 'references'> | undefined>> {
  const release = index?.hold();
  try {
    const known = index?.root === root ? await index.file(realRelative, signal) : undefined;
    if (known) return ok(known);
    const read = await reader.read([real], { kind: 'symbols' }, signal);
    return read.ok ? ok(read.value[0]) : read;
  } finally {
    release?.();
  }
}

/** Parses the files that may hold a name, a few batches at a time, until there is enough. */
async function readCandidates<T>(
  look: Look,
  reader: SymbolReader,
  search: {
    readonly name: string;
    readonly start: ResolvedPath;
    readonly limit: number;
    readonly want: SymbolJob['want'];
    readonly candidates: ReturnType<typeof candidateFiles>;
  },
  signal: AbortSignal,
  pick: (file: string, read: SymbolFile) => readonly T[],
): Promise<Result<Found<T>>> {
  const { start, limit, want } = search;
  const files = await search.candidates;
  if (!files.ok) return files;
  const place = placeOf(look, start);
  const skipGenerated = start.kind !== 'file';
  const ask = (at: number) => {
    const batch = files.value.slice(at, at + filesAtOnce).map((file) => path.join(place.root, file));
    return reader.read(batch, want, signal, { skipGenerated });
  };
  const found: T[] = [];
  const timedOut: string[] = [];
  const generated: string[] = [];
  const asked: ReturnType<typeof ask>[] = [];
  for (let at = 0; at < files.value.length && found.length <= limit; at += filesAtOnce) {
    // Answers are taken in order; the questions run ahead, so that every thread has something to do.
    while (asked.length < batchesAtOnce && at + asked.length * filesAtOnce < files.value.length)
      asked.push(ask(at + asked.length * filesAtOnce));
    const read = await asked.shift();
    if (!read) break;
    if (!read.ok) return read;
    for (const [index, one] of read.value.entries()) {
      const file = place.fileOf(files.value[at + index] ?? '');
      if (one.problem === 'timeout') timedOut.push(file);
      if (one.problem === 'generated') generated.push(file);
      found.push(...pick(file, one));
    }
  }
  return ok({ found: found.slice(0, limit), truncated: found.length > limit, timedOut, generated });
}
