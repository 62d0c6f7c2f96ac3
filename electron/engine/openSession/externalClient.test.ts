import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../../shared/contract/client.ts';
import { inMemoryPair } from '../../../shared/contract/inMemoryPair.ts';
import { questionsOf } from '../../../shared/model/questions.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { followSession, type TestBench, type TestSession, testBench } from '../testing/engineForTest.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { createWorkbenchAsk } from './askWorkbench.ts';
import { createMcpPort } from './mcpPort.ts';

interface ExternalClient {
  call(
    tool: string,
    input: object,
    options?: { signal?: AbortSignal; elicit?: () => 'allow' | 'deny' },
  ): Promise<ToolResult>;
  /** The workbench goes away. */
  cut(): void;
  readonly progress: string[];
  readonly elicited: string[];
}

/** What `vise mcp` is to a workbench: another engine on the same folders, with nobody of its own to ask. */
async function clientOf(bench: TestBench, clock: Clock = systemClock, client = 'sample 1.0'): Promise<ExternalClient> {
  const other = testBench({}, { ...bench.ports, interactive: false });
  const project = await other.engine.project(bench.project);
  if (!project.ok) throw new Error(project.error.message);
  const cuts: (() => void)[] = [];
  const ask = createWorkbenchAsk({
    connect: async () => {
      if (cuts.length > 0) return undefined;
      const [near, far] = inMemoryPair();
      const serving = bench.engine.connectExternal(far);
      cuts.push(() => serving.dispose());
      return near;
    },
    isRunning: () => cuts.length === 0,
    clock,
    project: bench.project,
  });
  onTestFinished(() => ask.dispose());
  const port = createMcpPort(other.engine, project.value, '1', ask);
  const progress: string[] = [];
  const elicited: string[] = [];
  return {
    progress,
    elicited,
    cut() {
      if (cuts.length === 0) cuts.push(() => undefined);
      for (const cut of cuts) cut();
    },
    async call(tool, input, { signal = new AbortController().signal, elicit } = {}) {
      const answer = await port.callTool(tool, input, {
        client,
        signal,
        onProgress: (text) => void progress.push(text),
        ask(question) {
          elicited.push(question);
          return Promise.resolve(elicit?.() ?? 'unavailable');
        },
      });
      return answer.result;
    },
  };
}

/** The session in which an external client asks, as soon as the list shows one that waits. */
async function waitingSession({ client }: { client: Client }): Promise<TestSession> {
  const found = Promise.withResolvers<string>();
  const stop = client.onWorkbench(({ event }) => {
    if (event.type === 'session.listed' && event.summary.waiting > 0) found.resolve(event.summary.id);
  });
  const watched = await client.call('workbench.watch', {});
  if (watched.ok)
    for (const { id, waiting } of Object.values(watched.value.state.sessions)) if (waiting > 0) found.resolve(id);
  const id = await found.promise;
  stop();
  return followSession(client, id);
}

const write = { filePath: 'b.txt', content: 'x\n' };

test('what an MCP client wants stands in the inbox with its plan, and the answer counts', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const result = client.call('write_file', write);
  const session = await waitingSession(bench);
  const [waiting] = session.waiting();
  expect([session.mirror().title, waiting?.tool, waiting?.intent?.preview.kind]).toEqual([
    'MCP: sample 1.0',
    'write_file',
    'changes',
  ]);
  const preview = waiting?.intent?.preview;
  const after = preview?.kind === 'changes' ? (preview.changes[0]?.after ?? '') : '';
  expect(await bench.client.call('content.read', { session: session.id, id: after })).toMatchObject({
    ok: true,
    value: { text: 'x\n' },
  });
  expect(existsSync(join(bench.project, 'b.txt'))).toBe(false);
  const call = waiting?.id ?? '';
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
  expect(await result).toMatchObject({ success: true });
  expect([bench.file('b.txt'), client.elicited]).toEqual(['x\n', []]);
  await session.next('tool.finished');
  expect(callsOf(session.mirror()).map(({ state, answer }) => [state, answer?.by])).toEqual([['finished', 'user']]);
  expect(client.progress[0]).toBe('Waits for an answer in the Vise workbench.\n');
});

test('hunks that the person edits in the workbench are what is written', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const result = client.call('write_file', write);
  const session = await waitingSession(bench);
  await bench.client.call('permission.answer', {
    session: session.id,
    call: session.waiting()[0]?.id ?? '',
    decision: 'once',
    verdicts: [{ path: 'b.txt', keep: 'all', content: 'edited\n' }],
  });
  expect(await result).toMatchObject({ success: true });
  expect(bench.file('b.txt')).toBe('edited\n');
  await session.next('tool.finished'); // its contents are kept until then
});

test('what an MCP client wrote is taken back in the workbench', async () => {
  const bench = testBench({ 'b.txt': 'before\n' });
  const client = await clientOf(bench);
  const result = client.call('edit_file', { filePath: 'b.txt', oldStr: 'before', newStr: 'after' });
  const session = await waitingSession(bench);
  const call = session.waiting()[0]?.id ?? '';
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
  expect(await result).toMatchObject({ success: true });
  const { changeSet } = await session.next('change.applied');
  expect(bench.file('b.txt')).toBe('after\n');
  expect(await bench.client.call('change.undo', { session: session.id, changeSet })).toEqual({
    ok: true,
    value: { files: ['b.txt'], skipped: [] },
  });
  expect(bench.file('b.txt')).toBe('before\n');
});

test('a no comes back with its reason', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const result = client.call('write_file', write);
  const session = await waitingSession(bench);
  const call = session.waiting()[0]?.id ?? '';
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny', reason: 'not today' });
  expect(await result).toMatchObject({
    success: false,
    error: { code: 'PERMISSION_DENIED', message: expect.stringContaining('not today') },
  });
  expect(existsSync(join(bench.project, 'b.txt'))).toBe(false);
});

test('what was allowed for the session is not asked again, for this client alone', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const run = { command: 'echo hi' };
  const first = client.call('run', run);
  const session = await waitingSession(bench);
  const call = session.waiting()[0];
  await bench.client.call('permission.answer', { session: session.id, call: call?.id ?? '', decision: 'session' });
  expect(await first).toMatchObject({ success: true });
  expect(await client.call('run', run)).toMatchObject({ success: true });
  const other = await clientOf(bench);
  const asked = other.call('run', run);
  const second = await waitingSession(bench);
  expect(second.id).not.toBe(session.id);
  await bench.client.call('permission.answer', {
    session: second.id,
    call: second.waiting()[0]?.id ?? '',
    decision: 'deny',
  });
  expect(await asked).toMatchObject({ success: false });
});

test('commands that are alike are one question: one answer for all of them or none, recorded for each', async () => {
  const bench = testBench({ 'a.js': '', 'b.js': '', 'c.js': '' });
  const client = await clientOf(bench);
  const lines = ['node a.js', 'node b.js', 'node c.js'];
  const results = lines.map((command) => client.call('run', { command }));
  const session = await waitingSession(bench);
  while (session.waiting().length < lines.length) await session.next('permission.asked');
  const questions = questionsOf(session.mirror());
  expect(questions.map((calls) => calls.length)).toEqual([3]);
  const [call = '', ...alike] = questions.flatMap((calls) => calls.map(({ id }) => id));
  const answer = { session: session.id, call, decision: 'once' as const };
  const wrong = await bench.client.call('permission.answer', { ...answer, alike: [...alike, 'call_of_nobody'] });
  expect([wrong.ok, session.waiting().length]).toEqual([false, 3]);
  expect(await bench.client.call('permission.answer', { ...answer, alike })).toEqual({ ok: true, value: {} });
  expect((await Promise.all(results)).map(({ success }) => success)).toEqual([true, true, true]);
  expect(callsOf(session.mirror()).map(({ answer }) => answer?.by)).toEqual(['user', 'user', 'user']);
});

test('a question of the agent is answered in words', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const result = client.call('ask_user', { question: 'Which port?' });
  const session = await waitingSession(bench);
  const call = session.waiting()[0]?.id ?? '';
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once', answer: '8080' });
  expect(JSON.stringify(await result)).toContain('8080');
});

test.each([
  ['the client can ask its user', () => 'allow' as const, true],
  ['the client cannot', undefined, false],
])('when the workbench closes before the answer and %s, that counts', async (_, elicit, written) => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const result = client.call('write_file', write, { ...(elicit ? { elicit } : {}) });
  const session = await waitingSession(bench);
  client.cut();
  expect((await result).success).toBe(written);
  expect([existsSync(join(bench.project, 'b.txt')), client.elicited.length]).toEqual([written, 1]);
  await session.next('tool.finished');
  expect(session.waiting()).toEqual([]);
});

test('without a workbench the client is asked at once', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  client.cut();
  expect(await client.call('write_file', write, { elicit: () => 'allow' })).toMatchObject({ success: true });
  expect(client.elicited).toHaveLength(1);
});

test('C5: what is elicited shows what would hide or turn its words, and does not grow without end', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  client.cut();
  const command = `echo \u001B]52;c;aGk=\u0007 \u202Egnp ${' '.repeat(300)}; touch evil ${'x'.repeat(100_000)}`;
  expect(await client.call('run', { command }, { elicit: () => 'deny' })).toMatchObject({ success: false });
  const [question = ''] = client.elicited;
  expect(question).toContain('echo ␛]52;c;aGk=␇ ⟦U+202E⟧gnp ⟦301 blanks⟧ ; touch evil');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown
  expect(question).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
  expect(question.length).toBeLessThan(20_000);
});

test('a call that the client cancels leaves the inbox', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const stop = new AbortController();
  const result = client.call('write_file', write, { signal: stop.signal });
  const session = await waitingSession(bench);
  stop.abort();
  expect(await result).toMatchObject({ success: false });
  await session.next('tool.finished');
  expect(session.waiting()).toEqual([]);
});

test('nobody in ten minutes is a no, and the question goes', async () => {
  const bench = testBench({});
  const clock = new ManualClock();
  const client = await clientOf(bench, clock);
  const result = client.call('write_file', write);
  const session = await waitingSession(bench);
  clock.advance(10 * 60_000);
  expect(await result).toMatchObject({
    success: false,
    error: { message: expect.stringContaining('Nobody answered') },
  });
  await session.next('tool.finished');
  expect([session.waiting(), client.elicited]).toEqual([[], []]);
});

test('a question that a restart of the workbench finds is over', async () => {
  const bench = testBench({});
  const client = await clientOf(bench);
  const result = client.call('write_file', write);
  const { id } = await waitingSession(bench);
  const next = await bench.restart();
  client.cut();
  await result;
  await next.client.call('session.watch', { session: id });
  const session = await followSession(next.client, id);
  expect([session.waiting(), callsOf(session.mirror()).map(({ state }) => state)]).toEqual([[], ['finished']]);
});

test('S3: an external client can ask and nothing else', async () => {
  const bench = testBench({});
  const [near, far] = inMemoryPair();
  bench.engine.connectExternal(far);
  const client = createClient(near);
  const closed = new Promise((resolve) => void client.onClose(resolve));
  expect(await client.call('workbench.watch', {})).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  expect(await closed).toContain('There is no method "workbench.watch"');
});

test('J5: a crowd of questions at once is bounded, by client and in all, shares a session and holds up no end', async () => {
  const bench = testBench({});
  const answers: string[] = [];
  const servings = Array.from({ length: 6 }, () => {
    const [near, far] = inMemoryPair();
    const serving = bench.engine.connectExternal(far);
    const client = createClient(near);
    const intent = {
      risk: 'dangerous' as const,
      effects: [],
      targets: [],
      summary: 'x',
      preview: { kind: 'none' as const },
    };
    for (let key = 0; key < 200; key += 1)
      void client
        .call('external.ask', {
          client: 'crowd',
          project: bench.project,
          key: `k${key}`,
          call: { tool: 'write_file', category: 'file', level: 'dangerous', input: {}, intent },
        })
        .then((answer) => answers.push(answer.ok ? answer.value.decision : answer.error.code));
    return serving;
  });
  const summaries = async () => {
    const watched = await bench.client.call('workbench.watch', {});
    return watched.ok ? Object.values(watched.value.state.sessions) : [];
  };
  const waiting = async () => (await summaries()).reduce((sum, one) => sum + one.waiting, 0);
  while ((await waiting()) < 200) await new Promise((resolve) => setTimeout(resolve, 20));
  expect([answers.length, new Set(answers), (await summaries()).length]).toEqual([
    1000,
    new Set(['LIMIT_EXCEEDED']),
    4,
  ]);
  for (const serving of servings) serving.dispose();
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
