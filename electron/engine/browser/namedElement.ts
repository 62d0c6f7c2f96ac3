import type { PageNode } from './browser.ts';

export type Named =
  | { readonly kind: 'one'; readonly node: PageNode }
  | { readonly kind: 'several'; readonly nodes: readonly PageNode[] }
  | { readonly kind: 'none' };

const fields: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

/** Roles of what can be pressed, chosen or filled in. */
export const usableRoles: ReadonlySet<string> = new Set([
  ...fields,
  'button',
  'link',
  'checkbox',
  'radio',
  'option',
  'tab',
  'menuitem',
  'switch',
  'slider',
]);

/** How many elements an error names. */
const maxNamed = 20;

/**
 * What a person means by `Login` or `button Login`: the element that can be used and has this name, else any text of these
 * words. `toFill` leaves out what nothing can be typed into. With `within` a name need only contain the words.
 */
export function namedElement(
  tree: readonly PageNode[],
  words: string,
  { toFill = false, within = false }: { readonly toFill?: boolean; readonly within?: boolean } = {},
): Named {
  const wanted = plain(words);
  if (wanted === '') return { kind: 'none' };
  const all = flat(tree);
  const isMeant = ({ role, name }: PageNode): boolean => {
    const called = plain(name);
    if (called === '') return false;
    if (within) return called.includes(wanted);
    return called === wanted || `${role} ${called}` === wanted || `${called} ${role}` === wanted;
  };
  const usable = all.filter((node) => (toFill ? fields : usableRoles).has(node.role) && isMeant(node));
  const found = usable.length > 0 || toFill ? usable : all.filter((node) => node.role !== 'document' && isMeant(node));
  const [first, ...more] = found;
  if (first === undefined) return { kind: 'none' };
  // A text within an element of the same words is that element.
  const others = more.filter((node) => !flat([first]).includes(node));
  return others.length === 0 ? { kind: 'one', node: first } : { kind: 'several', nodes: [first, ...others] };
}

/** The elements in words, each with the selector that finds it: `button "Login" (ref=e12)`. */
export function listElements(nodes: readonly PageNode[]): string {
  const listed = nodes.slice(0, maxNamed).map(({ ref, role, name }) => `${role} "${name.slice(0, 60)}" (ref=${ref})`);
  const more = nodes.length - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** What the page has to press, choose or fill in. */
export function listUsable(tree: readonly PageNode[]): string {
  const usable = flat(tree).filter(({ role, name }) => usableRoles.has(role) && name !== '');
  return usable.length === 0 ? 'The page has nothing to press or fill in.' : `The page has: ${listElements(usable)}.`;
}

function flat(tree: readonly PageNode[]): readonly PageNode[] {
  return tree.flatMap((node) => [node, ...flat(node.children)]);
}

/** Case, blanks and quotes do not count. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/["'“”‘’]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
