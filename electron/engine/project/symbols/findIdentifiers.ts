import type { Node, Tree } from 'web-tree-sitter';
import type { SourceReference, SourceSymbol } from './symbol.ts';

/** Leaves that are text, not code. */
const textual =
  /comment|string|char_literal|character|regex|heredoc|nowdoc|escape|jsx_text|^text$|^content$|shebang|system_lib|raw_/;

const maxLineCharacters = 300;

/** Every place where the name stands as a whole identifier outside comments and strings, in order. */
export function findIdentifiers(
  tree: Tree,
  text: string,
  name: string,
  definitions: readonly Pick<SourceSymbol, 'name' | 'line' | 'column'>[],
): readonly SourceReference[] {
  const placeOf = (line: number, column: number) => `${line}:${column}`;
  const defined = new Set(
    definitions.filter((one) => one.name === name).map(({ line, column }) => placeOf(line, column)),
  );
  const found: SourceReference[] = [];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const node = tree.rootNode.descendantForIndex(at, at + name.length);
    if (!node || isTextual(node)) continue;
    if (!isWhole(node, at, name.length) && !isInMacro(node, text, at, name.length)) continue;
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    const lineEnd = text.indexOf('\n', at);
    const content = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, '');
    const line = lineAt(node, text, at);
    const column = at - lineStart + 1;
    found.push({
      line,
      column,
      text: content.length > maxLineCharacters ? clipAround(content, at - lineStart) : content,
      isDefinition: defined.has(placeOf(line, column)),
    });
  }
  return found;
}

function isWhole(node: Node, at: number, length: number): boolean {
  return node.startIndex === at && node.endIndex === at + length && node.childCount === 0;
}

/** The body of a C macro is one leaf; in it a word is a word. */
function isInMacro(node: Node, text: string, at: number, length: number): boolean {
  return node.type === 'preproc_arg' && !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + length] ?? '');
}

/** A macro may go on over several lines. */
function lineAt(node: Node, text: string, at: number): number {
  return node.startPosition.row + 1 + text.slice(node.startIndex, at).split('\n').length - 1;
}

/** The leaf itself, or what directly holds it: the text inside quotes is a leaf of its own in some grammars. */
function isTextual(node: Node): boolean {
  if (textual.test(node.type)) return true;
  const parent = node.parent?.type ?? '';
  return /comment|string_literal|char_literal|regex/.test(parent);
}

function clipAround(line: string, at: number): string {
  const from = Math.max(0, Math.min(at - 100, line.length - maxLineCharacters));
  return line.slice(from, from + maxLineCharacters);
}
