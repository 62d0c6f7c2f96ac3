import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadTokenizer } from './model/tokens/loadTokenizer.ts';
import { wholeResult } from './session/clipResult.ts';
import { testBench } from './testing/engineForTest.ts';
import { makeSample, plainResults, shell } from './testing/plainResults.ts';
import { testFolder } from './workspace/testing/testFolder.ts';

const hasGit = process.platform !== 'win32' && spawnSync('git', ['--version']).status === 0;

test.skipIf(!hasGit)(
  'what a model reads costs at most 1.2 times the tokens of plain text (skipped without git and POSIX tools)',
  { timeout: 240_000 },
  async () => {
    const { engine, project } = testBench({});
    rmSync(project, { recursive: true });
    const twin = testFolder();
    makeSample(project);
    makeSample(twin);
    const count = await loadTokenizer('o200k_base');
    const tooLong: string[] = [];
    for (const [, tool, input, command] of plainResults) {
      const listed = await engine.toolset(project, tool);
      const text = listed.ok ? listed.value.find(tool)?.text : undefined;
      const result = await engine.callTool(project, tool, input, new AbortController().signal, {
        ask: () => Promise.resolve('allow'),
      });
      if (!result.success) throw new Error(`${tool}: ${result.error.message}`);
      const [ours, plain] = [count(wholeResult(result, text)), count(shell(twin, command))];
      if (ours > 1.2 * plain) tooLong.push(`${tool} ${JSON.stringify(input)}: ${ours}, not ${plain}`);
    }
    expect(tooLong).toEqual([]);
  },
);
