/**
 * Globs with `*`, `**`, `?`, `[...]`, `\` and (where asked for) `{a,b}`. Matching keeps one place to fall back to for `*` and
 * one for `**`, so a pattern of m and a path of n characters cost at most about m·n steps (J5): no regular expression is built.
 */
export interface Glob {
  matches(path: string): boolean;
  /** The pattern has a `/` inside: it is matched against whole paths, otherwise against the last name. */
  readonly anchored: boolean;
  /** The pattern itself names something hidden. */
  readonly wantsHidden: boolean;
}

type Token =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | CharacterClass;

interface CharacterClass {
  readonly kind: 'class';
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

type Segment = '**' | readonly Token[];

/** More alternatives than this are not expanded; the braces are then taken literally. */
const maxAlternatives = 256;

export function compileGlob(pattern: string, options: { readonly ignoreCase?: boolean } = {}): Glob {
  const fold = (text: string) => (options.ignoreCase ? text.toLowerCase() : text);
  const trimmed = pattern.replace(/^\.\//, '');
  const anchored = trimmed.replace(/\/$/, '').includes('/');
  const alternatives = expandBraces(fold(trimmed)).map((one) => compileSegments(one.replace(/^\//, '')));
  return {
    anchored,
    wantsHidden: /(?:^|[/{,])\\?\./.test(trimmed),
    matches: (path) => {
      const names = fold(path).split('/');
      const subject = anchored ? names : names.slice(-1);
      return alternatives.some((segments) => matchSegments(segments, subject));
    },
  };
}

export function compileSegments(pattern: string): readonly Segment[] {
  return pattern.split('/').map((segment) => (segment === '**' ? '**' : tokenize(segment)));
}

/** `**` matches any number of names, none included; as the last segment at least one. */
export function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let s = 0;
  let n = 0;
  let fallSegment = -1;
  let fallName = 0;
  while (n < names.length || s < segments.length) {
    const segment = segments[s];
    if (segment === '**') {
      if (s === segments.length - 1) return n < names.length;
      fallSegment = s;
      fallName = n;
      s += 1;
      continue;
    }
    const name = names[n];
    if (segment !== undefined && name !== undefined && matchName(segment, name)) {
      s += 1;
      n += 1;
      continue;
    }
    if (fallSegment === -1 || fallName >= names.length) return false;
    fallName += 1;
    n = fallName;
    s = fallSegment + 1;
  }
  return true;
}

function matchName(tokens: readonly Token[], name: string): boolean {
  let t = 0;
  let c = 0;
  let fallToken = -1;
  let fallChar = 0;
  while (c < name.length || t < tokens.length) {
    const token = tokens[t];
    if (token?.kind === 'star') {
      fallToken = t;
      fallChar = c;
      t += 1;
      continue;
    }
    const width = token === undefined ? 0 : widthAt(token, name, c);
    if (width > 0) {
      t += 1;
      c += width;
      continue;
    }
    if (fallToken === -1 || fallChar >= name.length) return false;
    fallChar += 1;
    c = fallChar;
    t = fallToken + 1;
  }
  return true;
}

/** How many code units the token takes at this place; 0 when it does not match. */
function widthAt(token: Token, name: string, at: number): number {
  const point = name.codePointAt(at);
  if (point === undefined) return 0;
  const width = point > 0xffff ? 2 : 1;
  if (token.kind === 'text') return name.startsWith(token.value, at) ? token.value.length : 0;
  if (token.kind === 'any') return width;
  if (token.kind === 'star') return 0;
  return token.ranges.some(([from, to]) => point >= from && point <= to) !== token.negated ? width : 0;
}

function tokenize(segment: string): readonly Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(segment);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '[') {
      const found = classAt(characters, index);
      if (found) {
        tokens.push(found.token);
        index = found.end;
      } else tokens.push({ kind: 'text', value: '[' });
    } else if (character === '\\' && index + 1 < characters.length) {
      index += 1;
      tokens.push({ kind: 'text', value: characters[index] ?? '' });
    } else tokens.push({ kind: 'text', value: character });
  }
  return tokens;
}

const namedClasses: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  alpha: [
    ['a', 'z'],
    ['A', 'Z'],
  ],
  digit: [['0', '9']],
  alnum: [
    ['a', 'z'],
    ['A', 'Z'],
    ['0', '9'],
  ],
  upper: [['A', 'Z']],
  lower: [['a', 'z']],
  space: [
    ['\t', '\r'],
    [' ', ' '],
  ],
  xdigit: [
    ['0', '9'],
    ['a', 'f'],
    ['A', 'F'],
  ],
  punct: [
    ['!', '/'],
    [':', '@'],
    ['[', '`'],
    ['{', '~'],
  ],
};

function classAt(
  characters: readonly string[],
  open: number,
): { readonly token: CharacterClass; readonly end: number } | undefined {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const first = open + (negated ? 2 : 1);
  const ranges: (readonly [number, number])[] = [];
  for (let index = first; index < characters.length; index += 1) {
    let from = characters[index] ?? '';
    if (from === ']' && index > first) return { token: { kind: 'class', negated, ranges }, end: index };
    if (from === '[' && characters[index + 1] === ':') {
      const close = characters.indexOf(']', index + 2);
      const named = namedClasses[characters.slice(index + 2, close - 1).join('')];
      if (close !== -1 && characters[close - 1] === ':' && named) {
        ranges.push(...named.map(([a, b]) => [codeOf(a), codeOf(b)] as const));
        index = close;
        continue;
      }
    }
    if (from === '\\' && index + 1 < characters.length) {
      index += 1;
      from = characters[index] ?? '';
    }
    let to = from;
    if (characters[index + 1] === '-' && characters[index + 2] !== undefined && characters[index + 2] !== ']') {
      index += 2;
      to = characters[index] ?? '';
      if (to === '\\') {
        index += 1;
        to = characters[index] ?? '';
      }
    }
    ranges.push([codeOf(from), codeOf(to)]);
  }
  return undefined;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** `a{b,c{d,e}}` → `ab`, `acd`, `ace`. Braces without a comma, or without their partner, stand for themselves. */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.pop() ?? '';
    const group = firstGroup(next);
    if (!group) done.push(next);
    else
      open.push(
        ...group.parts.map((part) => next.slice(0, group.start) + part + next.slice(group.end + 1)).toReversed(),
      );
    if (done.length + open.length > maxAlternatives) return [pattern];
  }
  return done;
}

function firstGroup(
  pattern: string,
): { readonly start: number; readonly end: number; readonly parts: readonly string[] } | undefined {
  // Braces that open and never close would otherwise be tried again from each of them.
  const lastClose = pattern.lastIndexOf('}');
  for (let start = 0; start < lastClose; start += 1) {
    if (pattern[start] === '\\') start += 1;
    else if (pattern[start] === '{') {
      const group = groupAt(pattern, start);
      if (group && group.parts.length > 1) return group;
    }
  }
  return undefined;
}

function groupAt(
  pattern: string,
  start: number,
): { readonly start: number; readonly end: number; readonly parts: readonly string[] } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let partStart = start + 1;
  for (let index = start; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(partStart, index));
      partStart = index + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) {
        parts.push(pattern.slice(partStart, index));
        return { start, end: index, parts };
      }
    }
  }
  return undefined;
}
