import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { PseudoResult } from '../bridge/pseudoCli/shapes.ts';
import { type TestBench, testBench } from '../testing/engineForTest.ts';

const reply = [{ text: 'Hello from the thread.' }];

async function bench(ports: Parameters<typeof testBench>[1] = { allow: 'dangerous' }): Promise<TestBench> {
  const made = testBench({}, ports);
  await made.session(reply, 'ask'); // writes what every session of this bench plays
  return made;
}

/** A pseudo command as `vise call` makes it: its content as JSON where it is some, or its error. */
async function call({ engine, project }: TestBench, command: string, ask?: () => Promise<'deny'>): Promise<unknown> {
  const { signal } = new AbortController();
  const result = await engine.callTool(project, 'codebolt_command', { command }, signal, ask ? { ask } : {});
  const told = (result.success ? result.data : result.error.details) as PseudoResult;
  if (told.error) return told.error;
  return told.llmContent.startsWith('{') ? JSON.parse(told.llmContent) : told.llmContent;
}

describe('thread', () => {
  test('is made, waits with its task, is started, and has its messages', async () => {
    const made = await bench();
    const created = await call(made, 'codebolt thread create --task "say hello" --agent ask');
    expect(created).toMatchObject({ title: 'say hello', agent: 'ask', status: 'idle', turns: 0 });
    const { id } = created as { id: string };
    expect(await call(made, `codebolt thread messages --id ${id}`)).toMatchObject({ count: 0 });
    expect(await call(made, `codebolt thread start --id ${id}`)).toMatchObject({ thread: id });
    const opened = await made.engine.sessions.open(id);
    if (opened.ok) await opened.value.agent.rest();
    expect(await call(made, `codebolt chat history --thread ${id}`)).toMatchObject({
      messages: [
        { role: 'user', text: 'say hello' },
        { role: 'assistant', text: 'Hello from the thread.' },
      ],
    });
    expect(await call(made, `codebolt thread get --id ${id}`)).toMatchObject({ turns: 1, lastOutcome: 'answered' });
  });

  test('is run to its end at once, by agent start and by task execute too', async () => {
    const made = await bench();
    const ended = { outcome: 'answered', text: 'Hello from the thread.' };
    expect(await call(made, 'codebolt thread create-start --task hi --agent ask')).toMatchObject(ended);
    expect(await call(made, 'codebolt agent start --id ask --task hi')).toMatchObject(ended);
    const { id } = (await call(made, 'codebolt task create --title hi')) as { id: string };
    expect(await call(made, `codebolt task execute --id ${id} --agent ask`)).toMatchObject({
      ...ended,
      task: { status: 'completed', agent: 'ask' },
    });
  });

  test('is renamed, archived and deleted', async () => {
    const made = await bench();
    const { id } = (await call(made, 'codebolt thread create --task hi')) as { id: string };
    expect(await call(made, `codebolt thread update --id ${id} --data {"title":"Better"}`)).toMatchObject({
      title: 'Better',
    });
    expect(await call(made, `codebolt thread status --id ${id} --status archived`)).toMatchObject({ archived: true });
    expect(await call(made, `codebolt thread status --id ${id} --status sleeping`)).toMatchObject({
      type: 'INVALID_TOOL_PARAMS',
    });
    expect(await call(made, `codebolt thread update --id ${id} --data {"owner":"me"}`)).toMatchObject({
      type: 'INVALID_TOOL_PARAMS',
    });
    expect(await call(made, `codebolt thread delete --id ${id}`)).toEqual({ id, deleted: true });
    expect(await call(made, `codebolt thread get --id ${id}`)).toMatchObject({
      type: 'EXECUTION_FAILED',
      message: expect.stringContaining('not found'),
    });
  });

  test('of another project is not found', async () => {
    const made = await bench();
    const other = made.engine.sessions.create({
      project: made.home,
      mode: 'ask',
      provider: '',
      model: '',
    });
    const id = other.ok ? other.value.session.id : '';
    expect(await call(made, `codebolt thread messages --id ${id}`)).toMatchObject({ type: 'EXECUTION_FAILED' });
  });

  test('is not started or deleted without its permission', async () => {
    const made = await bench({});
    const deny = () => Promise.resolve('deny' as const);
    const before = made.engine.sessions.list().length;
    const denied = { type: 'EXECUTION_FAILED', message: expect.stringMatching(/^Permission denied/) };
    for (const command of ['create --task hi', 'create-start --task hi --agent ask', 'create-bg --task hi --agent ask'])
      expect(await call(made, `codebolt thread ${command}`, deny)).toMatchObject(denied);
    expect(made.engine.sessions.list()).toHaveLength(before);
    const id = made.engine.sessions.list()[0]?.id ?? '';
    await made.client.call('session.draft', { session: id, text: 'hi' });
    for (const command of ['start', 'delete'])
      expect(await call(made, `codebolt thread ${command} --id ${id}`, deny)).toMatchObject(denied);
    expect(made.engine.sessions.list()).toHaveLength(before);
  });

  test('an agent that nobody knows is wrong use', async () => {
    const made = await bench();
    expect(await call(made, 'codebolt thread create --task hi --agent bob')).toMatchObject({
      type: 'INVALID_TOOL_PARAMS',
      message: expect.stringContaining('phased, direct, ask'),
    });
  });
});

test('agents are listed, found by a task and told in detail', async () => {
  const made = await bench();
  expect(await call(made, 'codebolt agent list')).toMatchObject({ count: 3 });
  expect(await call(made, 'codebolt agent find --task "explain the review" --max 1')).toMatchObject({
    agents: [{ id: 'ask' }],
  });
  expect(await call(made, 'codebolt agent details --agents ["direct"]')).toMatchObject({ agents: [{ id: 'direct' }] });
  expect(await call(made, 'codebolt agent details --agents ["nobody"]')).toMatchObject({ type: 'EXECUTION_FAILED' });
});

test('what the chat says is heard, and a choice needs somebody to choose', async () => {
  const made = await bench({ allow: 'dangerous', interactive: false });
  const heard: string[] = [];
  const { signal } = new AbortController();
  await made.engine.callTool(
    made.project,
    'codebolt_command',
    { command: 'codebolt chat notify --message "disk full" --type warning' },
    signal,
    { onEvent: (event) => event.type === 'tool.output' && heard.push(event.text) },
  );
  expect(heard).toEqual(['warning: disk full\n']);
  expect(await call(made, 'codebolt chat send --message hi')).toEqual({ sent: true });
  expect(await call(made, 'codebolt chat confirm --message "Sure?"')).toMatchObject({ type: 'EXECUTION_FAILED' });
});

test('a choice of the person comes back as the button', async () => {
  const made = testBench({});
  const command = 'codebolt chat confirm --message "Ship it?" --buttons ["Ship","Wait"]';
  const session = await made.session([{ calls: [{ tool: 'codebolt_command', input: { command } }] }, { text: 'So.' }]);
  await session.send('ask');
  await session.next('permission.asked');
  const waiting = session.waiting().map(({ id }) => id);
  for (const id of waiting)
    await made.client.call('permission.answer', { session: session.id, call: id, decision: 'once', answer: 'wait' });
  await session.next('turn.finished');
  const outer = callsOf(session.mirror()).find(({ tool }) => tool === 'codebolt_command');
  expect(JSON.stringify(outer?.result)).toContain('\\"button\\": \\"Wait\\"');
});

test('an MCP server is configured only as one can be, and then stands in the settings', async () => {
  const made = await bench();
  expect(await call(made, `codebolt mcp configure --name x --config {"args":[]}`)).toMatchObject({
    type: 'INVALID_TOOL_PARAMS',
  });
  const config = '{"command":"some-server","args":["--root","."]}';
  expect(await call(made, `codebolt mcp configure --name files --config ${config}`)).toEqual({
    name: 'files',
    configured: true,
  });
  const listed = await made.engine.project(made.project);
  if (listed.ok) await listed.value.bridge.servers.load();
  const servers = listed.ok ? listed.value.bridge.servers.views : [];
  expect(servers.map(({ entry }) => [entry.name, entry.connection])).toEqual([
    ['files', { kind: 'stdio', command: 'some-server', args: ['--root', '.'], env: {} }],
  ]);
});

test('a project is run as its files say, or says that it cannot', async () => {
  const silent = await bench();
  expect(await call(silent, 'codebolt project run')).toMatchObject({ type: 'EXECUTION_FAILED' });
  const made = testBench({ 'package.json': '{"scripts":{"dev":"echo dev","test":"echo test"}}' }, {});
  const shown: unknown[] = [];
  const { signal } = new AbortController();
  await made.engine.callTool(made.project, 'codebolt_command', { command: 'codebolt project run' }, signal, {
    ask(asked) {
      const { preview } = asked.intent;
      shown.push(preview.kind === 'command' ? preview.command : preview.kind);
      return Promise.resolve('deny');
    },
  });
  expect(shown).toEqual(['npm run dev']);
});

test('files that wait in the review are what the editor has', async () => {
  const made = testBench({});
  const session = await made.session([
    { calls: [{ tool: 'write_file', input: { filePath: 'a.txt', content: 'x' } }] },
    { text: 'Done.' },
  ]);
  await session.send('write');
  await session.next('permission.asked');
  expect(await call(made, 'codebolt project editor-status')).toEqual({
    files: [{ path: 'a.txt', status: 'added', thread: session.id }],
    count: 1,
  });
});
