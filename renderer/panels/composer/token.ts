/** What the caret stands in, when that can be completed. */
export interface Token {
  readonly kind: 'mention' | 'slash';
  /** What was typed after the sign. */
  readonly query: string;
  /** Where the token (with its sign) begins. */
  readonly from: number;
}

/** An `@` after a blank begins a mention; a `/` counts only at the very start, or paths could not be typed. */
export function tokenAt(text: string, caret: number): Token | null {
  const before = text.slice(0, caret);
  const slash = /^\/([\w-]*)$/.exec(before);
  if (slash) return { kind: 'slash', query: slash[1] ?? '', from: 0 };
  const found = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!found) return null;
  const query = found[1] ?? '';
  return { kind: 'mention', query, from: caret - query.length - 1 };
}

/** Puts a mention in place of the token, with one blank behind it. */
export function withMention(
  text: string,
  token: Token,
  caret: number,
  path: string,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(caret);
  const inserted = `@${path}${/^\s/.test(after) ? '' : ' '}`;
  return { text: text.slice(0, token.from) + inserted + after, caret: token.from + inserted.length };
}

/** Which of the paths that were offered are still mentioned in the text, each once. */
export function mentionedIn(text: string, paths: Iterable<string>): readonly string[] {
  const words = new Set(text.split(/\s+/).map((word) => word.replace(/[,;:!?)]+$/, '')));
  return [...new Set(paths)].filter((path) => words.has(`@${path}`) || words.has(`@${path}.`));
}
