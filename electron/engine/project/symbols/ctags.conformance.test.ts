import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { extractSymbols } from './extractSymbols.ts';
import { loadGrammar } from './grammars.ts';
import { languageOf } from './languages.ts';

const corpora = process.env['VISE_CORPORA'] ?? path.resolve(import.meta.dirname, '../../../../../shared/corpora');
const units = path.join(corpora, 'symbols/ctags-units/units.jsonl');
const isThere = existsSync(units);

interface Unit {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tags: readonly {
    readonly name: string;
    readonly file: string;
    readonly kind: string;
    readonly line: number | { readonly candidates: readonly number[] };
  }[];
}

/** Kinds of the recorded tags that are symbols to us: neither parameters, locals, imports, packages nor namespaces. */
const kindsOf: Readonly<Record<string, string>> = {
  typescript: 'fcmiegapCv',
  javascript: 'fcmCg',
  python: 'cfmv',
  go: 'fcvtsim',
  rust: 'fsgietMmPC',
};

/** What was reached when this was written; less is a loss. Share of the recorded tags found, and of ours that are recorded. */
const reached: Readonly<Record<string, readonly [recall: number, precision: number]>> = {
  typescript: [0.92, 0.99],
  javascript: [0.9, 0.95],
  python: [0.96, 0.98],
  go: [0.96, 0.94],
  rust: [0.94, 1],
};

const lastPart = (name: string) => name.replace(/^.*[.:]/s, '');

async function measure(language: string) {
  let expected = 0;
  let hits = 0;
  let ours = 0;
  let recorded = 0;
  for (const line of readFileSync(units, 'utf8').trim().split('\n')) {
    const unit = JSON.parse(line) as Unit;
    if (unit.language !== language) continue;
    for (const [file, text] of Object.entries(unit.files)) {
      const known = languageOf(file);
      if (!known) continue;
      const grammar = await loadGrammar(known.grammar);
      const tree = grammar.parse(text, 10_000);
      if (!tree) continue;
      const found = extractSymbols(tree, text, known.name, grammar) ?? [];
      tree.delete();
      const linesOf = (tag: Unit['tags'][number]) =>
        typeof tag.line === 'number' ? [tag.line] : (tag.line?.candidates ?? []);
      const tags = unit.tags.filter((tag) => tag.file === file);
      const all = new Set(tags.flatMap((tag) => linesOf(tag).map((at) => `${lastPart(tag.name)}:${at}`)));
      const got = new Set(found.map((symbol) => `${lastPart(symbol.name)}:${symbol.line}`));
      const due = tags.filter(
        ({ kind, name }) => kind.length === 1 && (kindsOf[language] ?? '').includes(kind) && !/^anonymous/i.test(name),
      );
      const dueLines = new Set(due.flatMap((tag) => linesOf(tag).map((at) => `${lastPart(tag.name)}:${at}`)));
      for (const one of dueLines) {
        expected += 1;
        if (got.has(one)) hits += 1;
      }
      ours += got.size;
      recorded += [...got].filter((one) => all.has(one)).length;
    }
  }
  return { recall: hits / expected, precision: recorded / ours, expected, ours };
}

describe.skipIf(!isThere)(`symbols as recorded from ctags${isThere ? '' : ` (skipped: no ${units})`}`, () => {
  test.each(Object.entries(reached))('%s', async (language, [recall, precision]) => {
    const measured = await measure(language);
    console.log(
      `${language}: ${(100 * measured.recall).toFixed(1)} % of ${measured.expected} tags found, ${(100 * measured.precision).toFixed(1)} % of ${measured.ours} symbols recorded`,
    );
    expect(measured.recall).toBeGreaterThanOrEqual(recall);
    expect(measured.precision).toBeGreaterThanOrEqual(precision);
  });
});
