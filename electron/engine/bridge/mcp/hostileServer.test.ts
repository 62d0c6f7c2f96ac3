import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ok } from '../../../../shared/result.ts';
import { ManualClock } from '../../testing/manualClock.ts';
import { createMcpClients } from './client.ts';
import { clientParts } from './testing/clientParts.ts';
import { picture } from './testing/remoteServer.ts';

type Answer = (response: ServerResponse, id: unknown) => void;

const json = (response: ServerResponse, body: string): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
};
const result = (id: unknown, value: object): string => JSON.stringify({ jsonrpc: '2.0', id, result: value });
const content =
  (...blocks: readonly object[]): Answer =>
  (response, id) =>
    json(response, result(id, { content: blocks }));

/** Writes without end, as fast as it is taken; ends with the connection. */
function pour(response: ServerResponse, piece: string): void {
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write).on('error', () => undefined);
  write();
}

/** How a call of the tool of this name is answered. */
const answers: Readonly<Record<string, Answer>> = {
  endless(response, id) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
    pour(response, 'x'.repeat(65_536));
  },
  line(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    pour(response, 'y'.repeat(65_536));
  },
  bomb(response, id) {
    const body = result(id, { content: [{ type: 'text', text: 'z'.repeat(40_000_000) }] });
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(body));
  },
  deep(response, id) {
    const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    json(
      response,
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${nested}}}`,
    );
  },
  hang: (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n'),
  page: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
  pictures: content(...Array.from({ length: 60 }, () => ({ type: 'image', data: picture, mimeType: 'image/png' }))),
  svg: content({ type: 'image', data: picture, mimeType: 'image/svg+xml' }),
  links: content(
    ...Array.from({ length: 300 }, () => ({ type: 'resource_link', name: 'x', uri: `x:${'u'.repeat(5_000)}` })),
    { type: 'resource', resource: { uri: `x:${'b'.repeat(300_000)}`, blob: 'AA==' } },
  ),
};

async function hostile() {
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString()) as {
        id?: unknown;
        method?: string;
        params?: { name?: string; protocolVersion?: string };
      };
      const { id, method, params } = message;
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'initialize')
        return json(
          response,
          result(id, {
            protocolVersion: params?.protocolVersion ?? '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'hostile', version: '1' },
          }),
        );
      if (method === 'tools/list') {
        const names = [...Object.keys(answers), 'n'.repeat(100_000)];
        const tools = names.map((name) => ({
          name,
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        }));
        const huge = { name: 'huge', inputSchema: { type: 'object', description: 'd'.repeat(1_000_000) } };
        return json(response, result(id, { tools: [...tools, huge] }));
      }
      const answer = method === 'tools/call' ? answers[params?.name ?? ''] : undefined;
      if (answer) return answer(response, id);
      json(response, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clients = createMcpClients(clientParts({ clock: new ManualClock() }));
  onTestFinished(async () => {
    await clients.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const connection = { kind: 'http' as const, url: `http://127.0.0.1:${port}/mcp`, headers: {} };
  await clients.use([{ name: 'h', origin: 'user', connection }]);
  return {
    clients,
    async call(name: string, signal = AbortSignal.timeout(60_000)) {
      const tool = clients.tools.find((one) => one.name === `mcp_h_${name}`);
      const prepared = await tool?.prepare({}, undefined as never);
      if (!prepared?.ok)
        throw new Error(`no tool ${name}: ${JSON.stringify(clients.servers.map(({ state }) => state))}`);
      const hands = {
        signal,
        output: () => undefined,
        bringPicture: async () => ok({ content: 'c', mediaType: 'image/png' }),
      };
      return prepared.value.run(hands as never, undefined as never);
    },
  };
}

describe('J5: a hostile MCP server over HTTP', () => {
  test('J5: tools with endless names or schemas are not offered', async () => {
    const { clients } = await hostile();
    expect(clients.tools.map(({ name }) => name)).toEqual(Object.keys(answers).map((name) => `mcp_h_${name}`));
  });

  test.each(['endless', 'line', 'bomb', 'deep', 'page'])(
    'J5: the answer "%s" ends the call with an error',
    async (name) => {
      const { call } = await hostile();
      expect(await call(name)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    },
  );

  test('J5: pictures are counted, kinds that are not shown are left out, addresses are cut', async () => {
    const { call } = await hostile();
    const text = JSON.stringify(await call('pictures'));
    expect(text.split('[an image]')).toHaveLength(9);
    expect(text).toContain('too many');
    expect(JSON.stringify(await call('svg'))).toContain('[an image of a kind that is not shown was left out]');
    const links = await call('links');
    expect(links).toMatchObject({ ok: true });
    expect(JSON.stringify(links).length).toBeLessThan(210_000);
  });

  test('J5: an answer that never ends is left at once when the call is stopped, and the end of the client is not held up', async () => {
    const { clients, call } = await hostile();
    const stop = new AbortController();
    const running = call('hang', stop.signal);
    setImmediate(() => stop.abort());
    expect(await running).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    void call('hang').catch(() => undefined);
    await clients.close();
    expect(clients.tools).toEqual([]);
  });
});
