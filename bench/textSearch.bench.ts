import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import * as z from 'zod';
import { searchFiles } from '../electron/engine/tools/file/searchFiles.ts';
import { grepSearch } from '../electron/engine/tools/search/grepSearch.ts';
import { copyPackages } from './measure/packageTree.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';
import { toolCalls } from './measure/toolCalls.ts';

// grep_search against ripgrep and search_files against `rg --files` over the same 20,000 files, under the same rules of what
// is ignored. Matches are counted on both sides. Targets: 1.3 for each.

/** Larger files are left out by the tools and not by ripgrep. */
const tree = copyPackages({ count: isSmoke ? 200 : 20_000, maxFileBytes: 1_000_000 });
const counted = z.object({ totalMatches: z.number() });

/** What every search of the project leaves out, beside what .gitignore says. */
const ignored = ['.git', '.vise', 'node_modules', 'dist', 'build', 'target', '.cache', 'venv', '.venv', '__pycache__'];
const sameRules = ['--no-config', '--hidden', '--no-require-git', ...ignored.flatMap((name) => ['-g', `!${name}`])];

try {
  const call = await toolCalls(tree.folder);
  const ripgrep = (...args: readonly string[]): { readonly took: number; readonly stdout: string } => {
    const started = performance.now();
    const { stdout } = spawnSync(rgPath, [...sameRules, ...args], {
      cwd: tree.folder,
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
    const own = counted.parse((await call(grepSearch, { pattern })).value).totalMatches;
    const others = ripgrep('--count-matches', '--no-filename', pattern, '.')
      .stdout.split('\n')
      .reduce((sum, n) => sum + Number(n), 0);
    if (own !== others) throw new Error(`${name}: the tool counts ${own} matches, ripgrep ${others}.`);
    const both = {
      ours: () => took(call(grepSearch, { pattern })),
      reference: async () => ripgrep('-n', pattern, '.').took,
    };
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
  tree.remove();
}
