import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import * as z from 'zod';
import { searchFiles } from '../electron/engine/tools/file/searchFiles.ts';
import { grepSearch } from '../electron/engine/tools/search/grepSearch.ts';
import type { Hands, Tool } from '../electron/engine/tools/tool.ts';
import { createLook } from '../electron/engine/workspace/look.ts';
import { createSandbox } from '../electron/engine/workspace/sandbox.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// grep_search against ripgrep and search_files against `rg --files` where both look at the same 20,000 files: nothing in
// the tree is ignored by name, and the matches are counted on both sides. Targets: 1.3 for each.

const wanted = isSmoke ? 200 : 20_000;
/** Larger files are left out by the tools and not by ripgrep. */
const maxFileBytes = 1_000_000;
const packages = join(import.meta.dirname, '..', 'node_modules');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));

/** Folders get a mark before their names: `dist` and `node_modules` would be left out of a search. */
function copyTree(): void {
  let copied = 0;
  const visit = (from: string, to: string): void => {
    mkdirSync(to, { recursive: true });
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const { name } = entry;
      if (copied >= wanted) return;
      if (name.startsWith('.')) continue;
      const source = join(from, name);
      if (entry.isDirectory()) visit(source, join(to, `_${name}`));
      else if (entry.isFile() && statSync(source).size <= maxFileBytes) {
        copyFileSync(source, join(to, `_${name}`));
        copied += 1;
      }
    }
  };
  // Fewer are installed on some systems: then they are taken twice.
  for (let round = 0; copied < wanted && round < 4; round += 1) visit(packages, join(folder, `round${round}`));
  if (copied < wanted) throw new Error(`Only ${copied} files were found.`);
}

const counted = z.object({ totalMatches: z.number() });

try {
  copyTree();
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
  const call = async (tool: Tool, input: unknown): Promise<{ readonly took: number; readonly value: unknown }> => {
    const started = performance.now();
    const prepared = await tool.prepare(input, look);
    const result = prepared.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : prepared;
    if (!result.ok) throw new Error(`${tool.name}: ${result.error.message}`);
    return { took: performance.now() - started, value: result.value };
  };
  const ripgrep = (...args: readonly string[]): { readonly took: number; readonly stdout: string } => {
    const started = performance.now();
    const { stdout } = spawnSync(rgPath, ['--no-config', '--hidden', '--no-ignore', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 30,
    });
    return { took: performance.now() - started, stdout };
  };
  const took = async (of: Promise<{ readonly took: number }>): Promise<number> => (await of).took;

  for (const [name, pattern] of [
    ['textSearchNone', 'noSuchWordAnywhereInHere'],
    ['textSearchRare', 'createServer'],
    ['textSearchCommon', 'import'],
  ] as const) {
    const args = ['-n', pattern, '.'];
    const own = counted.parse((await call(grepSearch, { pattern })).value).totalMatches;
    const others = ripgrep('--count-matches', '--no-filename', pattern, '.')
      .stdout.split('\n')
      .reduce((sum, n) => sum + Number(n), 0);
    if (own !== others) throw new Error(`${name}: the tool counts ${own} matches, ripgrep ${others}.`);
    const both = { ours: () => took(call(grepSearch, { pattern })), reference: async () => ripgrep(...args).took };
    report(compare(name, 'ms', await byTurns(10, both)));
  }
  for (const [name, pattern] of [
    ['fileSearchOneKind', '*.md'],
    ['fileSearchAll', '**'],
  ] as const) {
    const both = {
      ours: () => took(call(searchFiles, { pattern })),
      reference: async () => ripgrep('--files', '.').took,
    };
    report(compare(name, 'ms', await byTurns(10, both)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
