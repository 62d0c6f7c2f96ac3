import path from 'node:path';
import type { IndexedFile, IndexProblem, IndexStore, KnownFile } from './indexStore.ts';
import { mayDefine } from './namePattern.ts';
import { type FileStamp, isSameStamp, readSource } from './readSource.ts';
import { nameHash, restoreNamed } from './storedSymbols.ts';
import type { SourceSymbol } from './symbol.ts';
import { mayHoldWord } from './wordFilter.ts';

export interface IndexedSymbols {
  readonly language: string;
  readonly symbols: readonly SourceSymbol[];
}

export interface IndexAnswer {
  /** In no order. */
  readonly files: readonly (IndexedSymbols & { readonly file: string })[];
  /** Files that hold the name and could not be parsed in time, or were left out. */
  readonly timedOut: readonly string[];
  readonly generated: readonly string[];
}

export interface KnownProject {
  readonly root: string;
  /** As they are now. */
  readonly files: ReadonlyMap<string, FileStamp>;
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly store: Pick<IndexStore, 'file' | 'filesWith' | 'unparsed'>;
  /** Those that were read for this question; more are added. */
  readonly fresh: Map<string, IndexedFile>;
  read(name: string, seen: FileStamp): Promise<IndexedFile>;
}

/** Files that were not parsed and may hold the name are read while somebody waits, up to this size; else a search is faster. */
const maxUnparsedBytes = 32 * 1024 * 1024;

/** Definitions of a name below a folder (`.` for the root); undefined when a search is faster. */
export async function answerFrom(project: KnownProject, name: string, below: string): Promise<IndexAnswer | undefined> {
  const { root, files, known, store, fresh, read } = project;
  const isBelow = (file: string) => below === '.' || file.startsWith(`${below}/`);
  const isOpen = (file: string) => files.has(file) && !fresh.has(file) && isBelow(file);
  const hits: { readonly file: string; readonly language: string; readonly text: string }[] = [];
  const mentioned: { readonly file: string; readonly problem: IndexProblem }[] = [];
  const mention = (file: string, { problem, words }: Pick<KnownFile, 'problem' | 'words'>) => {
    if (problem && words && mayHoldWord(words, name)) mentioned.push({ file, problem });
  };
  for (const file of store.unparsed()) if (isOpen(file)) mention(file, known.get(file) ?? {});
  for (const file of store.filesWith(nameHash(name))) {
    const now = files.get(file);
    if (!now || !isOpen(file)) continue;
    const hit = store.file(file);
    // Another process has written what it read at another time.
    if (hit && isSameStamp(now, hit.stamp)) hits.push({ file, language: hit.language, text: hit.text });
    else fresh.set(file, await read(file, now));
  }
  for (const one of fresh.values()) {
    if (!isBelow(one.path)) continue;
    hits.push({ file: one.path, language: one.language, text: one.symbols.text });
    mention(one.path, one);
  }
  const size = mentioned.reduce((sum, { file }) => sum + (files.get(file)?.size ?? 0), 0);
  if (size > maxUnparsedBytes) return undefined;
  const unparsed = mentioned.filter(({ file }) => mayDefine(readSource(path.join(root, file))?.text ?? '', name));
  const withProblem = (which: IndexProblem) =>
    unparsed.filter(({ problem }) => problem === which).map(({ file }) => file);
  return {
    files: hits.flatMap(({ file, language, text }) => {
      const symbols = restoreNamed(text, name);
      return symbols.length > 0 ? [{ file, language, symbols }] : [];
    }),
    timedOut: withProblem('timeout'),
    generated: withProblem('generated'),
  };
}
