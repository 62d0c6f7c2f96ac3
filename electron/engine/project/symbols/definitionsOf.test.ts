import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { definitionsOf } from './definitionsOf.ts';
import { extractSymbols } from './extractSymbols.ts';
import { loadGrammar } from './grammars.ts';
import { languageOf } from './languages.ts';

async function both(file: string, text: string) {
  const language = languageOf(file);
  if (!language) throw new Error(`no language for ${file}`);
  const grammar = await loadGrammar(language.grammar);
  const tree = grammar.parse(text, 60_000);
  if (!tree) throw new Error('not parsed');
  const whole = extractSymbols(tree, text, language.name, grammar, 60_000);
  tree.delete();
  return { quick: definitionsOf(text, language.name, grammar, 60_000), whole };
}

const here = import.meta.dirname;
const modules = path.resolve(here, '../../../../node_modules');
const samples = [
  path.resolve(here, '..'),
  path.resolve(here, '../../../../renderer/panels'),
  path.join(modules, 'zod'),
  path.join(modules, 'react-dom/cjs'),
  path.join(modules, 'web-tree-sitter'),
];

test('with the code left out that defines nothing, the same is found in real files', async () => {
  let compared = 0;
  for (const folder of samples)
    for (const [at, name] of readdirSync(folder, { recursive: true, encoding: 'utf8' }).entries()) {
      // Some of each folder: all take long.
      if (!/\.[cm]?[jt]sx?$/.test(name) || at % 3 !== 0) continue;
      const text = readFileSync(path.join(folder, name), 'utf8');
      if (text.length > 200_000) continue;
      const { quick, whole } = await both(name, text);
      expect(quick, name).toEqual(whole);
      compared += 1;
    }
  expect(compared).toBeGreaterThan(100);
}, 120_000);

test('a text that the parser has to guess at is parsed as a whole', async () => {
  const text = `function a() { ${'call(one, two);'.repeat(10)} }\nclass { ( b() { ${'call(one, two);'.repeat(10)} }\nfunction c() {}\n`;
  const { quick, whole } = await both('a.js', text);
  expect(quick).toEqual(whole);
});
