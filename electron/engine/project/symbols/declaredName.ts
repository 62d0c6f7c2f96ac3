import type { Node } from 'web-tree-sitter';

export interface DeclaredName {
  readonly node: Node;
  /** Of `Foo::bar`: Foo. */
  readonly container?: string;
  readonly isFunction: boolean;
}

/** The name inside a declarator of C or C++, however many pointers, brackets and scopes stand around it. */
export function declaredName(declarator: Node): DeclaredName | undefined {
  let node: Node | null = declarator;
  let isFunction = false;
  const scopes: string[] = [];
  for (let depth = 0; node && depth < 50; depth += 1) {
    if (node.type === 'function_declarator') {
      // `(*name)(int)` is a variable that points at a function.
      const inner: Node | null = node.childForFieldName('declarator');
      isFunction = inner?.type !== 'parenthesized_declarator';
    }
    if (node.type === 'qualified_identifier') {
      const scope = node.childForFieldName('scope')?.text.replace(/\s*<.*$/s, '');
      if (scope) scopes.push(scope);
      node = node.childForFieldName('name');
      continue;
    }
    if (node.type === 'template_function' || node.type === 'template_method' || node.type === 'template_type') {
      node = node.childForFieldName('name');
      continue;
    }
    if (node.type === 'operator_cast')
      return { node, isFunction: true, ...(scopes.length > 0 ? { container: scopes.join('.') } : {}) };
    const next: Node | null =
      node.childForFieldName('declarator') ??
      (/^(?:reference_declarator|parenthesized_declarator|attributed_declarator)$/.test(node.type)
        ? node.namedChild(0)
        : null);
    if (!next) break;
    node = next;
  }
  if (!node || !/identifier|operator|destructor|^type_identifier$/.test(node.type)) return undefined;
  return { node, isFunction, ...(scopes.length > 0 ? { container: scopes.join('.') } : {}) };
}
