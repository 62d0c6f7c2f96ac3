import type { PageNode } from './browser.ts';

/** What the DevTools protocol tells of one node (Accessibility.AXNode), as far as it is used. */
export interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly value?: { readonly value?: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly parentId?: string;
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
}

export interface TreeLimits {
  readonly maxNodes: number;
  /** Of names and values together. */
  readonly maxCharacters: number;
}

export const treeLimits: TreeLimits = { maxNodes: 5_000, maxCharacters: 150_000 };
const maxName = 2_000;

const flags = [
  'focused',
  'disabled',
  'required',
  'readonly',
  'selected',
  'checked',
  'pressed',
  'expanded',
  'invalid',
  'modal',
];

/**
 * The accessibility tree without what is hidden or says nothing. `frames` gives the nodes of an embedded frame by the
 * node that holds it.
 */
export function pageTree(
  nodes: readonly AxNode[],
  frames: ReadonlyMap<number, readonly AxNode[]> = new Map(),
  { maxNodes, maxCharacters }: TreeLimits = treeLimits,
): { readonly tree: readonly PageNode[]; readonly truncated: boolean } {
  let left = maxNodes;
  let characters = maxCharacters;
  let truncated = false;

  const build = (all: readonly AxNode[]): readonly PageNode[] => {
    const byId = new Map(all.map((node) => [node.nodeId, node]));
    const visit = (node: AxNode, depth: number): readonly PageNode[] => {
      const role = text(node.role);
      if (role === 'InlineTextBox' || depth > 500) return [];
      const below = (): readonly PageNode[] =>
        (node.childIds ?? []).flatMap((id) => {
          const child = byId.get(id);
          return child ? visit(child, depth + 1) : [];
        });
      const name = text(node.name).replaceAll(/\s+/g, ' ').trim().slice(0, maxName);
      const isBare = (role === 'generic' || role === 'none' || role === '') && name === '';
      if (node.ignored || isBare) return below();
      if (role === 'StaticText' && name === '') return [];
      const value = masked(text(node.value).slice(0, maxName));
      if (left <= 0 || characters <= 0) {
        truncated = true;
        return [];
      }
      left -= 1;
      characters -= name.length + value.length;
      const inside = frames.get(node.backendDOMNodeId ?? -1);
      // What is typed into a field is its value, not its content; of a password not even the dots are told.
      const children = isField(role) ? [] : inside ? build(inside) : below();
      const states = statesOf(node);
      return [
        {
          ref: `e${node.backendDOMNodeId ?? 0}`,
          role: role === 'StaticText' ? 'text' : role === 'RootWebArea' ? 'document' : role,
          name,
          ...(value === '' ? {} : { value }),
          ...(states.length === 0 ? {} : { states }),
          // A text that only repeats the name of what holds it says nothing.
          children: children.length === 1 && children[0]?.role === 'text' && children[0].name === name ? [] : children,
        },
      ];
    };
    return all.filter(({ parentId }) => parentId === undefined).flatMap((root) => visit(root, 0));
  };

  return { tree: build(nodes), truncated };
}

function isField(role: string): boolean {
  return role === 'textbox' || role === 'searchbox' || role === 'spinbutton';
}

/** Browsers give the value of a password field as dots, one a character; even their number is nobody's business. */
function masked(value: string): string {
  return /^[•●*]+$/u.test(value) ? '••••' : value;
}

function text(field: { readonly value?: unknown } | undefined): string {
  const value = field?.value;
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function statesOf({ properties = [] }: AxNode): readonly string[] {
  return properties.flatMap(({ name, value: { value } }) => {
    if (name === 'level') return [`level=${text({ value })}`];
    if (!flags.includes(name) || value === false || value === 'false' || value === undefined) return [];
    return [value === true || value === 'true' ? name : `${name}=${text({ value })}`];
  });
}
