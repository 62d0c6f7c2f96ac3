import { expect, test } from 'vitest';
import { type AxNode, pageTree } from './pageTree.ts';
import { scoreElements } from './scoreElements.ts';

const node = (id: number, role: string, name: string, more: Partial<AxNode> = {}): AxNode => ({
  nodeId: String(id),
  ignored: false,
  role: { value: role },
  name: { value: name },
  backendDOMNodeId: id,
  parentId: '1',
  ...more,
});
const root = (childIds: readonly string[]): AxNode => {
  const { parentId: _, ...rest } = node(1, 'RootWebArea', 'Page', { childIds });
  return rest;
};
const plain = { children: [] };

test('ignored and bare nodes give way to their children, repeated texts go, frames come in', () => {
  const nodes = [
    root(['2', '5', '7']),
    node(2, 'generic', '', { childIds: ['3'] }),
    node(3, 'none', '', { ignored: true, childIds: ['4'] }),
    node(4, 'button', ' Send \n it ', { childIds: ['6'], properties: [{ name: 'focused', value: { value: true } }] }),
    node(5, 'heading', 'Title', { properties: [{ name: 'level', value: { value: 2 } }] }),
    node(6, 'StaticText', 'Send it'),
    node(7, 'Iframe', ''),
  ];
  const frames = new Map([
    [7, [{ ...root(['9']), nodeId: '8', backendDOMNodeId: 8 }, node(9, 'StaticText', 'inside', { parentId: '8' })]],
  ]);
  expect(pageTree(nodes, frames)).toEqual({
    truncated: false,
    tree: [
      {
        ref: 'e1',
        role: 'document',
        name: 'Page',
        children: [
          { ref: 'e4', role: 'button', name: 'Send it', states: ['focused'], ...plain },
          { ref: 'e5', role: 'heading', name: 'Title', states: ['level=2'], ...plain },
          {
            ref: 'e7',
            role: 'Iframe',
            name: '',
            children: [
              {
                ref: 'e8',
                role: 'document',
                name: 'Page',
                children: [{ ref: 'e9', role: 'text', name: 'inside', ...plain }],
              },
            ],
          },
        ],
      },
    ],
  });
});

test('J5: beyond 5000 nodes the tree ends and says so', () => {
  const ids = Array.from({ length: 6_000 }, (_, at) => at + 2);
  const nodes = [root(ids.map(String)), ...ids.map((id) => node(id, 'button', `b${id}`))];
  const { tree, truncated } = pageTree(nodes);
  expect(truncated).toBe(true);
  expect(tree[0]?.children).toHaveLength(4_999);
});

test('elements are ranked by name, role and value, what can be used first', () => {
  const tree = [
    { ref: 'e1', role: 'heading', name: 'Search the docs', ...plain },
    { ref: 'e2', role: 'button', name: 'Search', ...plain },
    { ref: 'e3', role: 'searchbox', name: 'Query', value: 'search me', ...plain },
    { ref: 'e4', role: 'link', name: 'Home', ...plain },
  ];
  expect(scoreElements(tree, 'search').map(({ node: { ref }, score }) => `${ref} ${score}`)).toEqual([
    'e3 0.5',
    'e2 0.5',
    'e1 0.5',
  ]);
  expect(scoreElements(tree, 'search button')[0]).toMatchObject({ node: { ref: 'e2' }, score: 0.417 });
  expect(scoreElements(tree, 'nothing')).toEqual([]);
  expect(scoreElements(tree, '…')).toEqual([]);
});
