/** A language whose symbols are known. The grammar of C++ also reads C. */
export interface SourceLanguage {
  readonly name: string;
  /** Name of the grammar's file, `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  readonly extensions: readonly string[];
}

export const sourceLanguages: readonly SourceLanguage[] = [
  { name: 'typescript', grammar: 'typescript', extensions: ['ts', 'mts', 'cts'] },
  { name: 'tsx', grammar: 'tsx', extensions: ['tsx'] },
  { name: 'javascript', grammar: 'javascript', extensions: ['js', 'mjs', 'cjs'] },
  { name: 'jsx', grammar: 'javascript', extensions: ['jsx'] },
  { name: 'python', grammar: 'python', extensions: ['py', 'pyi', 'pyw'] },
  { name: 'go', grammar: 'go', extensions: ['go'] },
  { name: 'rust', grammar: 'rust', extensions: ['rs'] },
  { name: 'java', grammar: 'java', extensions: ['java'] },
  { name: 'c', grammar: 'cpp', extensions: ['c', 'h'] },
  {
    name: 'cpp',
    grammar: 'cpp',
    extensions: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'h++', 'ipp', 'tpp', 'inl'],
  },
  { name: 'csharp', grammar: 'c-sharp', extensions: ['cs'] },
  { name: 'ruby', grammar: 'ruby', extensions: ['rb', 'rake', 'gemspec'] },
  { name: 'php', grammar: 'php', extensions: ['php', 'phtml'] },
];

const byExtension = new Map(
  sourceLanguages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** By the name's ending; undefined for what is not known. */
export function languageOf(file: string): SourceLanguage | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

/** A glob of all names with symbols. */
export const sourceFilesGlob = `*.{${[...byExtension.keys()].join(',')}}`;
