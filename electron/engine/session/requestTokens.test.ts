import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../e2e/modelServer.ts';
import { messagesStream, responsesStream } from '../../../e2e/providers/streams.ts';
import { picture } from '../bridge/mcp/testing/remoteServer.ts';
import { loadTokenizer } from '../model/tokens/loadTokenizer.ts';
import { followSession, type TestBench, testBench } from '../testing/engineForTest.ts';

const hello = {
  raw: messagesStream({ id: 'a', parts: [{ text: 'Hello.' }], usage: { fresh: 9, cached: 0, written: 0, output: 1 } }),
};

/** A project whose model is asked over `url`. */
async function benchOver(
  url: string,
  llm_dialect: string,
  files: Readonly<Record<string, string>>,
  ports: Parameters<typeof testBench>[1] = {},
): Promise<TestBench> {
  const first = testBench(files, { provider: { name: 'local' }, ...ports });
  const llm_provider = 'openai_compatible';
  const local = { llm_provider, llm_base_url: url, llm_model: 'm', llm_api_key: 'k', llm_dialect };
  const { config } = first.ports.places;
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), JSON.stringify({ providers: { local }, active_provider: 'local' }));
  return first.restart();
}

test.each([
  ['direct', 'chat', { text: 'Hello.' }],
  ['phased', 'chat', { text: 'Hello.' }],
  ['ask', 'chat', { text: 'Hello.' }],
  ['phased', 'messages', hello],
] as const)(
  'the first request in mode %s over %s has at most 2,200 tokens without specs and servers of the person',
  { timeout: 60_000 },
  async (mode, llm_dialect, reply) => {
    const server = await startModelServer({ replies: [reply, reply, reply] });
    onTestFinished(() => server.close());
    const bench = await benchOver(server.url, llm_dialect, {
      'package.json': '{}',
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    const made = await bench.client.call('session.create', { project: bench.project, mode });
    const session = await followSession(bench.client, made.ok ? made.value.session : '');
    await session.say('hello');
    const body = server.requests[0]?.body as {
      readonly messages: readonly { readonly content: unknown }[];
      readonly system?: unknown;
      readonly tools: unknown;
    };
    const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));
    const count = await loadTokenizer('o200k_base');
    const tokens =
      count(JSON.stringify(body.tools)) +
      count(textOf(body.system ?? '')) +
      body.messages.reduce((sum, { content }) => sum + count(textOf(content)), 0);
    expect(tokens).toBeGreaterThan(500);
    expect(tokens).toBeLessThanOrEqual(2_200);
  },
);

const show = { call: 'mcp_remote_picture', input: {} };
const streamed = { usage: { fresh: 9, cached: 0, written: 0, output: 1 } };
const saw = [{ text: 'I see it.' }];

test.each([
  ['chat', { calls: [{ tool: show.call, input: {} }] }, { text: 'I see it.' }],
  [
    'messages',
    { raw: messagesStream({ id: 'a', parts: [show], ...streamed }) },
    { raw: messagesStream({ id: 'b', parts: saw, ...streamed }) },
  ],
  [
    'responses',
    { raw: responsesStream({ id: 'a', parts: [show], ...streamed }) },
    { raw: responsesStream({ id: 'b', parts: saw, ...streamed }) },
  ],
] as const)(
  'a picture of an MCP server is sent to the model once over %s',
  { timeout: 60_000 },
  async (dialect, calling, ending) => {
    const server = await startModelServer({ replies: [calling, ending] });
    onTestFinished(() => server.close());
    const program = join(import.meta.dirname, '../bridge/mcp/testing/remoteServer.ts');
    const servers = { mcpServers: { remote: { command: process.execPath, args: [program] } } };
    const bench = await benchOver(
      server.url,
      dialect,
      { '.mcp.json': JSON.stringify(servers) },
      { allow: 'dangerous', trustWorkspace: true },
    );
    const made = await bench.client.call('session.create', { project: bench.project, mode: 'direct' });
    const session = await followSession(bench.client, made.ok ? made.value.session : '');
    await session.say('Show me the picture.');
    const sent = JSON.stringify(server.requests[1]?.body);
    expect([sent.split(picture).length - 1, server.requests.length]).toEqual([1, 2]);
  },
);
