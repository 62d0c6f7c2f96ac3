import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { testBench } from './testing/engineForTest.ts';
import { measureResults, sampleFiles } from './testing/resultTokens.ts';

const hasGit = process.platform !== 'win32' && spawnSync('git', ['--version']).status === 0;

test.skipIf(!hasGit)(
  'what a model reads costs at most 1.2 times the tokens of plain text (skipped without git and POSIX tools)',
  { timeout: 240_000 },
  async () => {
    const rows = await measureResults(testBench(sampleFiles()));
    expect(rows.filter(({ ours, plain }) => ours > 1.2 * plain)).toEqual([]);
    expect(rows).toHaveLength(13);
  },
);
