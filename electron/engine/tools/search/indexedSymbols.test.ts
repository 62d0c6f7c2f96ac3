import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SymbolParts } from '../../project/symbols/findSymbols.ts';
import { createSymbolIndex } from '../../project/symbols/symbolIndex.ts';
import { createSymbolReader, type SymbolReader } from '../../project/symbols/symbolReader.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import { createListSymbols } from '../project/listSymbols.ts';
import { createFindReferences } from './findReferences.ts';

const project = {
  'src/store.ts': `import { parse } from './parse.ts';\nexport class Store {\n  parse() {\n    return parse(1);\n  }\n}\n`,
  'src/parse.ts': 'export function parse(text) {\n  return text;\n}\n',
  'lib/tool.py': 'class Parser:\n    def parse(self):\n        return self.parse()\n',
};

/** Nothing is read without the index. */
const noReader: SymbolReader = {
  read: () => Promise.reject(new Error('a file was parsed')),
  rest: () => Promise.resolve(),
  dispose: () => Promise.resolve(),
};

function reader(): SymbolReader {
  const made = createSymbolReader();
  onTestFinished(() => made.dispose());
  return made;
}

async function indexed(files: Readonly<Record<string, string>>) {
  const root = realpathSync(testFolder(files));
  const trial = await tryIn(root);
  const file = path.join(testFolder(), 'project.db');
  const index = createSymbolIndex({ root, file }, { quietMs: 0 });
  onTestFinished(() => index.dispose());
  const symbols = reader();
  const { signal } = new AbortController();
  const settled = async () => {
    index.hold()();
    await index.idle();
    await vi.waitFor(
      async () => {
        // Files that had been written just before they were read are read once more by each question.
        await index.definitions('parse', '.', signal);
        for (const name of Object.keys(files)) expect(await index.file(name, signal)).toBeDefined();
      },
      { timeout: 60_000, interval: 200 },
    );
  };
  const list = (filePath: string, parts: SymbolParts) => trial.tool(createListSymbols(parts), { filePath });
  const references = (parts: SymbolParts) => trial.tool(createFindReferences(parts), { symbol: 'parse' });
  return { root, file, index, symbols, settled, list, references };
}

test('symbols of a file that has not changed come from the index, as they would from the file', async () => {
  const { index, symbols, settled, list } = await indexed(project);
  await settled();
  for (const name of Object.keys(project))
    expect(await list(name, { symbols: noReader, index })).toEqual(await list(name, { symbols }));
}, 120_000);

test('a file that has changed, or has gone behind a link, is not taken from the index', async () => {
  const { root, index, symbols, settled, list } = await indexed(project);
  await settled();
  writeFiles(root, { 'lib/tool.py': 'def other(): pass\n' });
  expect(await list('lib/tool.py', { symbols, index })).toMatchObject({ data: { symbols: [{ name: 'other' }] } });
  const outside = testFolder({ 'parse.ts': 'function secret() {}' });
  rmSync(path.join(root, 'src'), { recursive: true });
  symlinkSync(outside, path.join(root, 'src'));
  expect(await list('src/parse.ts', { symbols, index })).toMatchObject({ error: { code: 'PATH_TRAVERSAL_DETECTED' } });
  expect(await index.file('src/parse.ts', new AbortController().signal)).toBeUndefined();
}, 120_000);

test('references are the same with the index', async () => {
  const { index, symbols, settled, references } = await indexed(project);
  await settled();
  expect(await references({ symbols, index })).toEqual(await references({ symbols: reader() }));
}, 120_000);

test('which references define is what the index says', async () => {
  const { file, index, symbols, settled, references } = await indexed(project);
  await settled();
  await index.dispose();
  const database = new DatabaseSync(file);
  database.exec(`UPDATE files SET symbols = '', names = x'' WHERE path = 'lib/tool.py'`);
  database.close();
  const next = createSymbolIndex({ root: index.root, file }, { quietMs: 0 });
  onTestFinished(() => next.dispose());
  const { data } = (await references({ symbols, index: next })) as {
    data: { references: readonly { file: string; isDefinition: boolean }[] };
  };
  const defining = data.references.filter(({ isDefinition }) => isDefinition).map(({ file: name }) => name);
  expect(defining).toEqual(['src/parse.ts', 'src/store.ts']);
}, 120_000);
