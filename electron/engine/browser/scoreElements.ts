import type { PageNode } from './browser.ts';
import { usableRoles } from './namedElement.ts';

export interface Scored {
  readonly node: PageNode;
  /** 0 to 1. */
  readonly score: number;
}

/** What a word is worth by where it is found, as in the original. */
const worth = { name: 3, role: 2, value: 1 };
const full = worth.name + worth.role + worth.value;

/** The best elements for a query in words; of equals what can be used comes first, then the shorter name. */
export function scoreElements(tree: readonly PageNode[], query: string, limit = 10): readonly Scored[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  if (words.length === 0) return [];
  const found: Scored[] = [];
  const visit = (node: PageNode): void => {
    const [name, role, value] = [node.name, node.role, node.value ?? ''].map((part) => part.toLowerCase());
    const points = words.reduce(
      (sum, word) =>
        sum +
        (name?.includes(word) ? worth.name : 0) +
        (role?.includes(word) ? worth.role : 0) +
        (value?.includes(word) ? worth.value : 0),
      0,
    );
    if (points > 0 && node.role !== 'document') found.push({ node, score: points / (full * words.length) });
    for (const child of node.children) visit(child);
  };
  for (const node of tree) visit(node);
  const isUsable = ({ node }: Scored) => (usableRoles.has(node.role) ? 0 : 1);
  return found
    .toSorted((a, b) => b.score - a.score || isUsable(a) - isUsable(b) || a.node.name.length - b.node.name.length)
    .slice(0, limit)
    .map(({ node, score }) => ({ node, score: Math.round(score * 1_000) / 1_000 }));
}
