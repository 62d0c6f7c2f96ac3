import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { ToolResult } from '../../shared/result.ts';
import { findBrowser } from './browser/findBrowser.ts';
import { loadTokenizer } from './model/tokens/loadTokenizer.ts';
import { wholeResult } from './session/clipResult.ts';
import { testBench } from './testing/engineForTest.ts';
import { makeSample, notCompared, plainPages, plainResults, shell } from './testing/plainResults.ts';
import { testFolder } from './workspace/testing/testFolder.ts';

// The tokens (o200k_base) of each tool's result as the model reads it, beside what the command line prints of the same.
// VISE_UPDATE_DOCS=1 writes the table of docs/benchmarks.md anew (where there are git, POSIX tools and a browser).

const hasGit = process.platform !== 'win32' && spawnSync('git', ['--version']).status === 0;
const env = { PATH: process.env['PATH'], VISE_CHROMIUM: process.env['VISE_CHROMIUM'] };
const hasBrowser = findBrowser(env).kind === 'program';
const document = join(import.meta.dirname, '../../docs/benchmarks.md');
const head = '| tool | ours | plain text | ratio |\n|---|---|---|---|\n';

test.skipIf(!hasGit)(
  `what a model reads costs at most 1.2 times the tokens of plain text (skipped without git and POSIX tools${hasBrowser ? '' : '; without a browser its tools are left out'})`,
  { timeout: 240_000 },
  async () => {
    const { engine, project } = testBench({}, { env, answer: 'the second one', trustWorkspace: true });
    rmSync(project, { recursive: true });
    const twin = testFolder();
    makeSample(project);
    makeSample(twin);
    const count = await loadTokenizer('o200k_base');
    const [table, tooLong]: [string[], string[]] = [[], []];
    let task = '';
    for (const [label, tool, given, command] of hasBrowser ? [...plainResults, ...plainPages] : plainResults) {
      const listed = await engine.toolset(project, tool);
      const text = listed.ok ? listed.value.find(tool)?.text : undefined;
      const input = JSON.parse(
        JSON.stringify(given).replace('TASK', task).replace('PROJECT', pathToFileURL(project).href),
      );
      const result = await engine.callTool(project, tool, input, new AbortController().signal, {
        ask: () => Promise.resolve('allow'),
      });
      task = startedBy(result) ?? task;
      if (!result.success) throw new Error(`${tool}: ${result.error.message}`);
      const said = wholeResult(result, text);
      const [ours, plain] = [count(said), count(shell(twin, command))];
      if (ours > 1.2 * plain) tooLong.push(`${tool}: ${ours}, not ${plain}: ${said}`);
      const [left, right] = [ours.toLocaleString('en'), plain.toLocaleString('en')];
      table.push(`| ${tool}, beside ${label} | ${left} | ${right} | ${(ours / plain).toFixed(2)} |`);
    }
    expect(tooLong).toEqual([]);
    if (process.env['VISE_UPDATE_DOCS'] === '1' && hasBrowser) writeTable(table);
  },
);

test('every tool stands in the table, or the reason why it is not compared', async () => {
  const { engine, project } = testBench({});
  const listed = await engine.toolset(project, 'read_file');
  const names = listed.ok ? listed.value.tools.map(({ name }) => name) : [];
  const rows = [...plainResults, ...plainPages].map(([label, tool]) => `| ${tool}, beside ${label} |`);
  const shown = readFileSync(document, 'utf8').split(head)[1] ?? '';
  const compared = new Set([...plainResults, ...plainPages].map(([, tool]) => tool));
  expect(names.filter((name) => !compared.has(name) && notCompared[name] === undefined)).toEqual([]);
  const reasons = Object.entries(notCompared).map(([tool, reason]) => `| ${tool} | not compared: ${reason} |`);
  expect([...rows, ...reasons].filter((row) => !shown.includes(row))).toEqual([]);
});

/** The background task that a call has started. */
function startedBy(result: ToolResult): string | undefined {
  const data = result.success ? result.data : undefined;
  if (typeof data !== 'object' || data === null || !('background_task_id' in data)) return undefined;
  return String(data.background_task_id);
}

function writeTable(table: readonly string[]): void {
  const text = readFileSync(document, 'utf8');
  const reasons = Object.entries(notCompared).map(([tool, reason]) => `| ${tool} | not compared: ${reason} | | |`);
  writeFileSync(document, `${text.split(head)[0] ?? ''}${head}${[...table, ...reasons].join('\n')}\n`);
}
