import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { createSymbolReader } from '../electron/engine/project/symbols/symbolReader.ts';
import { createListSymbols } from '../electron/engine/tools/build/listSymbols.ts';
import { searchFiles } from '../electron/engine/tools/file/searchFiles.ts';
import { createFindSymbol } from '../electron/engine/tools/search/findSymbol.ts';
import { grepSearch } from '../electron/engine/tools/search/grepSearch.ts';
import type { Hands, Tool } from '../electron/engine/tools/tool.ts';
import { createLook } from '../electron/engine/workspace/look.ts';
import { createSandbox } from '../electron/engine/workspace/sandbox.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// Text, names and symbols in a tree made from the installed packages (20,000 files): the tools against ripgrep itself.
// Targets: grep_search and search_files 1.3 × ripgrep; find_symbol cold 2 s and list_symbols 30 ms (the reference is then
// `rg` listing the files that hold the name, and reading the file).

const packages = join(import.meta.dirname, '..', 'node_modules');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));

try {
  const names = readdirSync(packages).filter((name) => !name.startsWith('.') && !/^(?:electron|node-linux)/.test(name));
  for (const name of isSmoke ? ['zod'] : names)
    cpSync(join(packages, name), join(folder, 'packages', name), {
      recursive: true,
      filter: (source) => !source.slice(packages.length).includes('node_modules') && extname(source) !== '.node',
    });
  const sandbox = await createSandbox({ roots: [folder] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const refuse = () => Promise.reject(new Error('nothing is written or run here'));
  const hands: Hands = {
    look,
    signal: new AbortController().signal,
    call: 'bench',
    output: () => undefined,
    applyChanges: refuse,
    runCommand: refuse,
  };
  const timed = async (tool: Tool, input: unknown): Promise<number> => {
    const started = performance.now();
    const prepared = await tool.prepare(input, look);
    const result = prepared.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : prepared;
    if (!result.ok) throw new Error(`${tool.name}: ${result.error.message}`);
    return performance.now() - started;
  };
  const ripgrep = (...args: readonly string[]): Promise<number> => {
    const started = performance.now();
    spawnSync(rgPath, ['--no-config', '--hidden', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 30,
    });
    return Promise.resolve(performance.now() - started);
  };

  for (const [name, pattern] of [
    ['grepRare', 'createServer'],
    ['grepCommon', 'import'],
  ] as const) {
    const ours = () => timed(grepSearch, { pattern });
    report(compare(name, 'ms', await byTurns(10, { ours, reference: () => ripgrep('-n', pattern, '.') })));
  }
  for (const [name, pattern] of [
    ['searchFilesOneKind', '*.ts'],
    ['searchFilesAll', '**'],
  ] as const) {
    const ours = () => timed(searchFiles, { pattern });
    report(compare(name, 'ms', await byTurns(10, { ours, reference: () => ripgrep('--files', '.') })));
  }

  const symbol = 'safeParseAsync';
  const cold = await byTurns(3, {
    ours: async () => {
      const symbols = createSymbolReader();
      const took = await timed(createFindSymbol({ symbols }), { symbol });
      await symbols.dispose();
      return took;
    },
    reference: () => ripgrep('-l', '-w', symbol, '.'),
  });
  report(compare('findSymbolCold', 'ms', cold));

  const symbols = createSymbolReader();
  const list = createListSymbols({ symbols });
  const filePath = 'packages/zod/v4/core/schemas.js';
  await timed(list, { filePath: 'packages/zod/v4/core/core.js' });
  const warm = await byTurns(1, {
    ours: () => timed(list, { filePath }),
    reference: async () => {
      const started = performance.now();
      await look.readText(filePath);
      return performance.now() - started;
    },
  });
  report(compare('listSymbols', 'ms', warm));
  await symbols.dispose();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
