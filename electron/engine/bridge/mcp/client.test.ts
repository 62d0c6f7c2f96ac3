import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ok } from '../../../../shared/result.ts';
import { ManualClock } from '../../testing/manualClock.ts';
import type { Hands } from '../../tools/frame/tool.ts';
import { createMcpClients, type McpClientParts, type McpClients } from './client.ts';
import type { ServerEntry } from './mcpConfig.ts';
import { remoteLevel, remoteToolName } from './remoteTool.ts';
import { clientParts } from './testing/clientParts.ts';
import { picture, remoteServer } from './testing/remoteServer.ts';

// Each test waits for a process to start, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const program = join(import.meta.dirname, 'testing', 'remoteServer.ts');
const entry: ServerEntry = {
  name: 'remote',
  origin: 'user',
  connection: { kind: 'stdio', command: process.execPath, args: [program], env: { GIVEN: 'yes' } },
};

let clients: McpClients | undefined;
let http: HttpServer | undefined;

afterEach(async () => {
  await clients?.close();
  clients = undefined;
  http?.closeAllConnections();
  http?.close();
  http = undefined;
});

function make(changes: Partial<McpClientParts> = {}): McpClients {
  clients = createMcpClients(clientParts(changes));
  return clients;
}

const brought: object[] = [];

async function call(name: string, input: Record<string, unknown> = {}, signal = new AbortController().signal) {
  const tool = clients?.tools.find((one) => one.name === `mcp_remote_${name}`);
  // The tools use these only.
  const bringPicture: Hands['bringPicture'] = async (bytes, facts) => {
    brought.push({ base64: Buffer.from(bytes).toString('base64'), ...facts });
    return ok({ content: '', ...facts });
  };
  const hands = { signal, output: () => undefined, bringPicture } as unknown as Hands;
  const prepared = await tool?.prepare(input, hands.look);
  if (!prepared?.ok) throw new Error(`${name} is not offered`);
  return prepared.value.run(hands, { changes: [], files: [] });
}

function changed(until: (own: McpClients) => boolean): Promise<void> {
  const own = clients;
  if (own === undefined) throw new Error('no clients');
  return new Promise((resolve) => {
    const look = (): void => {
      if (!until(own)) return;
      listener.dispose();
      resolve();
    };
    const listener = own.onChange(look);
    look();
  });
}

const linux = process.platform === 'linux';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Ended, but nobody has waited for it yet: no more than a name.
    return !(linux && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
  } catch {
    return false;
  }
}

describe('the MCP client with a server of the official library over stdio', () => {
  test('offers its tools with their origin and levels', async () => {
    const own = make();
    await own.use([entry]);
    const shown = own.tools
      .filter(({ name }) => /_(?:read|burn)$/.test(name))
      .map(({ name, permission, source, about, category }) => ({ name, permission, source, about, category }));
    expect([shown, own.servers[0]?.state.kind]).toEqual([
      [
        {
          name: 'mcp_remote_read',
          permission: 'moderate',
          source: 'mcp remote (user)',
          about: 'Reads things',
          category: 'mcp',
        },
        {
          name: 'mcp_remote_burn',
          permission: 'dangerous',
          source: 'mcp remote (user)',
          about: 'Burns',
          category: 'mcp',
        },
      ],
      'ready',
    ]);
  });

  test('calls them and bounds what comes back', async () => {
    await make().use([entry]);
    const [read, burn, flood] = [await call('read', { text: 'x' }), await call('burn'), await call('flood')];
    expect([read, burn]).toEqual([
      { ok: true, value: { output: 'x', structured: { text: 'x' } } },
      { ok: false, error: { code: 'TOOL_EXECUTION_FAILED', message: 'no fire' } },
    ]);
    expect([await call('picture'), await call('picture', { text: 'large' }), brought]).toEqual([
      { ok: true, value: { output: '[an image]' } },
      { ok: true, value: { output: '[an image over 5 MiB was left out]' } },
      [{ base64: picture, mediaType: 'image/png' }],
    ]);
    const text = (flood.ok ? flood.value : {}) as { output: string; truncated: boolean };
    expect([text.output.length, text.truncated]).toEqual([200_000, true]);
  });

  test('gives the server only the scrubbed environment and what its entry says', async () => {
    process.env['SECRET_FOR_TEST'] = 'hidden';
    await make().use([entry]);
    const answer = await call('environment');
    delete process.env['SECRET_FOR_TEST'];
    const seen = JSON.parse(((answer.ok ? answer.value : {}) as { output: string }).output) as Record<string, string>;
    expect([seen['SECRET_FOR_TEST'], seen['GIVEN']]).toEqual([undefined, 'yes']);
  });

  test('follows a changed list', async () => {
    const own = make();
    await own.use([entry]);
    await call('grow');
    await changed(({ tools }) => tools.some(({ name }) => name === 'mcp_remote_grown'));
    expect(own.tools.some(({ name }) => name === 'mcp_remote_grown')).toBe(true);
  });

  test('starts a crashed server again after a growing wait', async () => {
    const clock = new ManualClock();
    const own = make({ clock });
    await own.use([entry]);
    const crashed = await call('crash');
    await changed(({ servers }) => servers[0]?.state.kind === 'waiting');
    expect([crashed.ok, servers(own)]).toEqual([
      false,
      { kind: 'waiting', reason: 'The server ended', retryInMs: 1_000 },
    ]);
    clock.advance(1_000);
    await changed(({ servers: all }) => all[0]?.state.kind === 'ready');
    await call('crash');
    await changed(({ servers: all }) => all[0]?.state.kind === 'waiting');
    expect(servers(own)).toEqual({ kind: 'waiting', reason: 'The server ended', retryInMs: 2_000 });
  });

  test('leaves no process behind, children of the server included', async () => {
    await make().use([entry]);
    const answer = await call('child');
    const pid = Number(((answer.ok ? answer.value : {}) as { output: string }).output);
    const before = isRunning(pid);
    await clients?.close();
    expect(before).toBe(true);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('ends what a crashed server left behind', async () => {
    await make({ clock: new ManualClock() }).use([entry]);
    const answer = await call('child');
    const pid = Number(((answer.ok ? answer.value : {}) as { output: string }).output);
    await call('crash');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('a server that does not start is told with its own words, and given up after six retries', async () => {
    const clock = new ManualClock();
    const broken: ServerEntry = {
      ...entry,
      connection: {
        kind: 'stdio',
        command: process.execPath,
        args: ['-e', 'console.error("no licence"); process.exit(1)'],
        env: {},
      },
    };
    const own = make({ clock });
    await own.use([broken]);
    const first = servers(own);
    expect(first.kind === 'waiting' && first.reason.includes('no licence')).toBe(true);
    for (let i = 0; i < 6; i += 1) {
      const seen = servers(own);
      clock.advance(64_000);
      await changed(({ servers: all }) => all[0]?.state !== seen && all[0]?.state.kind !== 'connecting');
    }
    expect(servers(own).kind).toBe('failed');
  });

  test('J1: a server of a project is not started before its entry is trusted', async () => {
    const project: ServerEntry = { ...entry, origin: 'project' };
    const own = make();
    await own.use([project]);
    expect([servers(own), own.tools]).toEqual([{ kind: 'untrusted' }, []]);
    const trusting = make({ trusts: () => Promise.resolve(true) });
    await trusting.use([project]);
    expect(trusting.servers[0]?.state.kind).toBe('ready');
    await own.close();
  });

  test('an entry that is gone is closed, one that stays is left alone', async () => {
    const own = make();
    await own.use([entry]);
    const { state } = own.servers[0] ?? {};
    await own.use([entry]);
    const same = own.servers[0]?.state === state;
    await own.use([]);
    expect([same, own.servers, own.tools]).toEqual([true, [], []]);
  });
});

function servers(own: McpClients) {
  const [first] = own.servers;
  if (first === undefined) throw new Error('no server');
  return first.state;
}

test('the MCP client speaks Streamable HTTP on loopback', async () => {
  const handler = createMcpHandler(() => remoteServer());
  http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string') headers.set(name, value);
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks).toString() } : {};
      const asked = new Request(`http://127.0.0.1${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers,
        ...body,
      });
      void handler.fetch(asked).then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        if (answer.body) for await (const part of answer.body) response.write(part);
        response.end();
      });
    });
  });
  await new Promise<void>((resolve) => http?.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  await make().use([
    { name: 'remote', origin: 'user', connection: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} } },
  ]);
  expect(await call('read', { text: 'over http' })).toEqual({
    ok: true,
    value: { output: 'over http', structured: { text: 'over http' } },
  });
});

describe('tools of MCP servers', () => {
  test.each([
    [undefined, 'dangerous'],
    [{}, 'dangerous'],
    [{ destructiveHint: true }, 'dangerous'],
    [{ destructiveHint: false }, 'moderate'],
    [{ readOnlyHint: true }, 'moderate'],
  ] as const)('with the hints %j are %s', (annotations, level) => {
    expect(remoteLevel(annotations)).toBe(level);
  });

  test('have names of at most 64 plain characters that stay apart', () => {
    const names = [
      remoteToolName('a b', 'x.y'),
      remoteToolName('s'.repeat(60), 'tool-1'),
      remoteToolName('s'.repeat(60), 'tool-2'),
    ];
    expect([names[0], names[1]?.length, new Set(names).size]).toEqual(['mcp_a_b_x_y', 64, 3]);
  });
});
