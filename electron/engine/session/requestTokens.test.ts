import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../e2e/modelServer.ts';
import { loadTokenizer } from '../model/tokens/loadTokenizer.ts';
import { followSession, testBench } from '../testing/engineForTest.ts';

test.each(['direct', 'phased', 'ask'] as const)(
  'the first request in mode %s has at most 2,200 tokens without specs and servers of the person',
  { timeout: 60_000 },
  async (mode) => {
    const server = await startModelServer({ replies: [{ text: 'Hello.' }, { text: 'Hello.' }, { text: 'Hello.' }] });
    onTestFinished(() => server.close());
    const first = testBench(
      { 'package.json': '{}', '.git/HEAD': 'ref: refs/heads/main\n' },
      { provider: { name: 'local' } },
    );
    const local = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
    const { config } = first.ports.places;
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), JSON.stringify({ providers: { local }, active_provider: 'local' }));
    const bench = await first.restart();
    const made = await bench.client.call('session.create', { project: bench.project, mode });
    const session = await followSession(bench.client, made.ok ? made.value.session : '');
    await session.say('hello');
    const body = server.requests[0]?.body as {
      readonly messages: readonly { readonly content: string }[];
      readonly tools: unknown;
    };
    const count = await loadTokenizer('o200k_base');
    const tokens =
      count(JSON.stringify(body.tools)) + body.messages.reduce((sum, { content }) => sum + count(content), 0);
    expect(tokens).toBeGreaterThan(500);
    expect(tokens).toBeLessThanOrEqual(2_200);
  },
);
