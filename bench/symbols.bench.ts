import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSymbolReader, type SymbolReader } from '../electron/engine/project/symbols/symbolReader.ts';
import { createListSymbols } from '../electron/engine/tools/build/listSymbols.ts';
import { createFindSymbol } from '../electron/engine/tools/search/findSymbol.ts';
import type { Hands, Tool } from '../electron/engine/tools/tool.ts';
import { createLook } from '../electron/engine/workspace/look.ts';
import { createSandbox } from '../electron/engine/workspace/sandbox.ts';
import { residentBytes } from './measure/processTree.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// Symbols of a project of 10,000 source files made from the installed packages, against ctags on the same files:
// find_symbol with nothing known (target 2 s), a second question, list_symbols of one file (30 ms), both tools after that
// file has changed (50 ms), and all files read once, as an index in the background would (4 × `ctags -R`, 300 MB).

const wanted = isSmoke ? 100 : 10_000;
const packages = join(import.meta.dirname, '..', 'node_modules');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));
const symbol = 'measuredByVise';
const ownFile = 'src/own.ts';

/** Copies source files until there are enough; bundles are no project's own code and stay out. */
function copySources(): readonly string[] {
  const copied: string[] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(packages, below), { withFileTypes: true })) {
      if (copied.length >= wanted) return;
      const name = join(below, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(name);
      if (!entry.isFile() || !/(?<!\.min)\.[cm]?[jt]sx?$/.test(entry.name)) continue;
      const target = join(folder, 'src', name);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(packages, name), target);
      copied.push(target);
    }
  };
  for (const entry of readdirSync(packages, { withFileTypes: true }))
    if (entry.isDirectory() && !entry.name.startsWith('.')) visit(entry.name);
  if (copied.length < wanted) throw new Error(`Only ${copied.length} source files are installed.`);
  return copied;
}

const ownText = (version: number): string =>
  `${Array.from({ length: 200 }, (_, at) => `export function own${at}(): number {\n  return ${at};\n}\n`).join('\n')}
export function ${symbol}(): number {\n  return ${version};\n}\nexport function version${version}(): void {}\n`;

function ctags(...args: readonly string[]): Promise<number> {
  const started = performance.now();
  const { status, stderr } = spawnSync('ctags', ['--quiet', '-f', join(folder, 'tags'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  const took = performance.now() - started;
  if (status !== 0) throw new Error(`ctags ended with ${String(status)}: ${stderr}`);
  rmSync(join(folder, 'tags'), { force: true });
  return Promise.resolve(took);
}

try {
  const files = copySources();
  writeFileSync(join(folder, ownFile), ownText(0));
  execFileSync('ctags', ['--version'], { stdio: 'ignore' });
  const sandbox = await createSandbox({ roots: [folder] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const refuse = () => Promise.reject(new Error('nothing is written or run here'));
  const { signal } = new AbortController();
  const hands: Hands = {
    look,
    signal,
    call: 'bench',
    output: () => undefined,
    applyChanges: refuse,
    runCommand: refuse,
  };
  /** Time of a call whose result names what it must. */
  const timed = async (tool: Tool, input: unknown, mustName: string): Promise<number> => {
    const started = performance.now();
    const prepared = await tool.prepare(input, look);
    const result = prepared.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : prepared;
    const took = performance.now() - started;
    if (!result.ok) throw new Error(`${tool.name}: ${result.error.message}`);
    if (!JSON.stringify(result.value).includes(mustName)) throw new Error(`${tool.name} did not find ${mustName}.`);
    return took;
  };
  const find = (reader: SymbolReader): Promise<number> =>
    timed(createFindSymbol({ symbols: reader }), { symbol }, ownFile);

  const cold = await byTurns(3, {
    ours: async () => {
      const reader = createSymbolReader();
      try {
        return await find(reader);
      } finally {
        await reader.dispose();
      }
    },
    reference: () => ctags('-R', 'src'),
  });
  report(compare('findSymbolCold10k', 'ms', cold));

  const symbols = createSymbolReader();
  try {
    await find(symbols);
    const one = () => ctags(ownFile);
    const list = (mustName: string): Promise<number> =>
      timed(createListSymbols({ symbols }), { filePath: ownFile }, mustName);
    report(compare('findSymbolWarm', 'ms', await byTurns(10, { ours: () => find(symbols), reference: one })));
    report(compare('listSymbolsWarm', 'ms', await byTurns(10, { ours: () => list('version0'), reference: one })));
    let version = 0;
    const change = (): void => {
      version += 1;
      writeFileSync(join(folder, ownFile), ownText(version));
    };
    const afterList = async (): Promise<number> => {
      change();
      return list(`version${version}`);
    };
    const afterFind = async (): Promise<number> => {
      change();
      return find(symbols);
    };
    report(compare('listSymbolsAfterChange', 'ms', await byTurns(10, { ours: afterList, reference: one })));
    report(compare('findSymbolAfterChange', 'ms', await byTurns(10, { ours: afterFind, reference: one })));
  } finally {
    await symbols.dispose();
  }

  // The whole project in batches as the tools ask for them.
  const reader = createSymbolReader();
  const before = residentBytes([process.pid]) / 1e6;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes([process.pid]) / 1e6);
  }, 10);
  try {
    const started = performance.now();
    for (let at = 0; at < files.length; at += 12) {
      const read = await reader.read(files.slice(at, at + 12), { kind: 'symbols' }, signal, { skipGenerated: true });
      if (!read.ok) throw new Error(read.error.message);
    }
    const took = performance.now() - started;
    report(compare('readAllSymbols', 'ms', { ours: [took], reference: [await ctags('-R', 'src')] }));
  } finally {
    clearInterval(timer);
    await reader.dispose();
  }
  if (process.platform === 'linux') report(compare('readAllSymbolsPeak', 'MB', { ours: [peak], reference: [before] }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
