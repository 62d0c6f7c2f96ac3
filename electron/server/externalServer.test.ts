import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Connection } from '../../shared/contract/connection.ts';
import { type ExternalServer, notesFolder, startExternalServer, type WorkbenchNote } from './externalServer.ts';
import { connectToWorkbench, runningWorkbenches } from './findWorkbench.ts';

interface Opened {
  readonly state: string;
  readonly server: ExternalServer;
  readonly clients: Connection[];
}

async function openServer(): Promise<Opened> {
  const state = mkdtempSync(join(tmpdir(), 'vise-server-'));
  const clients: Connection[] = [];
  const server = await startExternalServer({
    state,
    maxFrameBytes: 10_000,
    onConnection: (client) => void clients.push(client),
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(state, { recursive: true, force: true });
  });
  return { state, server, clients };
}

/** The status that an upgrade is answered with. */
function upgrade({ server }: Opened, headers: Readonly<Record<string, string>>, path = '/external'): Promise<number> {
  const { url, token } = server.note;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({
      hostname,
      port,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const noteFile = (state: string): string => join(notesFolder(state), `${process.pid}.json`);

describe('the server for external clients', () => {
  test('S3: opens for its token alone, and for no page of a browser', async () => {
    const opened = await openServer();
    expect([
      await upgrade(opened, {}),
      await upgrade(opened, { authorization: 'Bearer wrong' }),
      await upgrade(opened, { authorization: '' }),
      await upgrade(opened, { origin: new URL(opened.server.note.url.replace('ws:', 'http:')).origin }),
      await upgrade(opened, { host: 'example.org' }),
      await upgrade(opened, {}, '/ws'),
    ]).toEqual([101, 403, 403, 403, 403, 403]);
    expect(opened.clients).toHaveLength(1);
  });

  test('is found by its note while it stands, and by nothing afterwards', async () => {
    const { state, server, clients } = await openServer();
    expect(runningWorkbenches(state)).toEqual([server.note]);
    const connection = await connectToWorkbench(state);
    expect([connection !== undefined, clients.length]).toEqual([true, 1]);
    connection?.close('done');
    await server.close();
    expect([runningWorkbenches(state), await connectToWorkbench(state)]).toEqual([[], undefined]);
    expect(readdirSync(notesFolder(state))).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'S5: its note is for this user alone (POSIX only: file modes)',
    async () => {
      const { state } = await openServer();
      expect([statSync(noteFile(state)).mode & 0o777, statSync(notesFolder(state)).mode & 0o777]).toEqual([
        0o600, 0o700,
      ]);
      chmodSync(noteFile(state), 0o640);
      expect(runningWorkbenches(state)).toEqual([]);
      chmodSync(noteFile(state), 0o600);
      chmodSync(notesFolder(state), 0o777);
      expect(runningWorkbenches(state)).toEqual([]);
      chmodSync(notesFolder(state), 0o700);
      expect(runningWorkbenches(state)).toHaveLength(1);
    },
  );

  test.skipIf(process.platform === 'win32')('a note behind a link counts for nothing (POSIX only: links)', async () => {
    const { state, server } = await openServer();
    const elsewhere = join(state, 'elsewhere.json');
    writeFileSync(elsewhere, JSON.stringify(server.note), { mode: 0o600 });
    rmSync(noteFile(state));
    symlinkSync(elsewhere, noteFile(state));
    expect(runningWorkbenches(state)).toEqual([]);
  });

  test.each<[string, Partial<WorkbenchNote>]>([
    ['leads to another machine', { url: 'ws://example.org:80/external' }],
    ['leads to another path', { url: 'ws://127.0.0.1:80/ws' }],
    ['names another process than its file', { pid: process.pid + 1 }],
  ])('a note that %s is ignored', async (_, change) => {
    const { state, server } = await openServer();
    writeFileSync(noteFile(state), JSON.stringify({ ...server.note, ...change }), { mode: 0o600 });
    expect(runningWorkbenches(state)).toEqual([]);
  });

  test('a note that a crash has left is ignored and removed', async () => {
    const { state, server } = await openServer();
    const dead = 2 ** 30; // above the highest process number there is
    const file = join(notesFolder(state), `${dead}.json`);
    writeFileSync(file, JSON.stringify({ ...server.note, pid: dead }), { mode: 0o600 });
    expect([runningWorkbenches(state), existsSync(file)]).toEqual([[server.note], false]);
  });

  test.skipIf(process.platform !== 'linux')(
    'a process number that another process has by now is not taken for it (Linux only: it tells the start)',
    async () => {
      const { state, server } = await openServer();
      writeFileSync(noteFile(state), JSON.stringify({ ...server.note, start: '1' }), { mode: 0o600 });
      expect(runningWorkbenches(state)).toEqual([]);
    },
  );

  test('a workbench that does not answer is passed over', async () => {
    const { state, server } = await openServer();
    await server.close();
    writeFileSync(noteFile(state), JSON.stringify(server.note), { mode: 0o600 });
    expect(await connectToWorkbench(state)).toBeUndefined();
  });
});

test('S7: more clients than one person has are not let in', async () => {
  const opened = await openServer();
  const { url, token } = opened.server.note;
  const sockets = Array.from(
    { length: 40 },
    () => new WebSocket(url, { headers: { authorization: `Bearer ${token}` } }),
  );
  const letIn = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          socket.on('open', () => resolve(true));
          socket.on('error', () => resolve(false));
        }),
    ),
  );
  expect([letIn.filter(Boolean).length, opened.clients.length]).toEqual([32, 32]);
});

test('a server that can leave no note listens no longer, so that its process can end', async () => {
  const state = mkdtempSync(join(tmpdir(), 'vise-server-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  writeFileSync(notesFolder(state), ''); // in place of the folder
  const listening = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = listening();
  await expect(startExternalServer({ state, maxFrameBytes: 1, onConnection: () => undefined })).rejects.toThrow();
  await expect.poll(listening).toBeLessThanOrEqual(before);
});
