import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostMatches } from '../../base/hostMatches.ts';
import { dialHost, isOwnAddress, listAllows } from './dialHost.ts';
import { createFilterProxy } from './filterProxy.ts';

const listen = (server: Pick<Server, 'listen' | 'address'>): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

describe('the proxy of sandboxed commands (C9)', () => {
  let allowed: readonly string[] = [];
  let dialed: string[] = [];
  const site = createServer((incoming, response) => {
    response.setHeader('x-saw', JSON.stringify([incoming.method, incoming.url, incoming.headers.host]));
    incoming.pipe(response);
  });
  const proxy = createFilterProxy({
    allows: (host) => allowed.some((pattern) => hostMatches(pattern, host)),
    // Every name leads to the one server of the test.
    dial: (host, port) => {
      dialed.push(`${host}:${port}`);
      return new Promise((resolve, reject) => {
        const socket = connect(sitePort, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      });
    },
  });
  let sitePort = 0;
  let proxyPort = 0;
  beforeEach(async () => {
    [allowed, dialed] = [['good.test', '*.wide.test'], []];
    [sitePort, proxyPort] = [await listen(site), await listen(proxy)];
  });
  afterEach(async () => {
    for (const server of [proxy, site]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const ask = (
    path: string,
    options: { method?: string; body?: string; host?: string } = {},
  ): Promise<{ status: number | undefined; body: string; saw: unknown }> =>
    new Promise((resolve, reject) => {
      const headers = options.host === undefined ? {} : { host: options.host };
      const outgoing = request(
        { host: '127.0.0.1', port: proxyPort, path, headers, method: options.method ?? 'GET', agent: false },
        (answer) => {
          let body = '';
          answer.on('data', (data: Buffer) => {
            body += data.toString();
          });
          answer.on('end', () => {
            const saw = answer.headers['x-saw'];
            resolve({ status: answer.statusCode, body, saw: typeof saw === 'string' ? JSON.parse(saw) : undefined });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(options.body);
    });

  const tunnel = (target: string, text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(proxyPort, '127.0.0.1', () => socket.write(`CONNECT ${target} HTTP/1.1\r\n\r\n`));
      let all = '';
      socket.on('data', (data: Buffer) => {
        const before = all;
        all += data.toString();
        if (!before.includes('\r\n\r\n') && all.includes(' 200 ')) socket.write(text);
      });
      socket.on('error', () => undefined); // cut off
      socket.on('close', () => resolve(all));
    });

  test('forwards a plain request to a host on the list, with its body, and asks for the host that was checked', async () => {
    expect(await ask('http://good.test:8080/a?b=1', { method: 'POST', body: 'hello', host: 'evil.test' })).toEqual({
      status: 200,
      body: 'hello',
      saw: ['POST', '/a?b=1', 'good.test:8080'],
    });
    expect(dialed).toEqual(['good.test:8080']);
  });

  test('tunnels to a host on the list', async () => {
    const answer = await tunnel('a.wide.test:443', 'GET /x HTTP/1.1\r\nHost: a.wide.test\r\nConnection: close\r\n\r\n');
    expect([answer.startsWith('HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK'), dialed]).toEqual([
      true,
      ['a.wide.test:443'],
    ]);
  });

  test.each([
    'http://evil.test/',
    'http://good.test.evil.test/',
    'http://good.test@evil.test/',
    'http://wide.test/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'https://good.test/',
    'ftp://good.test/',
    '/no-host',
  ])('refuses %s, and dials nothing', async (address) => {
    expect([(await ask(address)).status, dialed]).toEqual([403, []]);
  });

  test.each(['evil.test:443', 'wide.test:443', '127.0.0.1:22', '[::1]:443', 'good.test.evil.test:443', 'x y'])(
    'opens no tunnel to %s',
    async (target) => {
      expect([/^HTTP\/1\.1 (?:403|400) /.test((await tunnel(target, 'never')) || 'HTTP/1.1 400 '), dialed]).toEqual([
        true,
        [],
      ]);
    },
  );

  test('asks its list at each request', async () => {
    allowed = [];
    expect((await ask('http://good.test/')).status).toBe(403);
    allowed = ['*'];
    expect((await ask('http://any.test/')).status).toBe(200);
  });

  test.each([
    ['an answer whose status no answer may have', 'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n', ''],
    ['an answer that is another protocol', 'HTTP/1.1 101 X\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n', ''],
    ['an answer that is cut short', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'abc'],
    ['an answer that is no HTTP', 'hello\r\n\r\n', ''],
  ])('%s ends that connection, and nothing else', async (_, answer, passed) => {
    const odd = createTcpServer((socket) => {
      socket.on('error', () => undefined); // cut off
      socket.once('data', () => socket.end(answer));
    });
    const usual = sitePort;
    sitePort = await listen(odd as unknown as Server);
    const got = await new Promise<string>((resolve) => {
      const socket = connect(proxyPort, '127.0.0.1', () =>
        socket.write('GET http://good.test/ HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      let all = '';
      socket.on('data', (data: Buffer) => {
        all += data.toString();
      });
      socket.on('error', () => undefined); // cut off
      socket.on('close', () => resolve(all));
    });
    await new Promise((resolve) => odd.close(resolve));
    sitePort = usual;
    // How much of a cut answer arrives is the system's business; that it ends is ours.
    const body = got.split('\r\n\r\n')[1] ?? '';
    expect([passed.startsWith(body), (await ask('http://good.test/')).status]).toEqual([true, 200]);
  });

  test('dials for nobody who has gone meanwhile', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const cut = Promise.withResolvers<void>();
    const slow = createFilterProxy({
      allows: () => true,
      dial: async () => {
        reached.resolve();
        await goOn.promise;
        const socket = connect(sitePort, '127.0.0.1');
        socket.once('close', () => cut.resolve());
        await new Promise((resolve) => socket.once('connect', resolve));
        return socket;
      },
    });
    const port = await listen(slow);
    const gone = Promise.withResolvers<void>();
    slow.on('connection', (socket) => socket.once('close', () => gone.resolve()));
    const client = connect(port, '127.0.0.1', () => client.write('GET http://good.test/ HTTP/1.1\r\nHost: x\r\n\r\n'));
    client.on('error', () => undefined); // cut off
    await reached.promise;
    client.resetAndDestroy();
    await gone.promise;
    goOn.resolve();
    await cut.promise;
    await new Promise((resolve) => slow.close(resolve));
  });

  test('passes on nothing that the client names as its own hop', async () => {
    const heard = new Promise<unknown>((resolve) => {
      site.once('request', ({ headers }: IncomingMessage) => resolve([headers['x-hop'], headers['x-end']]));
    });
    const outgoing = request({
      host: '127.0.0.1',
      port: proxyPort,
      path: 'http://good.test/',
      headers: { connection: 'close, X-Hop', 'x-hop': '1', 'x-end': '2' },
    });
    const ended = new Promise<void>((resolve) => {
      outgoing.on('response', (answer) => answer.resume().on('end', () => resolve()));
    });
    outgoing.end();
    expect(await heard).toEqual([undefined, '2']);
    await ended;
  });

  test('says that a host cannot be reached', async () => {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    const { status, body } = await ask('http://good.test/');
    expect([status, body.startsWith('vise: ')]).toEqual([502, true]);
  });
});

describe('dialling', () => {
  test.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['0.0.0.0', true],
    ['169.254.169.254', true],
    ['100.100.100.200', true],
    ['fd00:ec2::254', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['fe80::1', true],
    ['10.0.0.1', false],
    ['192.0.2.1', false],
    ['2001:db8::1', false],
  ])('%s is this machine: %s', (address, expected) => {
    expect(isOwnAddress(address)).toBe(expected);
  });

  test('C9: the address by which other machines know this one is this machine', () => {
    const entry = { netmask: '', mac: '', internal: false } as const;
    const interfaces = () => ({
      eth0: [
        { ...entry, address: '10.0.0.7', family: 'IPv4' as const, cidr: null },
        { ...entry, address: '2001:db8::7', family: 'IPv6' as const, cidr: null, scopeid: 0 },
      ],
    });
    const told = ['10.0.0.7', '::ffff:10.0.0.7', '2001:db8:0::7', '10.0.0.8'].map((at) => isOwnAddress(at, interfaces));
    expect(told).toEqual([true, true, true, false]);
  });

  test.each([
    [['*'], '127.0.0.1', false],
    [['*'], '::1', false],
    [['*'], '::ffff:7f00:1', false],
    [['*'], '169.254.169.254', false],
    [['*'], 'localhost', false],
    [['*'], 'LOCALHOST.', false],
    [['*'], '192.0.2.1', true],
    [['*'], 'good.test', true],
    [['127.0.0.1', 'localhost'], '127.0.0.1', true],
    [['127.0.0.1', 'localhost'], 'localhost', true],
    [['127.0.0.1', 'localhost'], '::1', false],
    [['*.test'], 'good.test', true],
  ] as const)('the list %j lets %s through: %s', (list, host, expected) => {
    expect(listAllows(list, host)).toBe(expected);
  });

  test('reaches this machine only by an address that was listed as such', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined); // the other end goes at once
      socket.end('here');
    });
    const port = await listen(server as unknown as Server);
    const socket = await dialHost('127.0.0.1', port);
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await expect(dialHost('127.0.0.1', port)).rejects.toThrow('ECONNREFUSED');
    const toThisMachine = (): Promise<string> => Promise.resolve('127.0.0.1');
    await expect(dialHost('rebound.test', port, toThisMachine)).rejects.toThrow('which is this machine');
  });
});
