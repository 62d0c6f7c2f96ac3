import { expect, test } from 'vitest';
import { codeAlone, pathOfCode, placeCode } from './placeCode.ts';

const file = `import { a } from './a.ts';

export function one() {
  return 1;
}

export class Two {
  add(b) {
    return b;
  }
}
`;

test('a function takes the place of the one that begins alike', () => {
  expect(placeCode(file, 'export function one() {\n  const n = 1;\n  return n;\n}\n')).toBe(
    file.replace('  return 1;', '  const n = 1;\n  return n;'),
  );
});

test('a block takes the depth of the place, and ends of lines stay as they are', () => {
  const crlf = file.replaceAll('\n', '\r\n');
  expect(placeCode(crlf, 'add(b) {\n  return b + 1;\n}')).toBe(crlf.replace('return b;', 'return b + 1;'));
});

test('a block without closing signs ends with its depth', () => {
  const python = 'def one():\n    return 1\n\n\ndef two():\n    return 2\n';
  expect(placeCode(python, 'def one():\n    n = 1\n    return n\n')).toBe(
    'def one():\n    n = 1\n    return n\n\n\ndef two():\n    return 2\n',
  );
});

test('a block of most of the file is the file, and an empty file becomes the block', () => {
  const next = file.replace('return 1', 'return 11');
  expect(placeCode(file, next)).toBe(next);
  expect(placeCode('', 'a\n\n')).toBe('a\n');
});

test('nothing is guessed where no place or more than one is alike', () => {
  expect(placeCode(file, 'const unknown = 1;')).toBeUndefined();
  expect(placeCode('a = 1\nb = 2\nc = 3\nf() {\n}\nf() {\n}\n', 'f() {\n  1;\n}')).toBeUndefined();
  expect(placeCode(file, '\n\n')).toBeUndefined();
});

test('a block says by its first line which file it is of', () => {
  const code = '// src/a.ts\nconst a = 1;\n';
  expect([pathOfCode(code), codeAlone(code)]).toEqual(['src/a.ts', 'const a = 1;\n']);
  expect(pathOfCode('# file: lib/b.py\nb = 1')).toBe('lib/b.py');
  expect(pathOfCode('<!-- index.html -->')).toBe('index.html');
  expect([pathOfCode('// Adds two numbers'), codeAlone('a\nb')]).toEqual(['', 'a\nb']);
});
