import { mkdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { followSession, testBench } from '../testing/engineForTest.ts';

test('a message in a project that is gone ends its turn with that word, and goes on when the folder is back', async () => {
  const bench = testBench({});
  const { id } = await bench.session([{ text: 'Hello.' }]);
  const next = await bench.restart();
  rmSync(bench.project, { recursive: true });
  const session = await followSession(next.client, id);
  expect(await session.say('hi')).toMatchObject({ outcome: 'failed', error: { code: 'DIRECTORY_NOT_FOUND' } });
  mkdirSync(bench.project);
  expect(await session.say('hi')).toMatchObject({ outcome: 'done', text: 'Hello.' });
});
