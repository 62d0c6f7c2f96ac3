/** Names longer than this are no names. */
export const maxNameCharacters = 200;

/**
 * For ripgrep: lines that may define a name. Behind a dot it is mostly a call, which most of the text is; what may follow
 * a dot is a target of an assignment, and in Ruby a method of an object. The name stands in each branch at the same
 * place: with `def` as a branch of its own ripgrep looks for that word first, and takes eight times as long.
 */
export function definitionPattern(name: string): string {
  return definitionOf(escapeName(name, 'x'));
}

/** For ripgrep: lines in which the name stands by itself. */
export function wholeName(name: string): string {
  return String.raw`(?:^|[^\w$])${escapeName(name, 'x')}(?:[^\w$]|$)`;
}

/** Whether a text may define the name: what ripgrep is asked by `definitionPattern`. */
export function mayDefine(text: string, name: string): boolean {
  return text.includes(name) && new RegExp(definitionOf(escapeName(name, 'u')), 'mu').test(text);
}

function definitionOf(escaped: string): string {
  return String.raw`(?:^|[^.\w$]|\bdef\s+\w+\.)${escaped}(?:[^\w$]|$)|\.${escaped}\s*=`;
}

function escapeName(name: string, letter: 'x' | 'u'): string {
  return name.replace(
    /[^\p{L}\p{N}_]/gu,
    (character) => `\\${letter}{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
