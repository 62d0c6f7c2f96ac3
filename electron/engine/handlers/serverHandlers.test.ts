import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAuthServer } from '../bridge/mcp/testing/authServer.ts';
import { testBench } from '../testing/engineForTest.ts';
import { askServer } from '../testing/serverBench.ts';

// Each test starts an MCP server, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000 });

const program = join(import.meta.dirname, '..', 'bridge', 'mcp', 'testing', 'remoteServer.ts');
const local = { command: process.execPath, args: [program] };
const filesOf = (mcpServers: object) => ({ '.mcp.json': JSON.stringify({ mcpServers }) });
const wait = { timeout: 15_000 };

type Bench = Pick<ReturnType<typeof testBench>, 'client' | 'project'>;

async function listed({ client, project }: Bench) {
  const answer = await client.call('server.list', { project });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

async function until(bench: Bench, name: string, state: string) {
  return vi.waitFor(async () => {
    const found = (await listed(bench)).servers.find((server) => server.name === name);
    expect([found?.state, found?.reason]).toEqual([state, found?.reason]);
    return found;
  }, wait);
}

test('servers are listed with their state, what they offer, and what is wrong with the list', async () => {
  const servers = { local, wrong: { command: 3 }, gone: { command: join(import.meta.dirname, 'no-such-server') } };
  const bench = testBench(filesOf(servers), { trustWorkspace: true });
  const ready = await until(bench, 'local', 'ready');
  expect(ready).toMatchObject({ origin: 'project', place: `${process.execPath} ${program}`, signedIn: false });
  expect(ready?.tools.find(({ name }) => name === 'read')).toEqual({
    name: 'read',
    about: 'Reads\nthings',
    level: 'moderate',
  });
  expect([ready?.prompts, ready?.resources]).toEqual([
    [{ name: 'review', about: 'Review something' }],
    [{ name: 'docs://handbook', about: 'Handbook' }],
  ]);
  const gone = await until(bench, 'gone', 'waiting');
  expect([gone?.reason, gone?.retryInMs]).toEqual([expect.stringContaining('no-such-server'), expect.any(Number)]);
  expect((await listed(bench)).faults).toEqual(['MCP server "wrong": needs "command" or "url"']);
});

test('one is switched off and on for all projects, and restarted; its log says what became of it', async () => {
  const bench = testBench(filesOf({ local }), { trustWorkspace: true });
  const { client, project } = bench;
  const one = { project, name: 'local' };
  await until(bench, 'local', 'ready');
  expect(await client.call('server.switch', { ...one, on: false })).toEqual({ ok: true, value: {} });
  await until(bench, 'local', 'off');
  expect(await client.call('server.restart', one)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  await client.call('server.switch', { ...one, on: true });
  await until(bench, 'local', 'ready');
  expect(await client.call('server.restart', one)).toEqual({ ok: true, value: {} });
  await vi.waitFor(async () => {
    const log = await client.call('server.log', one);
    const texts = log.ok ? log.value.lines.map(({ from, text }) => `${from} ${text}`) : [];
    expect(texts).toEqual(['vise connecting', 'vise ready', 'vise connecting', 'vise ready']);
  }, wait);
});

test('J1: one of a project without trust waits, and is not started by a click either', async () => {
  const bench = testBench(filesOf({ local }), {});
  await until(bench, 'local', 'untrusted');
  const one = { project: bench.project, name: 'local' };
  expect(await bench.client.call('server.restart', one)).toMatchObject({ ok: false });
  expect(await bench.client.call('server.signIn', one)).toMatchObject({ ok: false });
  expect(await bench.client.call('server.log', one)).toEqual({ ok: true, value: { lines: [] } });
});

test('S5: signing in and out goes by the contract, and no answer of it has a token', async () => {
  const server = await startAuthServer();
  onTestFinished(() => server.close());
  const bench = testBench(filesOf({ remote: { url: `${server.url}?key=private` } }), { trustWorkspace: true });
  const { client, project } = bench;
  const one = { project, name: 'remote' };
  server.behaviour.resource = `${server.url}?key=private`;
  expect(await until(bench, 'remote', 'signedOut')).toMatchObject({ place: server.url, signedIn: false });
  const begun = await client.call('server.signIn', one);
  if (!begun.ok) throw new Error(begun.error.message);
  expect((await until(bench, 'remote', 'signedOut'))?.signInPage).toBe(begun.value.page);
  await fetch(begun.value.page);
  const ready = await until(bench, 'remote', 'ready');
  const log = await client.call('server.log', one);
  for (const token of server.given) expect(JSON.stringify([ready, log, begun])).not.toContain(token);
  expect([ready?.signedIn, ready?.tools.length]).toEqual([true, expect.any(Number)]);
  expect(await client.call('server.signOut', one)).toEqual({ ok: true, value: {} });
  expect((await until(bench, 'remote', 'signedOut'))?.signedIn).toBe(false);
});

test('a form of a server is a question of the session, and its answer reaches the server', async () => {
  const order = { calls: [{ tool: 'mcp_local_order', input: {} }] };
  const { bench, session, asked } = await askServer([order, { text: 'done' }], {
    files: filesOf({ local }),
    ports: { trustWorkspace: true, allow: 'dangerous' },
  });
  await bench.client.call('session.send', { session: session.id, text: 'Order one.' });
  for (const answer of ['large', '2', 'Yes']) {
    const call = await vi.waitFor(() => {
      const [waiting] = session.waiting();
      if (!waiting) throw new Error('nobody asks');
      return waiting;
    }, wait);
    expect(call.intent?.preview).toMatchObject({ kind: 'question', question: expect.stringContaining('local asks') });
    await bench.client.call('permission.answer', { session: session.id, call: call.id, decision: 'once', answer });
    await vi.waitFor(() => expect(session.waiting().map(({ id }) => id)).not.toContain(call.id), wait);
  }
  await vi.waitFor(() => expect(asked(2)).toBeDefined(), wait);
  const told = JSON.stringify(asked(2).messages.at(-1)?.content).replaceAll('\\', '');
  expect(told).toContain('"content":{"size":"large","count":2,"gift":true}');
});
