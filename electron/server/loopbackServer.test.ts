import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type LoopbackServer, startLoopbackServer } from './loopbackServer.ts';

async function start(): Promise<LoopbackServer & { readonly token: string; readonly connections: () => number }> {
  const outer = mkdtempSync(join(tmpdir(), 'vise-server-'));
  const folder = join(outer, 'window');
  mkdirSync(folder);
  writeFileSync(join(outer, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Vise</title>');
  symlinkSync(join(outer, 'secret.txt'), join(folder, 'link.txt'));
  let connections = 0;
  const server = await startLoopbackServer({
    folder,
    port: 0,
    maxFrameBytes: 1000,
    onConnection: () => (connections += 1),
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(outer, { recursive: true, force: true });
  });
  return { ...server, token: new URL(server.url).searchParams.get('token') ?? '', connections: () => connections };
}

/** A request with exactly these headers (fetch would not let a test forge Host). */
function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** The cookie that the token is swapped for. */
async function cookieOf(server: { port: number; token: string }): Promise<Record<string, string>> {
  const { headers } = await ask(server.port, `/?token=${server.token}`);
  return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}

describe('S3 the loopback host', () => {
  test('has a token of 256 bits, and swaps it for a strict cookie without leaving it in the address', async () => {
    const server = await start();
    expect(Buffer.from(server.token, 'base64url')).toHaveLength(32);
    const entered = await ask(server.port, `/?token=${server.token}`);
    expect([entered.status, entered.headers.location]).toEqual([303, '/']);
    expect(entered.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^vise-${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`)),
    ]);
  });

  test('S7 the cookie is not the token, and the token is no cookie', async () => {
    const server = await start();
    expect((await cookieOf(server))['cookie']).not.toContain(server.token);
    expect((await ask(server.port, '/', { cookie: `vise-${server.port}=${server.token}` })).status).toBe(401);
  });

  test('S7 the cookie of one port opens no other', async () => {
    const [one, other] = [await start(), await start()];
    const value = (await cookieOf(one))['cookie']?.split('=')[1] ?? '';
    expect((await ask(other.port, '/', { cookie: `vise-${other.port}=${value}` })).status).toBe(401);
  });

  test('S7 a code opens the window once, and is not the token', async () => {
    const server = await start();
    const { search } = new URL(server.urlOnce());
    expect(search).not.toContain(server.token);
    expect((await ask(server.port, `/${search}`)).status).toBe(303);
    expect((await ask(server.port, `/${search}`)).status).toBe(401);
  });

  test('S7 an entry leads to the window and to no other host', async () => {
    const server = await start();
    const entered = await ask(server.port, `//evil.example/?token=${server.token}`);
    expect([entered.status, entered.headers.location]).toEqual([303, '/']);
  });

  test.each(['//', '//[', '///', '/\\[', 'http://[', 'x', '*'])('S7 the address %s ends no process', async (path) => {
    const server = await start();
    expect([400, 401]).toContain((await ask(server.port, path)).status);
    expect((await ask(server.port, '/', await cookieOf(server))).status).toBe(200);
  });

  test('S3 S7 bytes that are no request open nothing and end no process, however they come', async () => {
    const server = await start();
    const host = `Host: 127.0.0.1:${server.port}\r\n`;
    const own = `${host}Origin: http://127.0.0.1:${server.port}\r\n`;
    const { cookie = '' } = await cookieOf(server);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`;
    const attacks = [
      ...[
        '\r\n\r\n',
        '\0'.repeat(5_000),
        'GET',
        'GET / HTTP/9.9\r\n\r\n',
        'GET  HTTP/1.1\r\n\r\n',
        '\x16\x03\x01\x02\0\x01',
      ],
      ...[
        `GET / HTTP/1.1\r\n${host}${host}\r\n`,
        `GET / HTTP/1.1\r\nHost: evil.example\r\n${host}\r\n`,
        `GET / HTTP/1.0\r\n\r\n`,
      ],
      `GET http://evil.example/ HTTP/1.1\r\n${host}\r\n`,
      `GET / HTTP/1.1\r\n${host}Cookie: ${'a=b;'.repeat(10_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(5_000)}${host}\r\n`,
      `POST / HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
      `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /?x HTTP/1.1\r\n${host}\r\n`,
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
      `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${host}\r\n`,
      `TRACE / HTTP/1.1\r\n${host}Cookie: ${cookie}\r\n\r\n`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      // sockets without the cookie, without a page's address, from elsewhere, with a broken hand
      `GET / HTTP/1.1\r\n${own}${upgrade}${key}\r\n`,
      `GET / HTTP/1.1\r\n${host}${upgrade}${key}Cookie: ${cookie}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${host}Origin: null\r\n${upgrade}${key}Cookie: ${cookie}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${host}Origin: http://localhost.evil.example:${server.port}\r\n${upgrade}${key}Cookie: ${cookie}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${own}${upgrade}Sec-WebSocket-Key: x\r\nCookie: ${cookie}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${own}Connection: Upgrade\r\nUpgrade: h2c\r\nCookie: ${cookie}\r\n\r\n`,
      `GET / HTTP/1.1\r\n${own}${upgrade}${key}Cookie: vise-1=${cookie.split('=')[1]}\r\n\r\n`,
    ];
    const answers = await Promise.all(
      attacks.map(
        (bytes) =>
          new Promise<string>((resolve) => {
            let answer = '';
            const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
            socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
            socket.on('error', () => undefined).on('close', () => resolve(answer));
          }),
      ),
    );
    const opened = answers.flatMap((answer, at) =>
      /^HTTP\/1\.1 (?:101|2)|<title>/m.test(answer) ? [attacks[at]] : [],
    );
    expect(opened).toEqual([]);
    expect(server.connections()).toBe(0);
    expect((await ask(server.port, '/', { cookie })).status).toBe(200);
  });

  test('S7 no more windows than a person has are open at once', async () => {
    const server = await start();
    const headers = await cookieOf(server);
    const origin = `http://127.0.0.1:${server.port}`;
    const statuses = await Promise.all(
      Array.from({ length: 66 }, async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers, origin });
        onTestFinished(() => socket.terminate());
        return new Promise((resolve) => {
          socket.on('open', () => resolve(101));
          socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
          socket.on('error', () => undefined);
        });
      }),
    );
    expect(statuses.filter((status) => status === 101)).toHaveLength(64);
  });

  test('shows the window only to who has the cookie', async () => {
    const server = await start();
    expect((await ask(server.port, '/')).status).toBe(401);
    expect((await ask(server.port, '/?token=wrong')).status).toBe(401);
    expect((await ask(server.port, '/', { cookie: `vise-${server.port}=wrong` })).status).toBe(401);
    const page = await ask(server.port, '/', await cookieOf(server));
    expect([page.status, page.body]).toEqual([200, '<!doctype html><title>Vise</title>']);
  });

  test('refuses a foreign Host, a foreign Origin and other methods, even with the cookie', async () => {
    const server = await start();
    expect((await ask(server.port, '/', { ...(await cookieOf(server)), host: 'evil.example' })).status).toBe(403);
    expect((await ask(server.port, '/', { ...(await cookieOf(server)), origin: 'http://evil.example' })).status).toBe(
      403,
    );
    expect((await ask(server.port, '/', await cookieOf(server), 'POST')).status).toBe(405);
  });

  test('sends a policy without inline scripts and no leave for other origins', async () => {
    const server = await start();
    const { headers } = await ask(server.port, '/', await cookieOf(server));
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each([
    ['no cookie', {}, 'ours'],
    ['a foreign origin', 'cookie', 'http://evil.example'],
    ['no origin', 'cookie', undefined],
  ])('refuses a socket with %s', async (_what, cookie, origin) => {
    const server = await start();
    const from = origin === 'ours' ? `http://127.0.0.1:${server.port}` : origin;
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, {
      headers: cookie === 'cookie' ? await cookieOf(server) : {},
      ...(from ? { origin: from } : {}),
    });
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode);
        socket.terminate();
      });
      socket.on('error', () => undefined);
    });
    expect([status, server.connections()]).toEqual([403, 0]);
  });

  test('S4 ends a socket whose frame is larger than the limit', async () => {
    const server = await start();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, {
      headers: await cookieOf(server),
      origin: `http://127.0.0.1:${server.port}`,
    });
    const code = await new Promise((resolve) => {
      socket.on('open', () => socket.send('x'.repeat(2000)));
      socket.on('close', resolve);
      socket.on('error', () => undefined);
    });
    expect([1009, 1006]).toContain(code);
  });

  test.each(['/../secret.txt', '/%2e%2e/secret.txt', '/link.txt', '/%00', '/%'])('never serves %s', async (path) => {
    const server = await start();
    const answer = await ask(server.port, path, await cookieOf(server));
    expect([answer.status, answer.body]).toEqual([404, 'There is nothing here.\n']);
  });
});
