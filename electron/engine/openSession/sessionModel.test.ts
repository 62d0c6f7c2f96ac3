import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { askServer } from '../testing/serverBench.ts';

test('a request looks for settings and key once, and the next one finds what was changed meanwhile', async () => {
  let key = 'first-key';
  let looks = 0;
  const secrets = {
    place: { kept: 'file', path: 'none' },
    get() {
      looks += 1;
      return key;
    },
    problem: () => undefined,
    set: () => undefined,
    delete: () => undefined,
  } as const;
  const requests = 12;
  const read = (line: number) => ({
    calls: [{ tool: 'read_file', input: { filePath: 'a.txt', startLine: line } }],
  });
  const { bench, server, session } = await askServer(
    [{ text: 'Ready.' }, ...Array.from({ length: requests - 1 }, (_, index) => read(index + 1)), { text: 'Done.' }],
    {
      files: { 'a.txt': 'a line\n'.repeat(20) },
      provider: { llm_api_key: '' },
      // What is kept out of journals is looked for by the clock: it stands still.
      ports: { secrets, clock: { ...systemClock, monotonicMs: () => 5_000 } },
    },
  );
  await session.say('Begin.');
  const before = looks;
  key = 'second-key';
  await session.say('Read it.');
  expect(server.requests.length).toBe(requests + 1);
  // A turn looks too, where it begins, and for what its programs must not be given.
  expect(looks - before - requests).toBeLessThan(5);
  expect(server.requests.slice(-2).map(({ headers }) => headers.authorization)).toEqual([
    'Bearer second-key',
    'Bearer second-key',
  ]);
  await bench.engine.close();
});
