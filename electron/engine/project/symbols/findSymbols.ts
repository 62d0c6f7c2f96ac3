import path from 'node:path';
import { ok, type Result } from '../../../../shared/result.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { placeOf } from '../textSearch/searchText.ts';
import { candidateFiles } from './candidateFiles.ts';
import type { SourceReference, SourceSymbol } from './symbol.ts';
import type { SymbolReader } from './symbolReader.ts';

/** Files a question to the thread: a cancelled search stops after these. */
const filesAtOnce = 24;

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

/** Definitions of a name, by file and line; the first `limit`. Errors: CANCELLED, UNAVAILABLE. */
export async function findDefinitions(
  look: Look,
  reader: SymbolReader,
  search: {
    readonly name: string;
    readonly start: ResolvedPath;
    readonly limit: number;
    readonly accepts: (symbol: SourceSymbol) => boolean;
  },
  signal: AbortSignal,
): Promise<Result<Found<FoundSymbol>>> {
  const { name, start, limit, accepts } = search;
  const files = await candidateFiles(look, { name, start, definitionsOnly: true }, signal);
  if (!files.ok) return files;
  const place = placeOf(look, start);
  const found: FoundSymbol[] = [];
  const timedOut: string[] = [];
  const generated: string[] = [];
  const skipGenerated = start.kind !== 'file';
  for (let at = 0; at < files.value.length && found.length <= limit; at += filesAtOnce) {
    const batch = files.value.slice(at, at + filesAtOnce);
    const read = await reader.read(
      batch.map((file) => path.join(place.root, file)),
      { kind: 'symbols', name },
      signal,
      { skipGenerated },
    );
    if (!read.ok) return read;
    for (const [index, { language, symbols, problem }] of read.value.entries()) {
      const file = place.fileOf(batch[index] ?? '');
      if (problem === 'timeout') timedOut.push(file);
      if (problem === 'generated') generated.push(file);
      for (const symbol of symbols) if (accepts(symbol)) found.push({ ...symbol, file, language });
    }
  }
  return ok({ found: found.slice(0, limit), truncated: found.length > limit, timedOut, generated });
}

/** Where a name stands in code, by file and line; the first `limit`. Errors: CANCELLED, UNAVAILABLE. */
export async function findReferencesTo(
  look: Look,
  reader: SymbolReader,
  search: { readonly name: string; readonly start: ResolvedPath; readonly limit: number },
  signal: AbortSignal,
): Promise<Result<Found<FoundReference>>> {
  const { name, start, limit } = search;
  const files = await candidateFiles(look, { name, start, definitionsOnly: false }, signal);
  if (!files.ok) return files;
  const place = placeOf(look, start);
  const found: FoundReference[] = [];
  const timedOut: string[] = [];
  const generated: string[] = [];
  const skipGenerated = start.kind !== 'file';
  for (let at = 0; at < files.value.length && found.length <= limit; at += filesAtOnce) {
    const batch = files.value.slice(at, at + filesAtOnce);
    const read = await reader.read(
      batch.map((file) => path.join(place.root, file)),
      { kind: 'references', name },
      signal,
      { skipGenerated },
    );
    if (!read.ok) return read;
    for (const [index, { references, problem }] of read.value.entries()) {
      const file = place.fileOf(batch[index] ?? '');
      if (problem === 'timeout') timedOut.push(file);
      if (problem === 'generated') generated.push(file);
      for (const reference of references) found.push({ file, ...reference });
    }
  }
  return ok({ found: found.slice(0, limit), truncated: found.length > limit, timedOut, generated });
}
