import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noticesOf, type TestBench, testBench } from './testing/engineForTest.ts';
import { halfWritten, wholeBefore } from './workspace/testing/halfWritten.ts';
import { treeOf, writeFiles } from './workspace/testing/testFolder.ts';

const words = /^Vise ended while it wrote 4 files\. Taken back, because not all were in place: a(, d\/b)?\.$/;

/** A write of this state folder in this project is cut off, by another process. */
async function cutOff({ project, home }: TestBench): Promise<void> {
  await halfWritten(() => {
    rmSync(project, { recursive: true });
    writeFiles(project, wholeBefore);
    rmSync(join(home, 'state', 'applies'), { recursive: true, force: true });
    return { root: project, state: join(home, 'state') };
  });
}

test('a call outside a session puts in order what another process left half-written, and tells it', async () => {
  const told: string[] = [];
  const bench = testBench({}, { notify: (text) => told.push(text) });
  await cutOff(bench);
  const call = await bench.engine.callTool(bench.project, 'read_file', { filePath: 'a' }, AbortSignal.timeout(60_000));
  expect(call).toMatchObject({ success: true, data: { content: expect.stringContaining('old a') as unknown } });
  expect(treeOf(bench.project)).toEqual(wholeBefore);
  expect(told).toEqual([expect.stringMatching(words)]);
});

test('a session of its own does so at its next turn, in a project that is open already', async () => {
  const bench = testBench({});
  const session = await bench.session([{ text: 'One.' }, { text: 'Two.' }]);
  await session.say('One?');
  await cutOff(bench);
  await session.say('Two?');
  expect(treeOf(bench.project)).toEqual(wholeBefore);
  expect(noticesOf(session.mirror())).toEqual([expect.stringMatching(words)]);
});
