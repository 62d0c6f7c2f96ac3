import type {
  CreateElicitationRequest,
  RequestPermissionRequest,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import * as sdk from '@agentclientprotocol/sdk';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerReply } from '../../../e2e/modelServer.ts';
import { askServer } from '../../engine/testing/serverBench.ts';
import { createEditorAgent } from './editorAgent.ts';

interface Behind {
  readonly files?: Readonly<Record<string, string>>;
  readonly forms?: boolean;
  readonly notices?: boolean;
  readonly allow?: 'none' | 'dangerous';
  /** The option that the person chooses; a promise that never ends leaves the question open. */
  readonly choose?: (asked: RequestPermissionRequest, count: number) => string | undefined | Promise<string>;
  readonly fill?: (asked: CreateElicitationRequest) => Record<string, string | boolean | string[]> | undefined;
}

/** A real engine and model server, with the package's own client on the other side. */
async function editor(replies: readonly ServerReply[], behind: Behind = {}) {
  const { bench, server, asked } = await askServer(replies, {
    files: behind.files ?? { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n' },
    ports: { allow: behind.allow ?? 'none' },
  });
  const updates: SessionNotification[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const forms: CreateElicitationRequest[] = [];
  const warnings: string[] = [];
  const asks = Promise.withResolvers<void>();
  const app = sdk
    .client({ name: 'test' })
    .onNotification('session/update', ({ params }) => void updates.push(params))
    .onRequest('session/request_permission', async ({ params, signal }) => {
      permissions.push(params);
      asks.resolve();
      const cancelled = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
      const chosen = behind.choose?.(params, permissions.length) ?? 'once';
      const optionId = await Promise.race([chosen, cancelled]);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onRequest('elicitation/create', ({ params }) => {
      forms.push(params);
      const content = behind.fill?.(params);
      return content === undefined ? { action: 'decline' } : { action: 'accept', content };
    });
  const { engine, client } = bench;
  const connect = () => {
    const agent = createEditorAgent(sdk, {
      client,
      version: '0',
      factsOf: engine.factsOf,
      sessions: () => engine.sessions.list(),
      checkProvider: () => engine.checkProvider(undefined),
      open: (session) => engine.sessions.open(session),
      warn: (problem) => void warnings.push(problem),
    });
    const connection = app.connect(agent);
    onTestFinished(() => connection.close());
    return connection.agent;
  };
  const agent = connect();
  const clientCapabilities = {
    ...(behind.forms && { elicitation: { form: {} } }),
    ...(behind.notices && { session: { notices: {} } }),
  };
  const initialize = { protocolVersion: sdk.PROTOCOL_VERSION, clientCapabilities };
  const known = await agent.request('initialize', initialize);
  const begin = async () => (await agent.request('session/new', { cwd: bench.project, mcpServers: [] })).sessionId;
  const say = (sessionId: string, text: string) =>
    agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return {
    agent,
    known,
    begin,
    say,
    updates,
    permissions,
    forms,
    warnings,
    bench,
    server,
    asked,
    asks,
    connect,
    initialize,
  };
}

const of = <K extends SessionUpdate['sessionUpdate']>(updates: readonly SessionNotification[], kind: K) =>
  updates.flatMap(({ update }) =>
    update.sessionUpdate === kind ? [update as SessionUpdate & { sessionUpdate: K }] : [],
  );
const spoken = (updates: readonly SessionNotification[], kind: 'agent_message_chunk' | 'user_message_chunk') =>
  of(updates, kind)
    .map(({ content }) => (content.type === 'text' ? content.text : ''))
    .join('');

const write = (content: string) => ({ calls: [{ tool: 'write_file', input: { filePath: 'a.txt', content } }] });
const twoHunks = write('ONE\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nTEN\n');

test('an editor learns what Vise can do, and the modes of a new session', async () => {
  const { known, agent, bench, updates } = await editor([]);
  expect(known).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'vise' },
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
  });
  const made = await agent.request('session/new', { cwd: bench.project, mcpServers: [] });
  expect(made.modes?.availableModes.map(({ id }) => id)).toEqual(['phased', 'direct', 'ask']);
  const offered = () => of(updates, 'available_commands_update').map(({ availableCommands }) => availableCommands);
  await expect.poll(() => offered()[0]?.map(({ name }) => name)).toEqual(['continue', 'init']);
});

test('the to-do list that the agent keeps is the plan of the editor', async () => {
  const todos = [
    { content: 'Read it', status: 'completed' },
    { content: 'Change it', status: 'in_progress' },
  ];
  const { agent, begin, say, updates } = await editor([
    { calls: [{ tool: 'update_todos', input: { todos } }] },
    { text: 'Begun.' },
  ]);
  const session = await begin();
  await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
  await say(session, 'Go.');
  const entries = todos.map((todo) => ({ ...todo, priority: 'medium' }));
  expect(of(updates, 'plan')).toEqual([{ sessionUpdate: 'plan', entries }]);
});

describe('a change that waits', () => {
  test('is shown as a diff and written when it is accepted', async () => {
    const { agent, begin, say, permissions, updates, bench } = await editor([twoHunks, { text: 'Done.' }]);
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    expect(await say(session, 'Write it.')).toEqual({ stopReason: 'end_turn' });
    expect(permissions).toHaveLength(1);
    expect(permissions[0]).toMatchObject({
      toolCall: {
        kind: 'edit',
        locations: [{ path: `${bench.project}/a.txt`, line: 1 }],
        content: [{ type: 'diff', path: `${bench.project}/a.txt`, newText: expect.stringMatching(/^ONE\n/) }],
      },
      options: expect.arrayContaining([
        { optionId: 'once', name: 'Accept', kind: 'allow_once' },
        { optionId: 'hunks', name: 'Choose hunks…', kind: 'allow_once' },
        { optionId: 'deny', name: 'Reject', kind: 'reject_once' },
      ]),
    });
    expect(bench.file('a.txt')).toMatch(/^ONE\n/);
    expect(of(updates, 'tool_call_update').map(({ status }) => status)).toEqual([
      'in_progress',
      undefined,
      'completed',
    ]);
    expect(spoken(updates, 'agent_message_chunk')).toBe('Done.');
    expect(of(updates, 'current_mode_update')).toEqual([
      { sessionUpdate: 'current_mode_update', currentModeId: 'direct' },
    ]);
  });

  test('is written in part where a form says so, and the reason is in the next request', async () => {
    const { agent, begin, say, forms, bench, asked } = await editor([twoHunks, { text: 'Understood.' }], {
      forms: true,
      choose: () => 'hunks',
      fill: () => ({ keep_1: false, reason: 'The first line stays small.' }),
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    expect(await say(session, 'Write it.')).toEqual({ stopReason: 'end_turn' });
    expect(forms[0]).toMatchObject({
      mode: 'form',
      requestedSchema: { properties: { keep_1: { title: 'a.txt, line 1' }, keep_2: { title: 'a.txt, line 10' } } },
    });
    expect(bench.file('a.txt')).toMatch(/^one\n[^]*TEN\n$/);
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain('The first line stays small.');
  });

  test('is chosen hunk by hunk by questions where there are no forms', async () => {
    const { agent, begin, say, permissions, bench } = await editor([twoHunks, { text: 'Fine.' }], {
      choose: (_asked, count) => ['hunks', 'keep', 'leave'][count - 1],
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    await say(session, 'Write it.');
    expect(permissions.slice(1).map(({ toolCall }) => [toolCall.title, toolCall.content])).toEqual([
      [
        'a.txt, line 1 (1 of 2)',
        [{ type: 'diff', path: `${bench.project}/a.txt`, oldText: 'one\n', newText: 'ONE\n' }],
      ],
      [
        'a.txt, line 10 (2 of 2)',
        [{ type: 'diff', path: `${bench.project}/a.txt`, oldText: 'ten\n', newText: 'TEN\n' }],
      ],
    ]);
    expect(bench.file('a.txt')).toMatch(/^ONE\n[^]*ten\n$/);
  });

  test('is rejected with a reason that the model reads', async () => {
    const { agent, begin, say, bench, asked } = await editor([twoHunks, { text: 'Then not.' }], {
      forms: true,
      choose: () => 'reason',
      fill: () => ({ reason: 'Not this file.' }),
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    expect(await say(session, 'Write it.')).toEqual({ stopReason: 'end_turn' });
    expect(bench.file('a.txt')).toMatch(/^one\n/);
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain('Not this file.');
  });

  test('is not written when the prompt is cancelled while it is asked, and the session goes on', async () => {
    const { agent, begin, say, bench, asks, warnings } = await editor([twoHunks, { text: 'Again.' }], {
      choose: () => new Promise(() => undefined),
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    const ended = say(session, 'Write it.');
    await asks.promise;
    await agent.notify('session/cancel', { sessionId: session });
    expect(await ended).toEqual({ stopReason: 'cancelled' });
    expect(bench.file('a.txt')).toMatch(/^one\n/);
    expect(await say(session, 'And now?')).toEqual({ stopReason: 'end_turn' });
    expect(warnings).toEqual([]);
  });
});

test('a command is asked with its words, and always means the rules that the option names', async () => {
  const run = { calls: [{ tool: 'run', input: { command: 'touch made' } }] };
  const { agent, begin, say, permissions } = await editor([run, run, { text: 'Ran.' }], { choose: () => 'session' });
  const session = await begin();
  await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
  await say(session, 'Run it twice.');
  expect(permissions).toHaveLength(1);
  expect(permissions[0]?.toolCall).toMatchObject({ kind: 'execute', title: expect.stringContaining('touch made') });
  expect(permissions[0]?.options.find(({ optionId }) => optionId === 'session')?.name).toContain('command touch made');
});

describe('a question of the agent', () => {
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?' } }] };

  test('is a form where the client has forms', async () => {
    const { begin, say, forms, asked, agent } = await editor([ask, { text: 'Blue it is.' }], {
      forms: true,
      fill: () => ({ answer: 'blue' }),
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    await say(session, 'Paint.');
    expect(forms[0]?.message).toBe('Which colour?');
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain('blue');
  });

  test('ends the prompt elsewhere, and the next prompt is its answer', async () => {
    const { begin, say, updates, asked, agent } = await editor([ask, { text: 'Blue it is.' }]);
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    expect(await say(session, 'Paint.')).toEqual({ stopReason: 'end_turn' });
    expect(spoken(updates, 'agent_message_chunk')).toContain('Which colour?');
    expect(await say(session, 'blue')).toEqual({ stopReason: 'end_turn' });
    expect(spoken(updates, 'agent_message_chunk')).toContain('Blue it is.');
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain('blue');
  });
});

test('what a subagent asks is asked in the session that the editor knows, with its name', async () => {
  const replies: readonly ServerReply[] = [
    { when: 'Paint', calls: [{ tool: 'subagent', input: { title: 'colours', task: 'Find a colour.' } }] },
    { when: 'Find', calls: [{ tool: 'ask_user', input: { question: 'Which colour?' } }] },
    { when: 'Find', text: 'Blue it is.' },
    { when: 'Paint', text: 'Painted.' },
  ];
  const { begin, say, forms, updates, agent } = await editor(replies, {
    forms: true,
    fill: () => ({ answer: 'blue' }),
  });
  const session = await begin();
  await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
  expect(await say(session, 'Paint.')).toEqual({ stopReason: 'end_turn' });
  expect(forms.map(({ message }) => message)).toEqual(['The subagent “colours”: Which colour?']);
  expect(spoken(updates, 'agent_message_chunk')).toContain('Painted.');
});

describe('a question with choices', () => {
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?', choices: ['blue', 'green'] } }] };

  test('is a form with them and room for own words', async () => {
    const { begin, say, forms, asked, agent } = await editor([ask, { text: 'Green.' }], {
      forms: true,
      fill: () => ({ choice: 'green' }),
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    await say(session, 'Paint.');
    expect(forms[0]).toMatchObject({ requestedSchema: { properties: { choice: { enum: ['blue', 'green'] } } } });
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain('green');
  });

  test.each([
    ['1', 'green', 1],
    ['words', 'red', 2],
  ])('is a list where there are no forms: %s answers %s', async (optionId, answer, prompts) => {
    const { begin, say, permissions, asked, agent } = await editor([ask, { text: 'Fine.' }], {
      choose: () => optionId,
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    await say(session, 'Paint.');
    if (prompts === 2) await say(session, 'red');
    expect(permissions[0]?.options.map(({ name }) => name)).toEqual(['blue', 'green', 'I write the answer next']);
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain(answer);
  });
});

describe('several questions at once', () => {
  const input = { question: 'Which?', choices: ['a', 'b', 'c'], multiple: true, more: [{ question: 'How?' }] };
  const ask = { calls: [{ tool: 'ask_user', input }] };
  const answered = '1. Which?\\n- a\\n- c\\n\\n2. How?\\nwell';

  test('are one form', async () => {
    const { begin, say, forms, asked, agent } = await editor([ask, { text: 'Fine.' }], {
      forms: true,
      fill: () => ({ choice_1: ['a', 'c'], answer_2: 'well' }),
    });
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    await say(session, 'Go.');
    expect(forms).toMatchObject([
      {
        message: '2 questions',
        requestedSchema: {
          properties: {
            choice_1: { type: 'array', title: '1. Which?', items: { enum: ['a', 'b', 'c'] } },
            answer_1: { type: 'string', title: 'Or in your own words' },
            answer_2: { type: 'string', title: '2. How?' },
          },
        },
      },
    ]);
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain(answered);
  });

  test('end the prompt elsewhere, and the next prompt answers them all', async () => {
    const { begin, say, updates, permissions, asked, agent } = await editor([ask, { text: 'Fine.' }]);
    const session = await begin();
    await agent.request('session/set_mode', { sessionId: session, modeId: 'direct' });
    await say(session, 'Go.');
    expect(spoken(updates, 'agent_message_chunk')).toContain(
      '1. Which? (several may be chosen)\n- a\n- b\n- c\n\n2. How?',
    );
    await say(session, 'a and b, well');
    expect(permissions).toEqual([]);
    expect(JSON.stringify(asked(2).messages.at(-1))).toContain('a and b, well');
  });
});

test('a prompt brings files of the project as mentions, and what the editor sends along as attachments', async () => {
  const { agent, begin, bench, asked } = await editor([{ text: 'Seen.' }], { files: { 'a b.txt': 'of the file\n' } });
  const sessionId = await begin();
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'Look at' },
      { type: 'resource_link', name: 'a b.txt', uri: `file://${bench.project}/a%20b.txt` },
      { type: 'resource_link', name: 'far', uri: 'https://example.com/far' },
      { type: 'resource', resource: { uri: 'untitled:1', text: 'an unsaved text' } },
      { type: 'image', data: picture, mimeType: 'image/png' },
    ],
  });
  const sent = JSON.stringify(asked(1).messages);
  for (const part of ['Look at @\\"a b.txt\\"', 'of the file', 'https://example.com/far', 'an unsaved text', picture])
    expect(sent).toContain(part);
});

test('a session is listed, loaded with what was said and done, and goes on', async () => {
  const first = await editor([twoHunks, { text: 'Done.' }, { text: 'Still here.' }]);
  const sessionId = await first.begin();
  await first.agent.request('session/set_mode', { sessionId, modeId: 'direct' });
  await first.say(sessionId, 'Write it.');
  const cwd = first.bench.project;
  const { sessions } = await first.agent.request('session/list', { cwd });
  expect(sessions).toContainEqual(expect.objectContaining({ sessionId, cwd, title: 'Write it.' }));

  const again = first.connect();
  await again.request('initialize', first.initialize);
  first.updates.splice(0);
  const loaded = await again.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(loaded?.modes?.currentModeId).toBe('direct');
  expect(spoken(first.updates, 'user_message_chunk')).toBe('Write it.');
  expect(spoken(first.updates, 'agent_message_chunk')).toBe('Done.');
  expect(of(first.updates, 'tool_call')).toHaveLength(1);
  const prompt = [{ type: 'text' as const, text: 'Are you there?' }];
  expect(await again.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' });
  await again.request('session/close', { sessionId });
  await expect(again.request('session/prompt', { sessionId, prompt })).rejects.toMatchObject({ code: -32_002 });
});

describe('bad input', () => {
  test.each<[string, string, object, number]>([
    ['a folder that is not there', 'session/new', { cwd: '/no/such/folder', mcpServers: [] }, -32_602],
    ['a session that is not there', 'session/load', { sessionId: 'none', cwd: '/', mcpServers: [] }, -32_002],
    ['a prompt for a session that is not open', 'session/prompt', { sessionId: 'none', prompt: [] }, -32_002],
    ['a prompt that is none', 'session/prompt', { sessionId: 1 }, -32_602],
    ['a method that is not there', 'session/unheard_of', {}, -32_601],
  ])('%s is refused with its number', async (_what, method, params, code) => {
    const { agent } = await editor([]);
    await expect(agent.request(method, params)).rejects.toMatchObject({ code });
  });

  test('an empty prompt, sound and a mode that is not there are refused, and the session stays usable', async () => {
    const { agent, begin, say } = await editor([{ text: 'Hello.' }]);
    const sessionId = await begin();
    await expect(agent.request('session/prompt', { sessionId, prompt: [] })).rejects.toMatchObject({ code: -32_602 });
    const prompt = [{ type: 'audio' as const, data: 'AA==', mimeType: 'audio/wav' }];
    await expect(agent.request('session/prompt', { sessionId, prompt })).rejects.toMatchObject({ code: -32_602 });
    await expect(agent.request('session/set_mode', { sessionId, modeId: 'fast' })).rejects.toMatchObject({
      code: -32_602,
    });
    expect(await say(sessionId, 'Hello?')).toEqual({ stopReason: 'end_turn' });
  });

  test('a provider that fails is an error of the prompt, with its reason', async () => {
    const { begin, say } = await editor([{ status: 401, body: '{"error":{"message":"no such key"}}' }]);
    const session = await begin();
    await expect(say(session, 'Hello?')).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/key/i),
    });
  });
});
