import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../exec/testing/testExecutor.ts';
import { testBench } from '../testing/engineForTest.ts';

test('outputs of tasks go with their session, and a host collects what a session left behind without any command', async () => {
  const bench = testBench({}, { allow: 'dangerous' });
  const outputs = join(bench.ports.places.state, 'tasks');
  const stale = join(outputs, 'project', 'gone', 'cli_a.log');
  mkdirSync(join(stale, '..'), { recursive: true });
  writeFileSync(stale, 'old');
  utimesSync(stale, 1, 1);
  const run = (command: string) => ({ calls: [{ tool: 'run', input: { command } }] });
  const [first, second] = [
    await bench.session([run('echo first'), { text: 'Done.' }]),
    await bench.session([run('echo second'), { text: 'Done.' }]),
  ];
  const logs: string[] = [];
  for (const session of [first, second]) {
    await session.say('go');
    const [task] = Object.values(session.mirror().tasks);
    logs.push(task?.logPath ?? '');
  }
  expect(logs.map((log) => existsSync(log))).toEqual([true, true]);
  await bench.client.call('session.delete', { session: first.id });
  await until(() => !readdirSync(join(logs[0] ?? '', '..', '..')).includes(first.id));
  expect([logs[1] ?? '', stale].map((log) => existsSync(log))).toEqual([true, true]);
  const next = await bench.restart();
  next.engine.cleanInBackground();
  await until(() => !existsSync(stale));
  expect(existsSync(logs[1] ?? '')).toBe(true);
});
