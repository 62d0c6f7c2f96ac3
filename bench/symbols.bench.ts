import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSymbolIndex, type SymbolIndex } from '../electron/engine/project/symbols/symbolIndex.ts';
import { createSymbolReader, type SymbolReader } from '../electron/engine/project/symbols/symbolReader.ts';
import type { Tool } from '../electron/engine/tools/frame/tool.ts';
import { createListSymbols } from '../electron/engine/tools/project/listSymbols.ts';
import { createFindSymbol } from '../electron/engine/tools/search/findSymbol.ts';
import { copyPackages } from './measure/packageTree.ts';
import { watchMemory } from './measure/processTree.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';
import { toolCalls } from './measure/toolCalls.ts';

// Symbols of a project of 10,000 source files made from the installed packages, against ctags on the same files:
// find_symbol with nothing known (target 2 s), list_symbols of one file (30 ms), the index in the background (5 × `ctags -R`;
// the process with it 300 MB, reference: without it), find_symbol and list_symbols by the index: again, after one file has
// changed (50 ms), and by the first question of the next run.

/** Bundles are no project's own code; larger files are left out by the tools and not by ctags. */
const tree = copyPackages({
  count: isSmoke ? 100 : 10_000,
  maxFileBytes: 1_000_000,
  accepts: (name) => /(?<!\.min)\.[cm]?[jt]sx?$/.test(name),
});
const { folder } = tree;
const symbol = 'measuredByVise';
const ownFile = 'own.ts';
const state = { root: folder, file: join(folder, '.cache', 'symbols.db') };

const ownText = (version: number): string =>
  `${Array.from({ length: 200 }, (_, at) => `export function own${at}(): number {\n  return ${at};\n}\n`).join('\n')}
export function ${symbol}(): number {\n  return ${version};\n}\nexport function version${version}(): void {}\n`;

function ctags(...args: readonly string[]): Promise<number> {
  const started = performance.now();
  // Its warnings about single lines would cost it more than its work.
  const { status, error } = spawnSync('ctags', ['--quiet', '-f', join(folder, 'tags'), ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
  const took = performance.now() - started;
  if (status !== 0) throw new Error(`ctags (Universal Ctags) ended with ${String(status)}: ${String(error)}`);
  rmSync(join(folder, 'tags'), { force: true });
  return Promise.resolve(took);
}

/** Work begins when a question has been answered; this is none. */
async function build(index: SymbolIndex): Promise<void> {
  index.hold()();
  await index.idle();
}

try {
  writeFileSync(join(folder, ownFile), ownText(0));
  const call = await toolCalls(folder);
  /** Time of a call whose result names what it must. */
  const timed = async (tool: Tool, input: unknown, mustName: string): Promise<number> => {
    const { took, value } = await call(tool, input);
    if (!JSON.stringify(value).includes(mustName)) throw new Error(`${tool.name} did not find ${mustName}.`);
    return took;
  };
  const find = (symbols: SymbolReader, index?: SymbolIndex, name = symbol): Promise<number> =>
    timed(createFindSymbol({ symbols, index }), { symbol: name }, ownFile);
  const all = () => ctags('-R', '.');
  const one = () => ctags(ownFile);

  const cold = async () => {
    const reader = createSymbolReader();
    try {
      return await find(reader);
    } finally {
      await reader.dispose();
    }
  };
  report(compare('findSymbolCold10k', 'ms', await byTurns(3, { ours: cold, reference: all })));

  const symbols = createSymbolReader();
  let version = 0;
  const change = (): string => {
    version += 1;
    writeFileSync(join(folder, ownFile), ownText(version));
    return `version${version}`;
  };
  const list = (mustName: string): Promise<number> =>
    timed(createListSymbols({ symbols }), { filePath: ownFile }, mustName);
  const listed = { ours: () => list(`version${version}`), reference: one };
  report(compare('listSymbolsWarm', 'ms', await byTurns(10, listed)));
  const listedAnew = { ours: () => list(change()), reference: one };
  report(compare('listSymbolsAfterChange', 'ms', await byTurns(10, listedAnew)));
  await symbols.dispose();

  // A reader that is never asked: what the index says is measured, not a search behind it.
  const noSearch: SymbolReader = {
    read: () => Promise.reject(new Error('the index could not tell')),
    rest: () => Promise.resolve(),
    dispose: () => Promise.resolve(),
  };
  const memory = process.platform === 'linux' ? watchMemory(process.pid) : undefined;
  const before = process.memoryUsage.rss();
  const index = createSymbolIndex(state, { quietMs: 0 });
  try {
    const started = performance.now();
    await build(index);
    const took = performance.now() - started;
    // Files that had been written just before they were read are read once more.
    const { signal } = new AbortController();
    while (!(await index.definitions(symbol, '.', signal)) || !(await index.file(ownFile, signal))) await build(index);
    report(compare('indexBuild', 'ms', { ours: [took], reference: [await all()] }));
    const indexed = { ours: () => find(noSearch, index), reference: one };
    report(compare('findSymbolIndexed', 'ms', await byTurns(10, indexed)));
    const listedByIndex = createListSymbols({ symbols: noSearch, index });
    const listedIndexed = { ours: () => timed(listedByIndex, { filePath: ownFile }, symbol), reference: one };
    report(compare('listSymbolsIndexed', 'ms', await byTurns(10, listedIndexed)));
    const changed = { ours: () => find(noSearch, index, change()), reference: one };
    report(compare('findSymbolAfterChange', 'ms', await byTurns(10, changed)));
  } finally {
    await index.dispose();
  }
  if (memory) {
    const peak = memory.stop();
    report(compare('indexPeak', 'MB', { ours: [peak / 1e6], reference: [before / 1e6] }));
  }

  const nextRun = async () => {
    const next = createSymbolIndex(state);
    try {
      return await find(noSearch, next);
    } finally {
      await next.dispose();
    }
  };
  report(compare('findSymbolNextRun', 'ms', await byTurns(3, { ours: nextRun, reference: all })));
} finally {
  tree.remove();
}
