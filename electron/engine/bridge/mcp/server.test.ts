import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { annotationsOf } from './serverPort.ts';

const program = join(import.meta.dirname, 'testing', 'stdioServer.ts');
// Each test waits for a process to start, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const open: Client[] = [];
let transport: StdioClientTransport | undefined;

afterAll(async () => {
  for (const client of open) await client.close();
});

/** The official client, speaking to our server in a process of its own. */
async function connect(mode: 'auto' | 'legacy', answer?: 'accept' | 'decline', onTools?: () => void): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode },
      ...(answer ? { capabilities: { elicitation: { form: {} } } } : {}),
      ...(onTools ? { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onTools } } } : {}),
    },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', () =>
      answer === 'accept' ? { action: 'accept' as const, content: { allow: true } } : { action: 'decline' as const },
    );
  transport = new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'pipe' });
  open.push(client);
  await client.connect(transport);
  return client;
}

describe.each(['auto', 'legacy'] as const)('the MCP server, asked by the official client in the mode %s', (mode) => {
  let own: Client;
  let stderr: Readable;
  beforeAll(async () => {
    own = await connect(mode);
    stderr = transport?.stderr as Readable; // piped, as connect asked
  });

  test('lists tools with schemas, hints and instructions', async () => {
    const { tools } = await own.listTools();
    expect([own.getServerVersion()?.name, own.getInstructions(), tools[0], tools.length]).toEqual([
      'vise',
      'Some words.',
      {
        name: 'echo',
        description: 'Tool echo',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
        annotations: { readOnlyHint: true },
      },
      8,
    ]);
  });

  test('answers with the envelope as text and as data', async () => {
    const answer = await own.callTool({ name: 'echo', arguments: { text: 'ä' } });
    const envelope = { success: true, data: { text: 'ä' } };
    expect([answer.isError, answer.content, answer.structuredContent]).toEqual([
      false,
      [{ type: 'text', text: JSON.stringify(envelope) }],
      envelope,
    ]);
  });

  test('tells progress while a tool runs', async () => {
    const told = Promise.withResolvers<string | undefined>();
    const call = own.callTool({ name: 'steps', arguments: {} }, { onprogress: ({ message }) => told.resolve(message) });
    const message = await told.promise;
    await own.callTool({ name: 'release', arguments: {} });
    expect([message, (await call).isError]).toEqual(['half', false]);
  });

  test('a failure is an error with the same envelope, an unknown tool too', async () => {
    const answer = await own.callTool({ name: 'nothing', arguments: {} });
    expect([answer.isError, answer.structuredContent]).toEqual([
      true,
      { success: false, error: { code: 'TOOL_NOT_FOUND', message: 'Unknown tool nothing' } },
    ]);
  });

  test('pictures and the blocks of bridged tools are passed on', async () => {
    const picture = await own.callTool({ name: 'picture', arguments: {} });
    const blocks = await own.callTool({ name: 'blocks', arguments: {} });
    expect([picture.content[1], blocks.isError, blocks.content]).toEqual([
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      true,
      [
        { type: 'text', text: 'out' },
        { type: 'text', text: '[exit code: 1]' },
      ],
    ]);
  });

  test.each([
    ['accept', { success: true, data: 'done' }],
    ['decline', { success: false, error: { code: 'PERMISSION_DENIED', message: 'deny' } }],
  ] as const)('a question is asked by elicitation, and %s counts', async (answer, envelope) => {
    const asking = await connect(mode, answer);
    expect((await asking.callTool({ name: 'ask', arguments: {} })).structuredContent).toEqual(envelope);
  });

  test('a client that cannot ask is told so at once', async () => {
    const { structuredContent } = await own.callTool({ name: 'ask', arguments: {} });
    expect(structuredContent).toEqual({ success: false, error: { code: 'PERMISSION_DENIED', message: 'unavailable' } });
  });

  test('cancelling stops the tool', async () => {
    const stop = new AbortController();
    const call = own.callTool({ name: 'slow', arguments: {} }, { signal: stop.signal });
    await own.callTool({ name: 'echo', arguments: {} }); // the slow one has arrived by then
    const told = once(stderr, 'data');
    stop.abort();
    await expect(call).rejects.toThrow();
    expect(String((await told)[0])).toBe('cancelled\n');
  });

  test('resources and prompts are served', async () => {
    const { resources } = await own.listResources();
    const read = await own.readResource({ uri: 'vise://file/a.txt' });
    const { prompts } = await own.listPrompts();
    const prompt = await own.getPrompt({ name: 'review', arguments: { what: 'it' } });
    await expect(own.readResource({ uri: 'vise://file/none' })).rejects.toThrow();
    expect([resources.map(({ uri }) => uri), read.contents, prompts.map(({ name }) => name), prompt.messages]).toEqual([
      ['vise://file/a.txt'],
      [{ uri: 'vise://file/a.txt', mimeType: 'text/plain', text: 'hello' }],
      ['review'],
      [{ role: 'user', content: { type: 'text', text: 'Review it' } }],
    ]);
  });

  test('a changed list of tools is told', async () => {
    const changed = Promise.withResolvers<void>();
    const told = await connect(mode, undefined, () => changed.resolve());
    await told.callTool({ name: 'change', arguments: {} });
    await changed.promise;
    expect((await told.listTools(undefined, { cacheMode: 'refresh' })).tools.some(({ name }) => name === 'later')).toBe(
      true,
    );
  });
});

test.each([
  ['none', 'file', [true, false, false]],
  ['dangerous', 'patch', [false, true, false]],
  ['moderate', 'browser', [false, false, true]],
  ['dangerous', 'system', [false, true, true]],
  ['none', 'spec', [false, true, true]],
] as const)('a %s tool of the category %s hints at no more than is known', (permission, category, hints) => {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotationsOf(permission, category);
  expect([readOnlyHint, destructiveHint, openWorldHint]).toEqual(hints);
});
