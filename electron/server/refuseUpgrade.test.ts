import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startExternalServer } from './externalServer.ts';
import { startLoopbackServer } from './loopbackServer.ts';

interface Door {
  readonly port: number;
  close(): Promise<void>;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'vise-refuse-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const doors: readonly (readonly [string, () => Promise<Door>])[] = [
  [
    'the server for external clients',
    async () => {
      const server = await startExternalServer({
        state: folder(),
        maxFrameBytes: 1_000,
        onConnection: () => undefined,
      });
      return { port: Number(new URL(server.note.url).port), close: () => server.close() };
    },
  ],
  [
    'the loopback server',
    () => startLoopbackServer({ folder: folder(), port: 0, maxFrameBytes: 1_000, onConnection: () => undefined }),
  ],
];

/** Asks for an upgrade without a token, and never ends its own side. */
function knock(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write('GET /external HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', () =>
        resolve(socket),
      );
    });
    socket.on('error', () => undefined); // it is cut
  });
}

describe.each(doors)('S3: %s', (_, open) => {
  test('outlives a stranger that resets its upgrade, and answers the next one', async () => {
    const server = await open();
    onTestFinished(() => server.close());
    for (let count = 0; count < 20; count += 1) (await knock(server.port)).resetAndDestroy();
    const next = await knock(server.port);
    const answer = await new Promise((resolve) => next.once('data', (data) => resolve(data.toString())));
    next.destroy();
    expect(answer).toBe('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });

  test('is not held up at its end by a refused stranger that stays', async () => {
    const server = await open();
    const stranger = await knock(server.port);
    await new Promise((resolve) => stranger.once('data', resolve));
    await server.close();
    stranger.destroy();
  });
});
