import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { shim, waitFor } from './testing/shim.ts';
import { until } from './testing/testExecutor.ts';

const make = createTestExecutors();

describe('going to the background', () => {
  test('by measured time: the same process goes on and nothing is lost or repeated', async () => {
    const clock = new ManualClock();
    const one = make({ clock, shell: { autoBackgroundThresholdSeconds: 0.3 } });
    const run = one.run(`echo a; ${waitFor('go')}; echo b`);
    await until(() => (one.executor.list()[0]?.outputBytes ?? 0) > 0);
    clock.advance(300);
    const outcome = await run;
    writeFileSync(join(one.workspace, 'go'), '');
    expect(outcome).toMatchObject({
      kind: 'background',
      reason: 'measured',
      task: { state: 'running' },
      output: { stdout: 'a\n' },
    });
    expect(await one.ended(outcome.task.id)).toMatchObject({ state: 'completed', exitCode: 0, background: 'measured' });
    expect(await one.executor.result(outcome.task.id)).toMatchObject({ ok: true, value: { stdout: 'a\nb\n' } });
  });

  test('by estimate: at once, although the command is quick', async () => {
    const one = make({ shell: { autoBackgroundThresholdSeconds: 10 } });
    shim(one, 'npm', 'echo quick');
    one.settings = { ...one.settings, shell: { ...one.settings.shell, extraPaths: ['bin'] } };
    const outcome = await one.run('npm install');
    expect(outcome).toMatchObject({
      kind: 'background',
      reason: 'estimated',
      task: { estimateSeconds: 30, background: 'estimated' },
    });
    expect(outcome.task.id).toMatch(/^cli_[a-z0-9]{6,}$/);
    expect(await one.ended(outcome.task.id)).toMatchObject({ state: 'completed' });
  });

  test('by estimate, with a grace: what is over before it is answered as usual, what is not goes on', async () => {
    const clock = new ManualClock();
    const one = make({
      clock,
      shell: { autoBackgroundThresholdSeconds: 10, estimateGraceMs: 500, extraPaths: ['bin'] },
    });
    shim(one, 'npm', 'echo quick');
    expect(await one.run('npm install')).toMatchObject({
      kind: 'finished',
      task: { state: 'completed' },
      output: { stdout: 'quick\n' },
    });
    shim(one, 'npm', waitFor('go'));
    const run = one.run('npm install');
    await until(() => clock.waiting > 0);
    clock.advance(500);
    const { kind, task } = await run;
    writeFileSync(join(one.workspace, 'go'), '');
    expect([kind, task.state, (await one.ended(task.id)).state]).toEqual(['background', 'running', 'completed']);
    expect(one.events.flatMap(({ type }) => (type === 'backgrounded' ? [type] : []))).toEqual(['backgrounded']);
  });

  test('by estimate, with a grace: what cannot start is an error and no task, what is aborted is stopped', async () => {
    const one = make({ shell: { autoBackgroundThresholdSeconds: 10, estimateGraceMs: 600_000 } });
    const program = join(shim(one, 'npm', 'sleep 100'), 'npm');
    const request = { command: `${program} install`, cwd: one.workspace };
    const nowhere = { ...request, cwd: join(one.workspace, 'gone') };
    expect(await one.executor.run(nowhere, { owner: 't' })).toMatchObject({
      ok: false,
      error: { code: 'TOOL_EXECUTION_FAILED' },
    });
    expect(one.executor.list()).toEqual([]);
    const stop = new AbortController();
    const run = one.executor.run(request, { owner: 't', signal: stop.signal });
    await until(() => one.executor.list().some(({ pid }) => pid !== undefined));
    stop.abort();
    expect(await run).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  test('an estimate that equals the threshold is not longer', async () => {
    const one = make({ shell: { autoBackgroundThresholdSeconds: 10 } });
    shim(one, 'curl', 'echo quick');
    one.settings = { ...one.settings, shell: { ...one.settings.shell, extraPaths: ['bin'] } };
    expect((await one.run('curl -s x')).kind).toBe('finished');
  });

  test('is told by events in order', async () => {
    const clock = new ManualClock();
    const one = make({ clock, shell: { autoBackgroundThresholdSeconds: 0.2 } });
    const run = one.run(waitFor('go'));
    await until(() => one.events.some(({ type }) => type === 'started'));
    await until(() => clock.waiting > 0);
    clock.advance(200);
    const { task } = await run;
    writeFileSync(join(one.workspace, 'go'), '');
    await one.ended(task.id);
    expect(one.events.map(({ type }) => type).filter((type) => type !== 'changed')).toEqual([
      'started',
      'backgrounded',
      'ended',
    ]);
  });
});
