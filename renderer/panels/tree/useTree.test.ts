import { expect, test } from 'vitest';
import { type Tree, withAnswer } from './useTree.ts';

const empty: Tree = { project: '/b', folders: {}, marks: {} };
const folder = { entries: [{ path: 'a.ts', name: 'a.ts', kind: 'file' as const, ignored: false }], truncated: false };
const marks = { 'a.ts': 'modified' } as const;

test('what was asked of the former project is not shown in the next one', () => {
  expect(withAnswer(empty, '/a', { path: '', folder })).toBe(empty);
  expect(withAnswer(empty, '/a', { marks })).toBe(empty);
});

test('folders and marks of the project on show come one after the other; what says nothing new draws nothing', () => {
  const listed = withAnswer(empty, '/b', { path: '', folder });
  const marked = withAnswer(listed, '/b', { marks });
  expect(marked).toEqual({ project: '/b', folders: { '': folder }, marks });
  expect(withAnswer(marked, '/b', { path: '', folder: { ...folder } })).toBe(marked);
  expect(withAnswer(marked, '/b', { marks: { ...marks } })).toBe(marked);
});
