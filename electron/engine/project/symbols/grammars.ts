import { createRequire } from 'node:module';
import path from 'node:path';
import { Language, Parser, Query, type QueryMatch, type Tree } from 'web-tree-sitter';
import { queryByGrammar } from './queries/byLanguage.ts';

export interface Grammar {
  readonly name: string;
  /** Undefined when parsing took longer than the limit (J5). The caller deletes the tree. */
  parse(text: string, limitMs: number): Tree | undefined;
  /** What the query of the language finds; undefined when that took too long: it can cost the square of the text. */
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
  return {
    name,
    matches(tree, limitMs) {
      const end = performance.now() + limitMs;
      let isLate = false;
      const found = query.matches(tree.rootNode, {
        progressCallback: () => {
          isLate ||= performance.now() > end;
          return isLate;
        },
      });
      return isLate ? undefined : found;
    },
    parse(text, limitMs) {
      const end = performance.now() + limitMs;
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
      if (!tree) parser.reset();
      return tree ?? undefined;
    },
  };
}
