import { rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Rule } from '../../../shared/model/rule.ts';
import { systemClock } from '../base/clock.ts';
import { testBench } from '../testing/engineForTest.ts';

describe('leave for an hour', () => {
  test('goes with the trust in the project', async () => {
    const { engine, project } = testBench({});
    const opened = await engine.project(project);
    if (!opened.ok) throw new Error(opened.error.message);
    const { timed, trustChanged } = opened.value;
    timed.give('run_tests', project);
    const left = (['trusted', 'restricted'] as const).map((trust) => {
      trustChanged(trust);
      return timed.list().length;
    });
    expect(left).toEqual([1, 0]);
  });

  const scripts = { test: 'node -e 0' };
  const files = { 'package.json': JSON.stringify({ scripts }) };
  const hour = 60 * 60_000;

  test('is asked for by the agent, given by the person, told by check_permission, and ends', async () => {
    let shiftMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
    const bench = testBench(files, { clock });
    const runTests = { calls: [{ tool: 'run_tests', input: { grantPermission: true } }] };
    const check = { calls: [{ tool: 'check_permission', input: { toolName: 'run_tests' } }] };
    // Another input, since the same call twice is stopped for another reason.
    const runPlain = { calls: [{ tool: 'run_tests', input: {} }] };
    const replies = [runTests, check, runPlain, { text: 'Done.' }, check, runTests, { text: 'Done.' }];
    const session = await bench.session(replies);
    await session.send('test it');
    const asked = await session.next('permission.asked');
    expect(asked.approval.offer).toEqual({ place: bench.project, minutes: 60 });
    const before = clock.now();
    const answer = { session: session.id, call: asked.call, decision: 'hour' as const };
    expect(await bench.client.call('permission.answer', answer)).toEqual({ ok: true, value: {} });
    const answered = await session.next('permission.answered');
    const until = answered.answer.until ?? '';
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + hour);
    await session.next('turn.finished');
    const results = () => session.heard.flatMap(({ event }) => (event.type === 'tool.finished' ? [event.result] : []));
    expect(results()).toMatchObject([
      { success: true, data: { passed: true } },
      { success: true, data: { toolName: 'run_tests', granted: true, level: 'dangerous', expiresAt: until } },
      { success: true, data: { passed: true } },
    ]);
    const listed = await bench.client.call('permission.rules', { project: bench.project });
    expect(listed).toMatchObject({
      value: { rules: [{ match: { tool: 'run_tests', path: bench.project }, from: `until ${until}` }] },
    });

    shiftMs = hour;
    await session.send('again');
    const again = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call: again.call, decision: 'deny' });
    await session.next('turn.finished');
    expect(results().slice(3)).toMatchObject([
      { success: true, data: { granted: false } },
      { success: false, error: { code: 'PERMISSION_DENIED' } },
    ]);
  });

  test('is taken back like a rule', async () => {
    const bench = testBench(files);
    const runTests = { calls: [{ tool: 'run_tests', input: { grantPermission: true } }] };
    const session = await bench.session([runTests, { text: 'Done.' }, runTests, { text: 'Done.' }]);
    await session.send('test it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'hour' });
    await session.next('turn.finished');
    const { project } = bench;
    const listed = await bench.client.call('permission.rules', { project });
    const id = listed.ok ? (listed.value.rules[0]?.id ?? '') : '';
    expect(await bench.client.call('permission.revoke', { id, project })).toEqual({ ok: true, value: {} });
    expect(await bench.client.call('permission.rules', { project })).toMatchObject({ value: { rules: [] } });
    await session.send('again');
    const again = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call: again.call, decision: 'deny' });
    await session.next('turn.finished');
  });
});

describe('the rules in force', () => {
  const rule = { id: 'a', effect: 'deny', scope: 'project', match: { tool: 'run' } } as const;
  const files = { '.vise/rules.json': JSON.stringify({ version: 1, rules: [rule] }) };

  test('are those of the project that is named', async () => {
    const { client, project } = testBench(files);
    expect(await client.call('permission.rules', { project })).toMatchObject({
      value: { rules: [{ effect: 'deny' }] },
    });
  });

  test("are the user's own where no project is named, whatever folder the engine was started in", async () => {
    const { client, project } = testBench(files);
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project);
    onTestFinished(() => cwd.mockRestore());
    expect(await client.call('permission.rules', {})).toEqual({ ok: true, value: { rules: [], problems: [] } });
  });

  test('of a project that is gone are refused with a word', async () => {
    const { client, project } = testBench({});
    rmSync(project, { recursive: true });
    expect(await client.call('permission.rules', { project })).toMatchObject({
      ok: false,
      error: { code: 'DIRECTORY_NOT_FOUND' },
    });
  });
});

test('a rule is tried on past calls as the gate judges them: scripts of the project are looked into', async () => {
  const bench = testBench({ 'package.json': JSON.stringify({ scripts: { clean: 'shred notes.txt' } }) });
  const session = await bench.session([
    { calls: [{ tool: 'run', input: { command: 'npm run clean' } }] },
    { text: '.' },
  ]);
  await session.send('clean up');
  const { call } = await session.next('permission.asked');
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny' });
  await session.next('turn.finished');
  const rule: Rule = { id: 'r', effect: 'deny', scope: 'user', match: { command: ['shred'] } };
  expect(await bench.client.call('permission.backtest', { rule, project: bench.project })).toMatchObject({
    value: { considered: 1, matched: [{ answered: 'denied by user' }] },
  });
});

test('tools are listed for a project alone', async () => {
  const { client, project } = testBench({});
  expect(await client.call('tool.list', { project })).toMatchObject({ ok: true });
  expect(await client.call('tool.list', {} as { project: string })).toMatchObject({
    ok: false,
    error: { code: 'VALIDATION_ERROR' },
  });
});
