import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTokenizer } from '../model/tokens/loadTokenizer.ts';
import { wholeResult } from '../session/clipResult.ts';
import type { TestBench } from './engineForTest.ts';

/** The tokens of one tool's result as a model reads it, beside what the command line prints of the same. */
export interface ResultTokens {
  readonly tool: string;
  readonly ours: number;
  readonly plain: number;
}

const sources = join(import.meta.dirname, '..', 'tools', 'file');

/** Real sources in two folders, one of them changed after a commit. */
export function sampleFiles(): Readonly<Record<string, string>> {
  const names = readdirSync(sources).filter((name) => name.endsWith('.ts'));
  return {
    'package.json': '{ "name": "sample", "scripts": { "test": "true" } }\n',
    '.gitignore': 'out/\n',
    'README.md': '# Sample\n\nFiles of tools.\n',
    ...Object.fromEntries(names.map((name) => [`src/${name}`, readFileSync(join(sources, name), 'utf8')])),
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`test/cases/case${at}.txt`, `case ${at}\nexpects ${at * 7} lines\n`]),
    ),
  };
}

/** The lines in which the symbols stand, as `grep -n` prints them. */
function linesOfSymbols(data: unknown): string {
  const { symbols } = data as { readonly symbols: readonly { readonly line: number }[] }; // of list_symbols
  return `grep -n "" src/writeFile.ts | sed -n "${symbols.map(({ line }) => `${line}p`).join(';')}"`;
}

/** What the command line is asked, in the project. */
const plain: readonly (readonly [tool: string, input: object, command: string | ((data: unknown) => string)])[] = [
  ['list_directory', { path: 'src' }, 'ls -p src'],
  ['list_directory', { recursive: true }, 'find . -mindepth 1 -path ./.git -prune -o -mindepth 1 -printf "%P\\n"'],
  ['project_map', {}, 'find . -mindepth 1 -maxdepth 3 -path ./.git -prune -o -mindepth 1 -printf "%P\\n"'],
  ['search_files', { pattern: '*.ts' }, 'find . -name "*.ts" -printf "%P\\n"'],
  ['grep_search', { pattern: 'truncated' }, 'grep -rn --include="*" truncated src'],
  ['grep_search', { pattern: 'leftOut', contextLines: 2 }, 'grep -rn -C 2 leftOut src'],
  ['find_references', { symbol: 'defineTool' }, 'grep -rnw defineTool src'],
  ['list_symbols', { filePath: 'src/writeFile.ts' }, linesOfSymbols],
  ['read_file', { filePath: 'src/writeFile.ts' }, 'cat src/writeFile.ts'],
  ['git_status', {}, 'git status --short --branch'],
  ['git_diff', {}, 'git diff'],
  ['git_log', {}, 'git log --date=short --format="%h %ad %an: %s%n%b"'],
  ['run', { command: 'cat src/readFile.ts' }, 'cat src/readFile.ts'],
];

/** Needs git and the tools of a POSIX system. */
export async function measureResults(bench: TestBench): Promise<readonly ResultTokens[]> {
  const { engine, project } = bench;
  const sh = (command: string): string => execFileSync('sh', ['-c', command], { cwd: project, encoding: 'utf8' });
  sh('git init -q -b main && git add -A && git -c user.name=A -c user.email=a@b.c commit -qm "Begin the sample"');
  sh("sed -i 's/truncated/shortened/' src/readFile.ts src/listDirectory.ts && echo new > new.txt");
  const count = await loadTokenizer('o200k_base');
  const rows: ResultTokens[] = [];
  for (const [tool, input, command] of plain) {
    const listed = await engine.toolset(project, tool);
    const text = listed.ok ? listed.value.find(tool)?.text : undefined;
    const result = await engine.callTool(project, tool, input, new AbortController().signal, {
      ask: () => Promise.resolve('allow'),
    });
    if (!result.success) throw new Error(`${tool}: ${result.error.message}`);
    const name = `${tool}${Object.keys(input).length > 0 && rows.some((row) => row.tool === tool) ? ' 2' : ''}`;
    rows.push({
      tool: name,
      ours: count(wholeResult(result, text)),
      plain: count(sh(typeof command === 'string' ? command : command(result.data))),
    });
  }
  return rows;
}
