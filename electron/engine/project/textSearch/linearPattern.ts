/**
 * A JavaScript regular expression rewritten for ripgrep's engine, which needs time linear in the text (J5). Only what means
 * the same in both is rewritten; look-around, back references and other rarities give undefined, and JavaScript's own
 * engine has to search. Matching is line by line, so a class that would take a line end leaves it out.
 * The pattern must be one that JavaScript accepts with (`unicode`) or without the flag `u`.
 */
export function linearPattern(pattern: string, unicode: boolean): string | undefined {
  const reader: Reader = { pattern, unicode, at: 0 };
  let out = '';
  while (reader.at < pattern.length) {
    const piece = readPiece(reader);
    if (piece === undefined) return undefined;
    out += piece;
  }
  return out;
}

interface Reader {
  readonly pattern: string;
  readonly unicode: boolean;
  at: number;
}

function readPiece(reader: Reader): string | undefined {
  const { pattern, at } = reader;
  const character = characterAt(pattern, at);
  reader.at += character.length;
  switch (character) {
    case '(':
      return readGroup(reader);
    case '[':
      return readClass(reader);
    case '\\':
      return readEscape(reader);
    case '{':
      return readBraces(reader);
    case '}':
    case ']':
      return `\\${character}`;
    case ')':
    case '|':
    case '^':
    case '$':
    case '*':
    case '+':
    case '?':
      return character;
    case '.':
      return String.raw`[^\n\r\x{2028}\x{2029}]`;
    default:
      return literal(character);
  }
}

/** Names of groups do not matter for finding. */
function readGroup(reader: Reader): string | undefined {
  const rest = reader.pattern.slice(reader.at);
  if (!rest.startsWith('?')) return '(?:';
  const named = /^\?<[^=!>][^>]*>/.exec(rest);
  const skipped = rest.startsWith('?:') ? 2 : (named?.[0].length ?? 0);
  if (skipped === 0) return undefined;
  reader.at += skipped;
  return '(?:';
}

/** A quantifier, or (without the flag `u`) a brace that stands for itself. */
function readBraces(reader: Reader): string {
  const quantifier = /^\d+(?:,\d*)?\}/.exec(reader.pattern.slice(reader.at));
  if (!quantifier) return '\\{';
  reader.at += quantifier[0].length;
  return `{${quantifier[0]}`;
}

const word = '0-9A-Za-z_';
/** White space of ECMA-262 without what ends a line. */
const space = String.raw`\t\x{b}\x{c}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}\x{feff}\x{2028}\x{2029}`;

function readEscape(reader: Reader): string | undefined {
  const character = characterAt(reader.pattern, reader.at);
  switch (character) {
    case 'b':
    case 'B':
      reader.at += 1;
      return `(?-u:\\${character})`;
    default: {
      const set = readSet(reader);
      if (set) return set.negated ? String.raw`[^\n\r${set.members}]` : `[${set.members}]`;
      const property = readProperty(reader);
      if (property !== undefined) return property;
      const code = readCode(reader, false);
      return code === undefined ? undefined : literal(String.fromCodePoint(code));
    }
  }
}

/** `\d`, `\w`, `\s` and their opposites, which are ASCII in JavaScript (but for white space). */
function readSet(reader: Reader): { readonly negated: boolean; readonly members: string } | undefined {
  const letter = reader.pattern[reader.at] ?? '';
  const members = { d: '0-9', w: word, s: space }[letter.toLowerCase()];
  if (members === undefined) return undefined;
  reader.at += 1;
  return { negated: letter !== letter.toLowerCase(), members };
}

function readProperty(reader: Reader): string | undefined {
  if (!reader.unicode) return undefined;
  const property = /^p\{[A-Za-z_]+(?:=[A-Za-z_]+)?\}/.exec(reader.pattern.slice(reader.at));
  if (!property) return undefined;
  reader.at += property[0].length;
  return `\\${property[0]}`;
}

/** The code point that an escape stands for; undefined for what has no equal (back references, lone surrogates, line ends). */
function readCode(reader: Reader, inClass: boolean): number | undefined {
  const rest = reader.pattern.slice(reader.at);
  const character = characterAt(rest, 0);
  const take = (length: number, code: number) => {
    reader.at += length;
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return isSurrogate || code === 0 || code === 10 || code === 13 || code > 0x10ffff ? undefined : code;
  };
  const hex =
    /^x([0-9A-Fa-f]{2})/.exec(rest) ??
    (reader.unicode ? /^u\{([0-9A-Fa-f]{1,8})\}/.exec(rest) : null) ??
    /^u([0-9A-Fa-f]{4})/.exec(rest);
  if (hex) return take(hex[0].length, Number.parseInt(hex[1] ?? '', 16));
  const control = { t: 9, v: 11, f: 12 }[character];
  if (control !== undefined) return take(1, control);
  if (character === 'b' && inClass) return take(1, 8);
  // Digits and \k are back references, \c and \p have rules of their own, \r and \n end lines.
  if (character === '' || /[0-9ckpPrn]/.test(character)) return undefined;
  return take(character.length, character.codePointAt(0) ?? 0);
}

function readClass(reader: Reader): string | undefined {
  const negated = reader.pattern[reader.at] === '^';
  if (negated) reader.at += 1;
  let members = '';
  for (;;) {
    if (reader.at >= reader.pattern.length) return undefined;
    if (reader.pattern[reader.at] === ']') break;
    const member = readMember(reader);
    if (member === undefined) return undefined;
    members += member;
  }
  reader.at += 1;
  if (negated) return String.raw`[^\n\r${members}]`;
  return members === '' ? undefined : `[${members}]`;
}

function readMember(reader: Reader): string | undefined {
  const from = readClassAtom(reader);
  if (from === undefined || typeof from === 'string') return from;
  const { pattern, at } = reader;
  if (pattern[at] !== '-' || pattern[at + 1] === ']' || at + 1 >= pattern.length) return inClass(from);
  reader.at += 1;
  const to = readClassAtom(reader);
  if (to === undefined) return undefined;
  // Without the flag `u`, `[a-\d]` has a hyphen that stands for itself.
  if (typeof to === 'string') return `${inClass(from)}\\-${to}`;
  const crossesLineEnd = from <= 13 && to >= 10;
  return crossesLineEnd ? undefined : `${inClass(from)}-${inClass(to)}`;
}

/** One character by its code, or the text of a whole set. */
function readClassAtom(reader: Reader): number | string | undefined {
  const character = characterAt(reader.pattern, reader.at);
  reader.at += character.length;
  if (character !== '\\') return character === '\n' || character === '\r' ? undefined : character.codePointAt(0);
  const set = readSet(reader);
  if (set) return set.negated ? String.raw`[^\n\r${set.members}]` : set.members;
  return readProperty(reader) ?? readCode(reader, true);
}

function inClass(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function literal(character: string): string | undefined {
  if (/[\0\n\r\ud800-\udfff]/.test(character) && character.length === 1) return undefined;
  return /^[\w ]$/.test(character) ? character : inClass(character.codePointAt(0) ?? 0);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
