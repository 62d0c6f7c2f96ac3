import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../e2e/modelServer.ts';
import { messagesStream } from '../../../e2e/providers/streams.ts';
import { loadTokenizer } from '../model/tokens/loadTokenizer.ts';
import { followSession, testBench } from '../testing/engineForTest.ts';

const hello = {
  raw: messagesStream({ id: 'a', parts: [{ text: 'Hello.' }], usage: { fresh: 9, cached: 0, written: 0, output: 1 } }),
};

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
    const first = testBench(
      { 'package.json': '{}', '.git/HEAD': 'ref: refs/heads/main\n' },
      { provider: { name: 'local' } },
    );
    const local = {
      llm_provider: 'openai_compatible',
      llm_base_url: server.url,
      llm_model: 'm',
      llm_api_key: 'k',
      llm_dialect,
    };
    const { config } = first.ports.places;
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), JSON.stringify({ providers: { local }, active_provider: 'local' }));
    const bench = await first.restart();
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
