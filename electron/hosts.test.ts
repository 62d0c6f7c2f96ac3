import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../shared/contract/client.ts';
import { type Connection, maxFrameChars } from '../shared/contract/connection.ts';
import { inMemoryPair } from '../shared/contract/inMemoryPair.ts';
import { followSession, testBench } from './engine/testing/engineForTest.ts';
import { ipcConnection } from './main/ipcConnection.ts';
import { startLoopbackServer } from './server/loopbackServer.ts';
import { webSocketConnection } from './server/webSocketConnection.ts';

type Connect = (connection: Connection) => unknown;

async function overMemory(connect: Connect): Promise<Connection> {
  const [near, far] = inMemoryPair();
  connect(far);
  return near;
}

/** A real server and a real socket; the client's end is Node's WebSocket with the cookie that a page would have. */
async function overWebSocket(connect: Connect): Promise<Connection> {
  const folder = mkdtempSync(join(tmpdir(), 'vise-hosts-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  const server = await startLoopbackServer({ folder, port: 0, maxFrameBytes: maxFrameChars, onConnection: connect });
  const entered = await fetch(server.url, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, {
    origin: `http://127.0.0.1:${server.port}`,
    headers: { cookie },
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  onTestFinished(async () => {
    socket.terminate();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return webSocketConnection(socket);
}

/** The desktop's pipe with what Electron does to a frame: a structured clone, on another turn of the loop. */
async function overIpc(connect: Connect): Promise<Connection> {
  const pipe = new EventEmitter();
  const page = new EventEmitter();
  const mainFrame = {};
  const contents = Object.assign(new EventEmitter(), {
    mainFrame,
    isDestroyed: () => false,
    send: (channel: 'frame', frame: unknown) =>
      setImmediate((clone: unknown) => page.emit(channel, clone), structuredClone(frame)),
  });
  connect(ipcConnection(pipe, contents, maxFrameChars));
  let closed: ((reason: string) => void) | undefined;
  return {
    post: (frame) =>
      void setImmediate(
        (clone: unknown) => pipe.emit('frame', { sender: contents, senderFrame: mainFrame }, clone),
        structuredClone(frame),
      ),
    onFrame: (listen) => void page.on('frame', listen),
    onClose(listen) {
      closed = listen;
    },
    close: (reason) => closed?.(reason),
  };
}

describe.each([
  ['memory', overMemory],
  ['a WebSocket', overWebSocket],
  ['the IPC of the desktop', overIpc],
])('the host suite over %s', (_name, over) => {
  test('a session is made, watched and worked in, and the mirror equals the engine', async () => {
    const bench = testBench({ 'a.txt': 'one' });
    const client = createClient(await over(bench.engine.connect));
    const made = await client.call('session.create', { project: bench.project, mode: 'direct' });
    if (!made.ok) throw new Error(made.error.message);
    const { session } = made.value;
    const followed = await followSession(client, session);
    expect(await followed.say('hello')).toMatchObject({ outcome: 'done' });
    expect(followed.mirror()).toEqual(bench.engine.sessions.live(session)?.session.state);
    client.close();
  });

  test('an answer never overtakes the facts that came before it', async () => {
    const bench = testBench({});
    const client = createClient(await over(bench.engine.connect));
    const seen: string[] = [];
    client.onWorkbench(({ event }) => seen.push(event.type));
    const call: typeof client.call = async (method, input) => {
      const answer = await client.call(method, input);
      seen.push(method);
      return answer;
    };
    const known = await call('workbench.watch', {});
    if (!known.ok) throw new Error(known.error.message);
    await call('project.open', { path: bench.project });
    await call('session.create', { project: bench.project });
    await call('settings.set', { settings: { ...known.value.state.settings, theme: 'light' } });
    expect(seen.slice(seen.indexOf('workbench.watch'))).toEqual([
      'workbench.watch',
      'projects.changed',
      'project.open',
      'session.listed',
      'session.create',
      'settings.changed',
      'settings.set',
    ]);
    client.close();
  });

  test('input that does not fit the contract is refused in words, and the connection lives on', async () => {
    const bench = testBench({});
    const client = createClient(await over(bench.engine.connect));
    const refused = await client.call('session.watch', { session: '../../etc' });
    expect(refused).toEqual({
      ok: false,
      error: { code: 'VALIDATION_ERROR', message: 'session.watch: session: not a session id' },
    });
    expect(await client.call('folder.list', { path: bench.project })).toMatchObject({ ok: true });
    client.close();
  });

  test('S4 a frame that is no frame closes this connection with a reason, and harms no other', async () => {
    const bench = testBench({});
    const connection = await over(bench.engine.connect);
    const reason = new Promise<unknown>((resolve) => connection.onFrame(resolve));
    connection.post({ kind: 'shout' });
    expect(await reason).toMatchObject({
      kind: 'closed',
      reason: expect.stringContaining('does not fit the contract'),
    });
    connection.close('done');
    expect(await bench.client.call('folder.list', { path: bench.project })).toMatchObject({ ok: true });
  });

  test('a method that does not exist closes the connection with its name', async () => {
    const bench = testBench({});
    const connection = await over(bench.engine.connect);
    const reason = new Promise<unknown>((resolve) => connection.onFrame(resolve));
    connection.post({ kind: 'call', id: 1, method: '__proto__', input: {} });
    expect(await reason).toEqual({ kind: 'closed', reason: 'There is no method "__proto__".' });
    connection.close('done');
  });

  test('console bytes of a command arrive whole and in order', async () => {
    const bench = testBench({}, { allow: 'dangerous' });
    const client = createClient(await over(bench.engine.connect));
    const made = await bench.session([
      { calls: [{ tool: 'start_background_task', input: { command: 'seq 1 2000; sleep 0.2; echo end' } }] },
      { text: 'ok' },
    ]);
    const session = await followSession(client, made.id);
    await session.send('run it');
    const { task } = await session.next('task.started');
    const attached = await client.call('task.attach', { session: made.id, task: task.id, columns: 80, rows: 24 });
    if (!attached.ok) throw new Error(attached.error.message);
    const decoder = new TextDecoder();
    const text = await new Promise<string>((resolve) => {
      let seen = attached.value.screen;
      client.onConsole(attached.value.channel, {
        bytes(bytes, drawn) {
          seen += decoder.decode(bytes, { stream: true });
          drawn();
        },
        ended: () => resolve(seen),
      });
    });
    expect(text.trimEnd().endsWith('end')).toBe(true);
    expect(text).toContain('2000');
    await session.next('turn.finished');
    client.close();
  });
});
