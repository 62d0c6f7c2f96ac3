/** Quotes in substitutions in quotes: nobody writes more, and a text made of them must not exhaust the stack. */
const maxDepth = 100;

/**
 * Index of the character that closes the substitution whose text begins at `start`: the bracket of `$(`, or the next backtick
 * when `close` is one. Quotes, escapes, comments and substitutions inside are respected; -1 when nothing closes it.
 */
export function endOfSubstitution(text: string, start: number, close: ')' | '`' = ')', depth = 0): number {
  if (depth > maxDepth) return -1;
  let open = 1;
  for (let i = start; i < text.length; i += 1) {
    const c = text[i];
    if (c === '\\') i += 1;
    else if (c === close) {
      open -= 1;
      if (open === 0) return i;
    } else if (close === '`') continue;
    else if (c === "'") i = orEnd(text, text.indexOf("'", i + 1));
    else if (c === '"') i = endOfDoubleQuotes(text, i + 1, depth);
    else if (c === '`') i = orEnd(text, endOfSubstitution(text, i + 1, '`', depth + 1));
    else if (c === '#' && /[\s;&|(]/.test(text[i - 1] ?? '')) i = orEnd(text, text.indexOf('\n', i)) - 1;
    else if (c === '(') open += 1;
  }
  return -1;
}

function endOfDoubleQuotes(text: string, start: number, depth: number): number {
  for (let i = start; i < text.length; i += 1) {
    const c = text[i];
    if (c === '"') return i;
    if (c === '\\') i += 1;
    else if (c === '`') i = orEnd(text, endOfSubstitution(text, i + 1, '`', depth + 1));
    else if (c === '$' && text[i + 1] === '(') i = orEnd(text, endOfSubstitution(text, i + 2, ')', depth + 1));
  }
  return text.length;
}

function orEnd(text: string, at: number): number {
  return at < 0 ? text.length : at;
}
