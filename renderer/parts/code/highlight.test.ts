import { expect, test } from 'vitest';
import { highlight, languageOfPath, tokenLines } from './highlight.ts';
import { linePieces } from './linePieces.ts';

test('a text is coloured line by line, also where a colour goes over several of them', async () => {
  const text = 'const a = "<&>";\n/* one\ntwo */\n';
  const lines = (await highlight(text, 'typescript')) ?? [];
  expect(lines.map((line) => line.map((token) => token.text).join('')).join('\n')).toBe(text);
  expect([lines[0]?.[0]?.kind, lines[1]?.[0]?.kind, lines[2]?.[0]?.kind]).toEqual(['keyword', 'comment', 'comment']);
});

test('what is unknown or too large has no colours', async () => {
  expect([await highlight('x', 'nolang'), await highlight('x'.repeat(500_000), 'json')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('the highlighter’s markup is read with its entities', () => {
  expect(tokenLines('a &lt;<span class="hljs-string">&quot;b&quot;</span>')).toEqual([
    [
      { text: 'a <', kind: '' },
      { text: '"b"', kind: 'string' },
    ],
  ]);
});

test.each([
  ['src/a.tsx', 'typescript'],
  ['Dockerfile', 'dockerfile'],
  ['a.py', 'py'],
  ['x/LICENSE', 'license'],
])('the language of %s', (path, language) => expect(languageOfPath(path)).toBe(language));

test('a line is cut at its colours and its marks, and colours of another text are left out', () => {
  const tokens = [
    { text: 'let ', kind: 'keyword' },
    { text: 'ab', kind: '' },
  ];
  expect(linePieces('let ab', tokens, [{ from: 2, to: 5 }])).toEqual([
    { text: 'le', kind: 'keyword', isMarked: false },
    { text: 't ', kind: 'keyword', isMarked: true },
    { text: 'a', kind: '', isMarked: true },
    { text: 'b', kind: '', isMarked: false },
  ]);
  expect(linePieces('other', tokens, [])).toEqual([{ text: 'other', kind: '', isMarked: false }]);
});
