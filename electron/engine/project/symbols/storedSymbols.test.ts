import { expect, test } from 'vitest';
import { nameHash, restoreNamed, restoreSymbols, storeSymbols } from './storedSymbols.ts';
import type { SourceSymbol } from './symbol.ts';

const symbol = (name: string, rest: Partial<SourceSymbol> = {}): SourceSymbol => ({
  name,
  kind: 'function',
  line: 1,
  column: 2,
  endLine: 3,
  signature: `function ${name}()`,
  exported: false,
  ...rest,
});

const symbols = [
  symbol('run', { kind: 'class', exported: true }),
  symbol('run', { container: 'A.B', line: 7 }),
  symbol('"\n["run",', { signature: '["run",1,\u2028"' }),
  symbol('größe', { kind: 'constant' }),
  symbol('runs'),
];

test('what was stored is restored, in its order, whatever stands in names and signatures', () => {
  const { text } = storeSymbols(symbols);
  expect(restoreSymbols(text)).toEqual(symbols);
  expect(restoreSymbols(storeSymbols([]).text)).toEqual([]);
});

test('a name is found as a whole, and only as a name', () => {
  const { text } = storeSymbols(symbols);
  for (const { name } of symbols) expect(restoreNamed(text, name)).toEqual(symbols.filter((one) => one.name === name));
  expect(restoreNamed(text, 'ru')).toEqual([]);
});

test('hashes tell which names are surely missing', () => {
  const { names } = storeSymbols(symbols);
  expect(names.length).toBe(4);
  expect(symbols.map(({ name }) => names.includes(nameHash(name)))).toEqual([true, true, true, true, true]);
  expect(['ru', 'A', ''].map((name) => names.includes(nameHash(name)))).toEqual([false, false, false]);
  expect(storeSymbols([]).names.length).toBe(0);
});

test('a name that is none is left out', () => {
  expect(storeSymbols([symbol('x'.repeat(201))])).toEqual(storeSymbols([]));
});
