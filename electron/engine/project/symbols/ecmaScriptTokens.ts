/** What a token was; punctuation is its own character code (below 128). */
export const t = {
  none: 200,
  name: 201,
  value: 202,
  /** `if`, `for`, …: brackets behind it hold a condition, and no call. */
  control: 203,
  function: 204,
  /** `return`, `typeof`, …: an expression follows. */
  prefix: 205,
  /** `else`, `try`, …: a block follows. */
  block: 206,
  /** `const`, `export`, …: braces behind it hold names. */
  names: 207,
  async: 208,
  arrow: 209,
  /** `class`, in TypeScript also `interface`, `enum`, …: braces behind it hold members. */
  holder: 210,
  /** `private`, …: in TypeScript a parameter behind it is a field. */
  modifier: 211,
  /** `is`, `extends`, …: a type follows. */
  beforeType: 212,
} as const;

export const words: ReadonlyMap<string, number> = new Map<string, number>([
  ...['if', 'for', 'while', 'switch', 'with', 'catch'].map((word) => [word, t.control] as const),
  ...[
    'return',
    'typeof',
    'instanceof',
    'in',
    'of',
    'new',
    'delete',
    'void',
    'throw',
    'case',
    'yield',
    'await',
    'default',
    'extends',
  ].map((word) => [word, t.prefix] as const),
  ...['else', 'try', 'do', 'finally'].map((word) => [word, t.block] as const),
  ...['const', 'let', 'var', 'export', 'import', 'using'].map((word) => [word, t.names] as const),
  ['function', t.function],
  ['async', t.async],
  ['class', t.holder],
]);

export const typedWords: ReadonlyMap<string, number> = new Map<string, number>([
  ...words,
  ...['interface', 'enum', 'namespace', 'module', 'global', 'type'].map((word) => [word, t.holder] as const),
  ...[
    ...['is', 'as', 'satisfies', 'keyof', 'infer', 'extends', 'implements'],
    ...['typeof', 'instanceof', 'in', 'of', 'new', 'delete', 'void'],
  ].map((word) => [word, t.beforeType] as const),
  ...['private', 'protected', 'public', 'readonly', 'override'].map((word) => [word, t.modifier] as const),
]);

const code = (character: string): number => character.charCodeAt(0);

export const mark = {
  tab: code('\t'),
  lineFeed: code('\n'),
  carriageReturn: code('\r'),
  space: code(' '),
  doubleQuote: code('"'),
  singleQuote: code("'"),
  backtick: code('`'),
  backslash: code('\\'),
  slash: code('/'),
  star: code('*'),
  equals: code('='),
  less: code('<'),
  greater: code('>'),
  plus: code('+'),
  minus: code('-'),
  colon: code(':'),
  comma: code(','),
  semicolon: code(';'),
  question: code('?'),
  dot: code('.'),
  dollar: code('$'),
  openRound: code('('),
  closeRound: code(')'),
  openSquare: code('['),
  closeSquare: code(']'),
  openCurly: code('{'),
  closeCurly: code('}'),
} as const;

export const isWord = Uint8Array.from({ length: 128 }, (_, at) => (/[\w$#\\]/.test(String.fromCharCode(at)) ? 1 : 0));

/** Behind these an expression stands whose value is used at once: a function there has no name of its own. */
export const isUse = new Uint8Array(256);
for (const token of ['(', ',', '[', '?', '&', '|', '!', '+', '-', '~'].map(code)) isUse[token] = 1;
for (const token of [t.prefix, t.arrow]) isUse[token] = 1;

/** Behind these a brace or square bracket begins a literal. */
export const isBeforeLiteral = new Uint8Array(isUse);
for (const token of [...['=', ':', '<'].map(code), t.beforeType]) isBeforeLiteral[token] = 1;

/** Of the line in which a place stands. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Of a string: behind the quote; -1 when the line ends before. */
export function stringEnd(text: string, start: number, quote: number): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) return at + 1;
    if (character === mark.lineFeed) return -1;
    if (character === mark.backslash) at += text.startsWith('\r\n', at + 1) ? 2 : 1;
  }
  return -1;
}

/** `<div>` where an expression begins. */
export function isMarkup(last: number, next: number): boolean {
  const isOperand = last === t.name || last === t.value || last === mark.closeRound || last === mark.closeSquare;
  return !isOperand && (next === mark.greater || next >= 128 || isWord[next] === 1);
}
