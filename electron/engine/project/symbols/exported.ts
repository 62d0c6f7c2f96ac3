import type { Node } from 'web-tree-sitter';

export interface Visibility {
  readonly language: string;
  readonly name: string;
  readonly node: Node;
  readonly signature: string;
  readonly isMember: boolean;
  /** Named in a list of exports (`export { a }`). */
  readonly isListed: boolean;
}

/** Whether other files can see a definition, by the rules of its language. */
export function isExported({ language, name, node, signature, isMember, isListed }: Visibility): boolean {
  const modifiers = signature.replace(/\(.*$/s, '');
  switch (language) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
    case 'jsx':
      if (isMember) return !name.startsWith('#') && !/^(?:private|protected)\b/.test(signature);
      return isListed || hasParent(node, 'export_statement', 3) || hasExportsTarget(signature);
    case 'python':
      return !name.startsWith('_') || (name.startsWith('__') && name.endsWith('__'));
    case 'go':
      return /^\p{Lu}/u.test(name);
    case 'rust':
      return /^pub\b/.test(signature) || node.type === 'enum_variant' || node.type === 'macro_definition';
    case 'java':
      return (
        /\bpublic\b/.test(modifiers) ||
        hasParent(node, 'interface_body', 1) ||
        node.type === 'enum_constant' ||
        node.type === 'formal_parameter'
      );
    case 'csharp':
      return (
        /\bpublic\b/.test(modifiers) ||
        node.type === 'enum_member_declaration' ||
        node.type === 'parameter' ||
        node.parent?.parent?.type === 'interface_declaration'
      );
    case 'php':
      return !/\b(?:private|protected)\b/.test(modifiers);
    case 'c':
    case 'cpp':
      return !/^static\b/.test(signature) || isMember;
    default:
      return true;
  }
}

function hasParent(node: Node, type: string, levels: number): boolean {
  let parent = node.parent;
  for (let level = 0; parent && level < levels; level += 1) {
    if (parent.type === type) return true;
    parent = parent.parent;
  }
  return false;
}

/** CommonJS: `exports.name = function () {}`. */
function hasExportsTarget(signature: string): boolean {
  return /^(?:module\.)?exports\b/.test(signature);
}
