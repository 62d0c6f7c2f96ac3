import { expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { testBench } from '../testing/engineForTest.ts';

test('the person calls a tool: its form, the gate, its result; what only the agent calls is refused', async () => {
  const bench = testBench({ 'a.txt': 'one\n' });
  const session = await bench.session([]);
  const { client, project } = bench;
  const form = await client.call('tool.input', { project, tool: 'read_file' });
  expect(form.ok && form.value.schema).toMatchObject({ required: ['filePath'] });
  expect(await client.call('tool.input', { project, tool: 'none' })).toMatchObject({
    ok: false,
    error: { code: 'TOOL_NOT_FOUND' },
  });

  const call = (tool: string, input: Record<string, unknown>) =>
    client.call('session.callTool', { session: session.id, tool, input });
  expect(await call('read_file', { filePath: 'a.txt' })).toMatchObject({ ok: true });
  expect((await session.next('tool.finished')).result).toMatchObject({ success: true });

  expect(await call('write_file', { filePath: 'a.txt', content: 'two\n' })).toMatchObject({ ok: true });
  const { call: asked } = await session.next('permission.asked');
  expect(bench.file('a.txt')).toBe('one\n');
  await client.call('permission.answer', { session: session.id, call: asked, decision: 'once' });
  await session.next('change.applied');
  expect(bench.file('a.txt')).toBe('two\n');

  const kept = callsOf(session.mirror()).length;
  expect(await call('read_file', {})).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  for (const tool of ['ask_user', 'update_todos', 'report_plan'])
    expect(await call(tool, { question: 'x', todos: [], steps: [] })).toMatchObject({ ok: false });
  expect(callsOf(session.mirror())).toHaveLength(kept);
  const listed = await client.call('tool.list', { project });
  const names = listed.ok ? listed.value.tools.filter(({ byPerson }) => byPerson).map(({ name }) => name) : [];
  expect([names.includes('read_file'), names.includes('ask_user'), names.includes('update_todos')]).toEqual([
    true,
    false,
    false,
  ]);
});
