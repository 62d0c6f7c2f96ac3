import { expect, test } from 'vitest';
import { fileLinksIn } from './fileLinks.ts';

const found = (text: string): readonly unknown[] =>
  fileLinksIn(text).map(({ from, to, path, line, column }) => [text.slice(from, to), path, line, column]);

test.each([
  ['src/a.ts:12:3 - error TS2304', [['src/a.ts:12:3', 'src/a.ts', 12, 3]]],
  ['grep: ./a b/c.go:7: x', [['b/c.go:7', 'b/c.go', 7, undefined]]],
  ['  --> crates/core/src/main.rs:3:5', [['crates/core/src/main.rs:3:5', 'crates/core/src/main.rs', 3, 5]]],
  ['src/a.ts(12,3): error', [['src/a.ts(12,3', 'src/a.ts', 12, 3]]],
  ['main.c(9) : warning', [['main.c(9', 'main.c', 9, undefined]]],
  ['  File "/p/x y.py", line 3, in <module>', [['/p/x y.py", line 3', '/p/x y.py', 3, undefined]]],
  ['    at fold (/p/my dir/a.js:1:22)', [['/p/my dir/a.js:1:22', '/p/my dir/a.js', 1, 22]]],
  ['    at file:///p/a.mjs:10:5', [['file:///p/a.mjs:10:5', '/p/a.mjs', 10, 5]]],
  ['    at run (file:///C:/p/a.mjs:10:5)', [['file:///C:/p/a.mjs:10:5', 'C:/p/a.mjs', 10, 5]]],
  ['    at C:\\p\\a.js:10:5', [['C:\\p\\a.js:10:5', 'C:\\p\\a.js', 10, 5]]],
  [
    '❯ a.test.ts:4:2 and b.test.ts:5:6',
    [
      ['a.test.ts:4:2', 'a.test.ts', 4, 2],
      ['b.test.ts:5:6', 'b.test.ts', 5, 6],
    ],
  ],
  ['Makefile:12: recipe failed', [['Makefile:12', 'Makefile', 12, undefined]]],
] as const)('finds the places in %j', (text, links) => {
  expect(found(text)).toEqual(links);
});

test.each([
  '12:30:11 done',
  'http://127.0.0.1:5173/',
  'https://example.com:8080/a',
  'ratio 3:4',
  'no line: here.ts',
  '',
])('takes %j for no place', (text) => {
  expect(found(text)).toEqual([]);
});

test('a line that is nothing but places is bounded, and read in a moment however long it is', () => {
  expect(fileLinksIn('a.ts:1 '.repeat(20_000))).toHaveLength(20);
  expect(fileLinksIn('('.repeat(50_000))).toEqual([]);
  expect(fileLinksIn('a'.repeat(50_000))).toEqual([]);
});
