import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testBench } from '../testing/engineForTest.ts';
import { ManualClock } from '../testing/manualClock.ts';

test('of many open sessions those that nobody uses or watches are closed, and opened again where they are asked for', async () => {
  const clock = new ManualClock();
  const bench = testBench({}, { clock });
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) ids.push((await bench.session([{ text: 'Hello.' }])).id);
  const [first = '', second = '', ...others] = ids;
  const open = (): readonly string[] => ids.filter((id) => bench.engine.sessions.live(id));
  const before = await bench.client.call('session.watch', { session: second });
  // The first one is on show in a window, the others in none.
  for (const session of [second, ...others]) await bench.client.call('session.unwatch', { session });
  clock.advance(6_000);
  expect(open()).toEqual(ids);
  clock.advance(60_000);
  expect(open()).toEqual([first, ...ids.slice(5)]);
  expect(readdirSync(join(bench.home, 'state', 'sessions', second))).not.toContain('lock');
  expect(bench.engine.sessions.list().map(({ id }) => id)).toHaveLength(12);
  expect(await bench.client.call('session.watch', { session: second })).toEqual(before);
});
