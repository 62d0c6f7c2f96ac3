import { expect, test } from 'vitest';
import { modulesTogether } from './modulesTogether.ts';

test('finds what is imported at once, however far away, and nothing behind import()', () => {
  const imports: Readonly<Record<string, readonly string[]>> = {
    start: ['a', 'b'],
    a: ['c', 'node:fs'],
    b: ['c'],
    c: ['a'],
    lazy: ['d'],
  };
  const together = modulesTogether(['start']);
  expect(together.has('start')).toBe(false);
  together.buildEnd.call({
    getModuleInfo: (id) => (imports[id] ? { importedIds: imports[id] } : null),
  });
  expect(['start', 'a', 'b', 'c', 'node:fs', 'lazy', 'd'].filter(together.has)).toEqual(['start', 'a', 'b', 'c']);
});
