import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../e2e/modelServer.ts';
import { followSession, testBench } from '../testing/engineForTest.ts';

const raw = (...events: readonly object[]): string =>
  `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
const delta = (content: object, finish?: string) => ({ choices: [{ delta: content, finish_reason: finish }] });
const call = (id: string) => ({
  tool_calls: [{ index: 0, id, function: { name: 'read_file', arguments: '{"filePath":"a.txt"}' } }],
});

/** What the assistant's messages were in the second request, and in the third one, which another engine sent. */
async function sentBack(provider: string, thought: object): Promise<readonly unknown[]> {
  const server = await startModelServer({
    replies: [{ raw: raw(delta(thought), delta(call('x'), 'tool_calls')) }, { text: 'Read.' }, { text: 'Again.' }],
  });
  onTestFinished(() => server.close());
  const bench = testBench({ 'a.txt': 'old' }, { provider: { name: provider } });
  const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
  mkdirSync(bench.ports.places.config, { recursive: true });
  writeFileSync(
    join(bench.ports.places.config, 'config.json'),
    JSON.stringify({ providers: { [provider]: block }, active_provider: provider }),
  );
  const first = await bench.restart(); // the configuration is read when an engine begins
  const made = await first.client.call('session.create', { project: first.project, mode: 'direct' });
  if (!made.ok) throw new Error(made.error.message);
  await (await followSession(first.client, made.value.session)).say('Read it.');
  const second = await first.restart();
  await (await followSession(second.client, made.value.session)).say('And again.');
  return server.requests.slice(1).map(({ body }) => {
    const { messages } = body as { readonly messages: readonly Readonly<Record<string, unknown>>[] };
    const { reasoning_content, reasoning_details } = messages.find(({ role }) => role === 'assistant') ?? {};
    return { reasoning_content, reasoning_details };
  });
}

const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's', index: 0 }];

test('OpenRouter gets its blocks of reasoning back with the reply, also after a restart', async () => {
  const kept = { reasoning_content: undefined, reasoning_details: details };
  expect(await sentBack('openrouter', { reasoning: 'Hm.', reasoning_details: details })).toEqual([kept, kept]);
});

test('DeepSeek gets its reasoning back as text', async () => {
  const kept = { reasoning_content: 'Hm.', reasoning_details: undefined };
  expect(await sentBack('deepseek', { reasoning_content: 'Hm.' })).toEqual([kept, kept]);
});

test('nobody else gets any', async () => {
  const none = { reasoning_content: undefined, reasoning_details: undefined };
  expect(await sentBack('groq', { reasoning: 'Hm.', reasoning_details: details })).toEqual([none, none]);
});
