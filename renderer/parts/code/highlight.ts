/** A piece of a line, with the class of its colour. */
export interface Token {
  readonly text: string;
  readonly kind: string;
}
export type TokenLine = readonly Token[];

/** Larger texts stay plain: colouring them would hold the window up for too long. */
const mostCharacters = 400_000;

/** Endings that are not the name of their language. */
const byEnding: Readonly<Record<string, string>> = {
  cjs: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  cts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  htm: 'xml',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  bash: 'bash',
  sh: 'bash',
  zsh: 'bash',
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  jsonc: 'json',
  webmanifest: 'json',
};

/** The language of a file by its name, as the highlighter knows it or not. */
export function languageOfPath(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name === 'makefile') return name;
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return byEnding[ending] ?? ending;
}

/** The colours of a text, line by line; nothing where the language is unknown. The highlighter is fetched at the first use. */
export async function highlight(text: string, language: string): Promise<readonly TokenLine[] | undefined> {
  if (text.length > mostCharacters) return undefined;
  const { default: highlighter } = await import('highlight.js/lib/common');
  if (!highlighter.getLanguage(language)) return undefined;
  return tokenLines(highlighter.highlight(text, { language, ignoreIllegals: true }).value);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** The highlighter's markup (spans with a class, and five entities) as lines of tokens. */
export function tokenLines(markup: string): readonly TokenLine[] {
  const lines: Token[][] = [[]];
  const kinds: string[] = [];
  for (const [piece] of markup.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (piece === '</span>') kinds.pop();
    else if (piece.startsWith('<span')) kinds.push(/hljs-([a-z-]+)/.exec(piece)?.[1] ?? kinds.at(-1) ?? '');
    else
      for (const [index, part] of piece
        .replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
        .split('\n')
        .entries()) {
        if (index > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push({ text: part, kind: kinds.at(-1) ?? '' });
      }
  }
  return lines;
}
