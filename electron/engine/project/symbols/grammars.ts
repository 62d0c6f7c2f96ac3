import { createRequire } from 'node:module';
import path from 'node:path';
import { Language, Parser, Query, type QueryMatch, type Range, type Tree } from 'web-tree-sitter';
import { queryByGrammar, topLevelQueryByGrammar } from './queries/byLanguage.ts';

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

export interface Grammar {
  readonly name: string;
  /**
   * Undefined when parsing took longer than the limit (J5), in milliseconds of the thread's own time. The caller deletes the
   * tree. `without`: parts that are not looked at, in order.
   */
  parse(text: string, limitMs: number, without?: readonly TextPart[]): Tree | undefined;
  /** What the queries of the language find; undefined when that took too long: it can cost the square of the text. */
  matches(tree: Tree, limitMs: number): readonly QueryMatch[] | undefined;
}

let started: Promise<void> | undefined;
const loaded = new Map<string, Promise<Grammar>>();

/** Loads a grammar once; belongs in a thread, since it and what it parses block. */
export function loadGrammar(name: string): Promise<Grammar> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = load(name);
  loaded.set(name, loading);
  return loading;
}

async function load(name: string): Promise<Grammar> {
  const require = createRequire(import.meta.url);
  // Files inside an archive cannot be read as WebAssembly by every loader; the packager puts them beside it.
  const placeOf = (module: string) =>
    path.dirname(require.resolve(module)).replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked');
  started ??= Parser.init({ locateFile: (file: string) => path.join(placeOf('web-tree-sitter'), file) });
  await started;
  const language = await Language.load(path.join(placeOf('@vscode/tree-sitter-wasm'), `tree-sitter-${name}.wasm`));
  const parser = new Parser();
  parser.setLanguage(language);
  const query = new Query(language, queryByGrammar[name] ?? '');
  const topLevel = topLevelQueryByGrammar[name];
  const topLevelQuery = topLevel === undefined ? undefined : new Query(language, topLevel);
  const firstTopLevel = query.patternCount();
  return {
    name,
    matches(tree, limitMs) {
      const isOver = limitOf(limitMs);
      let isLate = false;
      const progressCallback = () => {
        isLate ||= isOver();
        return isLate;
      };
      const found = query.matches(tree.rootNode, { progressCallback });
      for (const match of topLevelQuery?.matches(tree.rootNode, { progressCallback, maxStartDepth: 1 }) ?? [])
        found.push({ ...match, patternIndex: firstTopLevel + match.patternIndex });
      return isLate ? undefined : found;
    },
    parse(text, limitMs, without = []) {
      const includedRanges = without.length > 0 ? { includedRanges: rangesWithout(text, without) } : {};
      const tree = parser.parse(text, null, { progressCallback: limitOf(limitMs), ...includedRanges });
      if (!tree) parser.reset();
      return tree ?? undefined;
    },
  };
}

/** Nobody waits longer than so many times the limit, whatever else the machine does. */
const patience = 3;

/**
 * Whether this thread has worked for longer than that since now. Its own time: on a busy machine, ordinary files would be
 * given up, and the index would remember it.
 */
function limitOf(limitMs: number): () => boolean {
  const started = performance.now();
  const begun = process.threadCpuUsage();
  return () => {
    const passedMs = performance.now() - started;
    if (passedMs < limitMs) return false;
    const { user, system } = process.threadCpuUsage(begun);
    return passedMs > patience * limitMs || (user + system) / 1000 > limitMs;
  };
}

function rangesWithout(text: string, parts: readonly TextPart[]): Range[] {
  const ranges: Range[] = [];
  let row = 0;
  let lineStart = 0;
  let nextLine = text.indexOf('\n') + 1;
  const positionOf = (at: number) => {
    for (; nextLine > 0 && nextLine <= at; nextLine = text.indexOf('\n', nextLine) + 1) {
      row += 1;
      lineStart = nextLine;
    }
    return { row, column: at - lineStart };
  };
  let start = { startIndex: 0, startPosition: positionOf(0) };
  for (const part of parts) {
    ranges.push({ ...start, endIndex: part.start, endPosition: positionOf(part.start) });
    start = { startIndex: part.end, startPosition: positionOf(part.end) };
  }
  ranges.push({ ...start, endIndex: text.length, endPosition: positionOf(text.length) });
  return ranges;
}
