import type { Node, QueryMatch, Tree } from 'web-tree-sitter';
import { declaredName } from './declaredName.ts';
import { isExported } from './exported.ts';
import type { Grammar } from './grammars.ts';
import { type SourceSymbol, type SymbolKind, symbolKinds } from './symbol.ts';

/** A symbol and where its name stands, in UTF-16 units from the beginning of the text. */
export interface PlacedSymbol extends SourceSymbol {
  readonly nameStart: number;
}

interface Definition {
  readonly kind: SymbolKind | 'scope';
  readonly name: string;
  readonly nameNode: Node;
  readonly node: Node;
  readonly container: string | undefined;
}

const kinds: ReadonlySet<string> = new Set([...symbolKinds, 'scope']);

/**
 * What a file defines, in the order of its names; undefined when finding out took longer than the limit. Container, signature
 * and visibility come from the text itself.
 */
export function extractSymbols(
  tree: Tree,
  text: string,
  language: string,
  grammar: Grammar,
  limitMs = 10_000,
): readonly PlacedSymbol[] | undefined {
  const matches = grammar.matches(tree, limitMs);
  if (!matches) return undefined;
  const definitions = new Map<number, Definition>();
  const exportedNames = new Set<string>();
  const patterns = new Map<number, number>();
  for (const match of matches) {
    for (const { name, node } of match.captures) if (name === 'exported') exportedNames.add(node.text);
    const definition = definitionOf(match);
    if (!definition) continue;
    const at = definition.nameNode.startIndex;
    const before = patterns.get(at);
    if (before !== undefined && before <= match.patternIndex) continue;
    patterns.set(at, match.patternIndex);
    definitions.set(at, definition);
  }
  return place([...definitions.values()], text, language, exportedNames);
}

function definitionOf({ captures }: QueryMatch): Definition | undefined {
  const kind = captures.find(({ name }) => kinds.has(name));
  if (!kind) return undefined;
  const declarator = captures.find(({ name }) => name === 'declarator');
  const given = captures.find(({ name }) => name === 'name')?.node;
  const declared = declarator ? declaredName(declarator.node) : undefined;
  const nameNode = declared?.node ?? given;
  if (!nameNode) return undefined;
  // A pattern that begins further out finds only the first of several names, so the place is asked for here.
  if (kind.node.type === 'const_spec' && kind.node.parent?.parent?.type !== 'source_file') return undefined;
  const container = captures.find(({ name }) => name === 'container')?.node;
  if (isImport(kind.node)) return undefined;
  // A prototype declares what another file defines.
  const isPrototype = declared?.isFunction && kind.name === 'variable' && kind.node.type === 'declaration';
  const around = kind.node.parent?.type === 'template_declaration' ? kind.node.parent.parent : kind.node.parent;
  if (isPrototype && around?.type !== 'field_declaration_list') return undefined;
  return {
    kind: (declared?.isFunction && kind.name === 'variable' ? 'method' : kind.name) as Definition['kind'], // the set above holds these names
    name: plainName(nameNode),
    nameNode,
    node: kind.node,
    container: declared?.container ?? (container ? containerName(container) : scopeOf(nameNode)),
  };
}

/** `const fs = require('fs')`, `= require('fs').promises`, `= await import('./a.js')`: the name is defined elsewhere. */
function isImport(node: Node): boolean {
  if (node.type !== 'variable_declarator') return false;
  let value = node.childForFieldName('value');
  for (let depth = 0; value && depth < 10; depth += 1) {
    if (value.type === 'await_expression') value = value.namedChild(0);
    else if (value.type === 'member_expression') value = value.childForFieldName('object');
    else break;
  }
  const called = value?.type === 'call_expression' ? value.childForFieldName('function') : undefined;
  return called?.type === 'import' || called?.text === 'require';
}

/** Quotes of string keys, the colon of Ruby's symbols, and type arguments are no part of a name. */
function plainName(node: Node): string {
  const { text } = node;
  if (node.type === 'operator_cast') return text.replace(/\s*\(.*$/s, '');
  if (/^(?:conversion_)?operator_declaration$/.test(node.parent?.type ?? '')) return `operator ${text}`;
  if (node.type === 'reference_type' || node.type === 'dynamic_type')
    return text.replace(/^&?\s*(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?/, '').replace(/\s*<.*$/s, '');
  if (node.type === 'scope_resolution') return node.childForFieldName('name')?.text ?? text;
  if (node.type === 'simple_symbol') return text.slice(1);
  if (/^string|^string_literal/.test(node.type)) return text.slice(1, -1);
  return node.type === 'generic_type' || node.type === 'template_type' ? text.replace(/\s*<.*$/s, '') : text;
}

/** `Foo.prototype` means Foo, `*Foo[T]` means Foo; `exports`, `module` and `this` name nothing. */
function containerName(node: Node): string | undefined {
  const name = node.text
    .replace(/\.prototype$/, '')
    .replace(/^[*&\s]+/, '')
    .replace(/\s*[[<].*$/s, '');
  return /^(?:module\.)?exports$|^module$|^this$|^self$/.test(name) || name.length > 100 ? undefined : name;
}

/** Of Ruby's `class A::B`: A. */
function scopeOf(node: Node): string | undefined {
  if (node.type !== 'scope_resolution') return undefined;
  return node.childForFieldName('scope')?.text.replaceAll('::', '.');
}

const holders: ReadonlySet<Definition['kind']> = new Set(['class', 'interface', 'enum', 'struct', 'trait', 'scope']);

function place(
  definitions: readonly Definition[],
  text: string,
  language: string,
  exportedNames: ReadonlySet<string>,
): readonly PlacedSymbol[] {
  const ordered = definitions.toSorted(
    (a, b) => a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex,
  );
  const open: Definition[] = [];
  const symbols: PlacedSymbol[] = [];
  const seenVariables = new Set<string>();
  for (const definition of ordered) {
    const { node, nameNode, name } = definition;
    // Names of one declaration (`int x, y`) stand beside each other, not in each other.
    while (open.length > 0 && !holds(open.at(-1), node)) open.pop();
    const parent = open.at(-1);
    const names = [
      ...open.filter((one, at) => isContainer(one, open[at + 1] ?? definition)).map((one) => one.name),
      ...(definition.container ? [definition.container] : []),
    ];
    open.push(definition);
    if (definition.kind === 'scope' || name === '' || name === '_') continue;
    const isMember =
      (parent !== undefined && (holders.has(parent.kind) || (language === 'ruby' && parent.kind === 'constant'))) ||
      definition.container !== undefined ||
      node.type === 'required_parameter';
    const isTypeMember = isMember && !isModule(parent);
    const kind = settleKind(definition, isTypeMember, language);
    const container = names.join('.').replaceAll('::', '.');
    if (kind === 'variable' || kind === 'constant') {
      // Assigned again is not defined again; what stands inside a function is its own affair.
      if (seenVariables.has(`${container}.${name}`)) continue;
      seenVariables.add(`${container}.${name}`);
    }
    const signature = signatureOf(node, text);
    symbols.push({
      name,
      kind,
      line: nameNode.startPosition.row + 1,
      column: nameNode.startPosition.column + 1,
      endLine: node.endPosition.row + 1,
      ...(container === '' ? {} : { container }),
      signature,
      exported: isExported({
        language,
        name,
        node,
        signature,
        isMember: isTypeMember,
        isListed: exportedNames.has(name),
      }),
      nameStart: nameNode.startIndex,
    });
  }
  return symbols.sort((a, b) => a.nameStart - b.nameStart);
}

/** Neither `struct A {} b`, nor a constructor whose parameters are fields, nor `a = b = 1` holds what stands in it. */
function isContainer(outer: Definition, inner: Definition): boolean {
  if (/^(?:required|property_promotion)_parameter$/.test(inner.node.type)) return outer.kind !== 'method';
  if (outer.node.type === 'assignment' && inner.node.type === 'assignment') return false;
  return !/^(?:type_definition|declaration|field_declaration)$/.test(outer.node.type) || !holders.has(inner.kind);
}

/** Namespaces and modules hold functions, not methods. */
function isModule(parent: Definition | undefined): boolean {
  return parent?.kind === 'scope' && parent.node.type !== 'impl_item';
}

/** What makes a variable a constant; in other languages it is the custom of names. */
const fixed: Readonly<Record<string, RegExp>> = {
  java: /\b(?:static\s+(?:\w+\s+)*final|final\s+(?:\w+\s+)*static)\b/,
  csharp: /\bconst\b|\bstatic\s+readonly\b/,
  c: /^[^*=]*\bconst\b[^*=]*(?:=|$)/,
  cpp: /^[^*=]*\bconst(?:expr)?\b[^*=]*(?:[={]|$)/,
  go: /^\b$/,
};

function settleKind({ kind, name, node }: Definition, isMember: boolean, language: string): SymbolKind {
  if (kind === 'function') return isMember ? 'method' : 'function';
  if (kind === 'variable') {
    const head = node.text.slice(0, maxSignature);
    const isFixed = fixed[language]?.test(head) ?? /^[A-Z][A-Z0-9_]*$/.test(name);
    return isFixed ? 'constant' : 'variable';
  }
  return kind as SymbolKind; // scopes were left out before
}

function holds(outer: Definition | undefined, node: Node): boolean {
  if (!outer) return false;
  return outer.node.endIndex >= node.endIndex && outer.node.id !== node.id;
}

const maxSignature = 200;

/** The definition up to its body, in one line. */
function signatureOf(node: Node, text: string): string {
  const wrapper =
    node.parent && /^(?:export_statement|decorated_definition|template_declaration)$/.test(node.parent.type);
  const start =
    wrapper && node.parent ? Math.max(node.parent.startIndex, node.startIndex - maxSignature) : node.startIndex;
  const body = node.childForFieldName('body')?.startIndex ?? node.endIndex;
  const head = text.slice(start, Math.min(body, start + 4 * maxSignature));
  const line = head
    .replace(/\s+/g, ' ')
    .replace(/[\s{:=]+$/, '')
    .trim();
  return line.length > maxSignature ? `${line.slice(0, maxSignature - 1)}…` : line;
}
