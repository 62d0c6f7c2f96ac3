import { cFamilyQuery, csharpQuery, goQuery, javaQuery, rustQuery } from './compiledLanguages.ts';
import { javascriptOnly, javascriptQuery, javascriptTopLevel, typescriptOnly } from './ecmaScript.ts';
import { phpQuery, pythonQuery, rubyQuery } from './scriptLanguages.ts';

/** What defines a symbol, by grammar. */
export const queryByGrammar: Readonly<Record<string, string>> = {
  typescript: typescriptOnly + javascriptQuery,
  tsx: typescriptOnly + javascriptQuery,
  javascript: javascriptQuery + javascriptOnly,
  python: pythonQuery,
  go: goQuery,
  rust: rustQuery,
  java: javaQuery,
  cpp: cFamilyQuery,
  'c-sharp': csharpQuery,
  ruby: rubyQuery,
  php: phpQuery,
};

/** Patterns that begin no deeper than at a child of the root; they come after those above. */
export const topLevelQueryByGrammar: Readonly<Record<string, string>> = {
  typescript: javascriptTopLevel,
  tsx: javascriptTopLevel,
  javascript: javascriptTopLevel,
};
