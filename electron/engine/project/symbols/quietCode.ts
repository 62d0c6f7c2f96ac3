import {
  isBeforeLiteral,
  isMarkup,
  isUse,
  isWord,
  lineEnd,
  mark,
  stringEnd,
  t,
  typedWords,
  words,
} from './ecmaScriptTokens.ts';

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

/** Shorter parts cost more than they save. */
const minCharacters = 40;
/** Deeper than anybody writes; each open bracket is remembered. */
const maxDepth = 2_000;

interface Bracket {
  opener: number;
  start: number;
  /** Nothing in it is a definition so far, and it may be empty. */
  isQuiet: boolean;
  /** A definition stands in it, or may. */
  defines: boolean;
  /** Braces of an object or of a type: names before round brackets in it may be those of members, whatever word they are. */
  isLiteral: boolean;
  /** The last two tokens before it. */
  before: number;
  before2: number;
  /** `class` and the like were read and its braces were not. */
  awaitsMembers: boolean;
  /** Parts found before it. */
  parts: number;
}

/**
 * Parts of an ECMAScript text in which nothing is defined: insides of comments, bodies, arguments and literals. Most of a usual
 * file is such code, and parsing it takes most of the time of an index. Each part stands between two marks that stay, so
 * that what remains has the same shape.
 *
 * Tokens are read here, not syntax: a part is left out only when no token in it can begin a definition. Undefined when the
 * reading is in doubt: a slash that may be a division or a pattern, markup, brackets that do not match.
 */
export function quietCode(text: string, { isTyped }: { readonly isTyped: boolean }): readonly TextPart[] | undefined {
  const kinds = isTyped ? typedWords : words;
  const parts: TextPart[] = [];
  const length = text.length;
  const stack: Bracket[] = [bracket(0, 0)];
  let depth = 0;
  let top = stack[0] as Bracket; // made in the line above
  let last = t.none as number;
  let last2 = t.none as number;
  let last3 = t.none as number;
  /** Tokens before the round brackets that were closed last. */
  let roundBefore = t.none as number;
  let roundBefore2 = t.none as number;
  let isFirstInLine = true;
  let lastIsFirst = false;
  let at = 0;

  const token = (kind: number): void => {
    last3 = last2;
    last2 = last;
    last = kind;
    lastIsFirst = isFirstInLine;
    isFirstInLine = false;
  };

  const add = (start: number, end: number): void => {
    if (end - start >= minCharacters) parts.push({ start, end });
  };

  const open = (opener: number, isQuiet: boolean, isLiteral: boolean): void => {
    depth += 1;
    const made = (stack[depth] ??= bracket(0, 0));
    made.opener = opener;
    made.start = at;
    made.isQuiet = isQuiet;
    made.defines = false;
    made.isLiteral = isLiteral;
    made.before = last;
    made.before2 = last2;
    made.awaitsMembers = false;
    made.parts = parts.length;
    top = made;
  };

  /** False when it closes nothing. */
  const close = (opener: number): boolean => {
    if (depth === 0 || top.opener !== opener) return false;
    const closed = top;
    depth -= 1;
    top = stack[depth] as Bracket; // 0 is always there
    if (closed.defines) top.defines = true;
    else if (closed.isQuiet && at - 1 - closed.start >= minCharacters) {
      parts.length = closed.parts;
      parts.push({ start: closed.start, end: at - 1 });
    }
    return true;
  };

  /** From behind a backtick or the end of `${}` in it to the next of both; false when there is none. */
  const template = (): boolean => {
    for (; at < length; at += 1) {
      const character = text.charCodeAt(at);
      if (character === mark.backslash) at += 1;
      else if (character === mark.backtick) {
        at += 1;
        token(t.value);
        return true;
      } else if (character === mark.dollar && text.charCodeAt(at + 1) === mark.openCurly) {
        at += 2;
        open(mark.dollar, false, false);
        token(mark.openCurly);
        return true;
      }
    }
    return false;
  };

  const pattern = (): boolean => {
    let isInClass = false;
    for (; at < length; at += 1) {
      const character = text.charCodeAt(at);
      if (character === mark.lineFeed) return false;
      if (character === mark.backslash) at += 1;
      else if (character === mark.openSquare) isInClass = true;
      else if (character === mark.closeSquare) isInClass = false;
      else if (character === mark.slash && !isInClass) {
        at += 1;
        token(t.value);
        return true;
      }
    }
    return false;
  };

  const curly = (): void => {
    if (last === mark.closeRound) {
      if (top.awaitsMembers) return members();
      // `name() {` is a method, unless it is `if () {`, `function () {` or `function name() {`.
      const isPlain = roundBefore === t.control || roundBefore === t.function || roundBefore2 === t.function;
      if (top.isLiteral || !isPlain) top.defines = true;
      return open(mark.openCurly, true, false);
    }
    if (last === t.names || (depth === 0 && last === mark.comma)) return open(mark.openCurly, false, false);
    if (
      last === t.arrow ||
      last === t.block ||
      last === mark.semicolon ||
      last === mark.openCurly ||
      last === mark.closeCurly
    )
      return open(mark.openCurly, true, isTyped && last === t.arrow);
    if (last === t.none || last === t.control) return open(mark.openCurly, true, false);
    if (isBeforeLiteral[last] === 1) return open(mark.openCurly, true, true);
    if (top.awaitsMembers) return members();
    // A body behind a type of what is returned, or something else.
    top.defines = true;
    open(mark.openCurly, isTyped && last !== t.holder, false);
  };

  const members = (): void => {
    top.awaitsMembers = false;
    top.defines = true;
    open(mark.openCurly, false, false);
  };

  const round = (): void => {
    if (top.isLiteral && isTyped) {
      // What stands in a value is a call; anything else may be a member with parameters.
      const isCall =
        last === t.name &&
        !lastIsFirst &&
        (last2 === mark.colon ||
          last2 === mark.dot ||
          last2 === mark.equals ||
          (isUse[last2] === 1 && last2 !== mark.comma));
      const isValue = last < 128 && last !== mark.question && isBeforeLiteral[last] === 1;
      if (!isCall && !isValue) top.defines = true;
    }
    const isQuiet =
      last === t.name ||
      last === mark.closeSquare ||
      last === t.function ||
      (last === mark.closeRound && roundBefore !== t.control);
    open(mark.openRound, isQuiet, false);
  };

  const square = (): void => {
    const isLiteral =
      last === t.prefix ||
      (last !== mark.comma && isBeforeLiteral[last] === 1) ||
      (last === mark.comma && depth > 0 && top.opener !== mark.openCurly);
    open(mark.openSquare, isLiteral, false);
  };

  const arrow = (): void => {
    let before = t.none as number;
    if (last === mark.closeRound) before = roundBefore === t.async ? roundBefore2 : roundBefore;
    else if (last === t.name) before = last2 === t.async ? last3 : last2;
    // In TypeScript it may also be the last name of a type of what is returned (`(): A | B => `).
    const isArgument = isTyped
      ? before === mark.openRound || before === mark.comma || before === mark.openSquare || before === t.prefix
      : isUse[before] === 1;
    if (!isArgument) top.defines = true;
    token(t.arrow);
  };

  const word = (start: number): void => {
    const first = text.charCodeAt(start);
    if (first >= 48 && first <= 57) return token(t.value);
    let kind = last === mark.dot ? t.name : (kinds.get(text.slice(start, at)) ?? t.name);
    if (kind === t.function) {
      if (isUse[last === t.async ? last2 : last] !== 1) top.defines = true;
    } else if (kind === t.holder) {
      const isKey = /^\s*[.:=,;)?(]/.test(text.slice(at, at + 20)) && !text.startsWith('class', start);
      if (isKey) kind = t.name;
      else {
        top.defines = true;
        top.awaitsMembers ||= !text.startsWith('type', start);
      }
    } else if (kind === t.modifier) top.defines = true;
    token(kind);
  };

  if (text.startsWith('#!')) at = lineEnd(text, 0);
  while (at < length) {
    if (depth > maxDepth) return undefined;
    const character = text.charCodeAt(at);
    if (character === mark.lineFeed) {
      isFirstInLine = true;
      at += 1;
    } else if (character === mark.space || character === mark.tab || character === mark.carriageReturn) at += 1;
    else if (character >= 128 || isWord[character] === 1) {
      const start = at;
      do at += 1;
      while (at < length && (text.charCodeAt(at) >= 128 || isWord[text.charCodeAt(at)] === 1));
      word(start);
    } else if (character === mark.slash) {
      const next = text.charCodeAt(at + 1);
      if (next === mark.slash) at = lineEnd(text, at);
      else if (next === mark.star) {
        const end = text.indexOf('*/', at + 2);
        if (end === -1) return undefined;
        add(at + 2, end);
        at = end + 2;
      } else {
        at += 1;
        if (last === mark.closeCurly) return undefined;
        const isValue =
          last === t.name ||
          last === t.value ||
          last === mark.closeSquare ||
          (last === mark.closeRound && roundBefore !== t.control) ||
          last === t.async;
        if (isValue) token(mark.slash);
        else if (!pattern()) return undefined;
      }
    } else if (character === mark.doubleQuote || character === mark.singleQuote) {
      at = stringEnd(text, at + 1, character);
      if (at === -1) return undefined;
      token(t.value);
    } else if (character === mark.backtick) {
      at += 1;
      if (!template()) return undefined;
    } else {
      at += 1;
      if (character === mark.openCurly) {
        curly();
        token(mark.openCurly);
      } else if (character === mark.openRound) {
        round();
        token(mark.openRound);
      } else if (character === mark.openSquare) {
        square();
        token(mark.openSquare);
      } else if (character === mark.closeCurly) {
        if (top.opener === mark.dollar && depth > 0) {
          close(mark.dollar);
          if (!template()) return undefined;
        } else if (!close(mark.openCurly)) return undefined;
        else token(mark.closeCurly);
      } else if (character === mark.closeRound) {
        const { before, before2 } = top;
        if (!close(mark.openRound)) return undefined;
        roundBefore = before;
        roundBefore2 = before2;
        token(mark.closeRound);
      } else if (character === mark.closeSquare) {
        if (!close(mark.openSquare)) return undefined;
        token(mark.closeSquare);
      } else if (character === mark.equals && text.charCodeAt(at) === mark.greater) {
        at += 1;
        arrow();
      } else if ((character === mark.plus || character === mark.minus) && text.charCodeAt(at) === character) at += 1;
      else if (character === mark.less && !isTyped && isMarkup(last, text.charCodeAt(at))) return undefined;
      else token(character);
    }
  }
  return depth === 0 ? parts : undefined;
}

function bracket(opener: number, parts: number): Bracket {
  return {
    opener,
    start: 0,
    isQuiet: false,
    defines: false,
    isLiteral: false,
    before: t.none,
    before2: t.none,
    awaitsMembers: false,
    parts,
  };
}
