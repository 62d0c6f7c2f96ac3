import { expect, test } from 'vitest';
import { cFamilyNoise } from './cFamilyNoise.ts';
import { definitionsOf } from './definitionsOf.ts';
import { loadGrammar } from './grammars.ts';

const noise = (text: string) => cFamilyNoise(text).map(({ start, end }) => text.slice(start, end).trim());

test('types of parameters in the old style are told, and nothing that looks like them', () => {
  expect(
    noise('int sum(a, b)\n  int a;\n  char *b, c[];\n{ return a; }\nchar *id(s) char *s; { return s; }\n'),
  ).toEqual(['int a;\n  char *b, c[];', 'char *s;']);
  expect(
    noise('int f(int a) { int b; { } }\nint g(a);\nint x; struct S { int y; };\nMACRO(a)\nint z;\nint h() { }\n'),
  ).toEqual([]);
});

test('macros before the name of a class are told, and no names of classes', () => {
  expect(noise('class LIB_EXPORT A : B {};\nstruct MYAPI C final {};\nclass EXPORT(x) D {};')).toEqual([
    'LIB_EXPORT',
    'MYAPI',
    'EXPORT(x)',
  ]);
  expect(noise('class A_B : C {}; struct POINT p; class X {}; struct A_T a; class API {};')).toEqual([]);
});

test('without them their functions and classes are found where they stand', async () => {
  const grammar = await loadGrammar('cpp');
  const found = (language: string, text: string) =>
    definitionsOf(text, language, grammar, 10_000)?.map(
      ({ kind, name, container, line, endLine }) => `${kind} ${container ?? ''} ${name} ${line}-${endLine}`,
    );
  expect(
    found('c', 'int before;\nint sum(a, b)\n  int a;\n  char b;\n{\n  return a;\n}\nint after() { return 1; }\n'),
  ).toEqual(['variable  before 1-1', 'function  sum 2-7', 'function  after 8-8']);
  expect(found('cpp', 'class LIB_EXPORT A : public B {\n  void run() {}\n};\n')).toEqual([
    'class  A 1-3',
    'method A run 2-2',
  ]);
});

test('a long text is read once', () => {
  const texts = ['int f(a, b) ', 'int a; ', 'f(a)\nint a; ', 'class A_B ', 'a ', 'int a(b, ', '\n'];
  for (const text of texts) expect(cFamilyNoise(text.repeat(100_000)).length).toBe(0);
});
