import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { waitFor } from './testing/shim.ts';
import { until } from './testing/testExecutor.ts';

const make = createTestExecutors();

describe('the queue', () => {
  test('runs two at most, in order, and loses none', async () => {
    const one = make({ shell: { backgroundMaxWorkers: 2 } });
    let most = 0;
    one.executor.on(() => {
      most = Math.max(most, one.executor.list().filter(({ state }) => state === 'running').length);
    });
    const tasks = [];
    for (let i = 0; i < 5; i += 1) tasks.push(await one.background(waitFor('go')));
    expect(one.executor.list().map(({ state, place }) => [state, place])).toEqual([
      ['running', undefined],
      ['running', undefined],
      ['queued', 1],
      ['queued', 2],
      ['queued', 3],
    ]);
    writeFileSync(join(one.workspace, 'go'), '');
    for (const { id } of tasks) expect(await one.ended(id)).toMatchObject({ state: 'completed' });
    const started = one.events
      .filter(({ type }) => type === 'started')
      .map((event) => event.type !== 'removed' && event.task.id);
    expect([most, started]).toEqual([2, tasks.map(({ id }) => id)]);
  });

  test('starts 500 in order', async () => {
    const one = make({ shell: { backgroundMaxWorkers: 8 } });
    const ids: string[] = [];
    for (let i = 0; i < 500; i += 1) ids.push((await one.background(`true ${i}`)).id);
    const states = new Map<string, string>();
    await until(() => {
      for (const event of one.events) if (event.type === 'ended') states.set(event.task.id, event.task.state);
      return states.size === 500;
    });
    const orderOfStart = one.events.flatMap((event) => (event.type === 'started' ? [event.task.id] : []));
    expect([orderOfStart.length, new Set(states.values())]).toEqual([500, new Set(['completed'])]);
    expect(one.events.flatMap((event) => (event.type === 'queued' ? [event.task.id] : []))).toEqual(ids.slice(8));
    expect(orderOfStart).toEqual(ids);
  }, 240_000);

  test('gives a cancelled place free and never starts it', async () => {
    const one = make({ shell: { backgroundMaxWorkers: 1 } });
    const first = await one.background(waitFor('go'));
    const second = await one.background('echo never > ran');
    const third = await one.background('echo yes');
    expect(await one.executor.cancel(second.id)).toMatchObject({
      ok: true,
      value: { cancelled: true, task: { state: 'cancelled' } },
    });
    expect(one.executor.get(third.id)).toMatchObject({ state: 'queued', place: 1 });
    writeFileSync(join(one.workspace, 'go'), '');
    await one.ended(third.id);
    expect([(await one.ended(first.id)).state, one.executor.get(second.id)?.startedAt]).toEqual([
      'completed',
      undefined,
    ]);
  });

  test('grows with its setting', async () => {
    const one = make({ shell: { backgroundMaxWorkers: 1 } });
    await one.background('sleep 5');
    const second = await one.background('echo now');
    one.settings = { ...one.settings, shell: { ...one.settings.shell, backgroundMaxWorkers: 2 } };
    one.executor.settingsChanged();
    expect(await one.ended(second.id)).toMatchObject({ state: 'completed' });
  });
});
