import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../e2e/modelServer.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import { Remembered } from './base/capabilities.ts';
import type { ModelClient } from './base/port.ts';
import { createCatalogue } from './catalogue/catalogue.ts';
import { createModelClient } from './createModelClient.ts';
import { noProviderFile } from './providerFile.ts';
import { type ProviderFlags, type ProviderSettings, resolveProvider } from './providerSettings.ts';

let server: ModelServer;
const clients: ModelClient[] = [];
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  await server.close();
});

function settingsOf(flags: ProviderFlags, env = {}): ProviderSettings {
  const prices = { 'gpt-4o': { input: 2.5, cached: 1.25, output: 10 } };
  const settings = resolveProvider({ ...noProviderFile, raw: { prices } }, env, flags);
  if (!settings.ok) throw new Error(settings.error.message);
  return settings.value;
}

async function make(memory = new Remembered(), lines: string[] = [], env = {}): Promise<ModelClient> {
  const settings = settingsOf({ baseUrl: server.url, model: 'gpt-4o', apiKey: 'key-12345' }, env);
  const ports = {
    clock: new ManualClock(),
    env: {},
    memory,
    catalogue: createCatalogue([]),
    onDebug: (line: string) => lines.push(line),
  };
  const client = await createModelClient(settings, ports);
  if (!client.ok) throw new Error(client.error.message);
  clients.push(client.value);
  return client.value;
}

const ask = (client: ModelClient) =>
  allEvents(client.stream({ ...sampleRequest, model: 'gpt-4o' }, new AbortController().signal));

describe('a client made from settings', () => {
  test('falls back to tools in text when the server refuses them, and remembers', async () => {
    const text = 'I look. <tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>';
    server.play({ text, fault: 'refuseTools', times: 4 });
    const changes: unknown[] = [];
    const memory = new Remembered({}, (...learnt) => changes.push(learnt));
    const client = await make(memory);
    const first = await ask(client);
    expect(first.map((event) => event.type)).toEqual(['notice', 'text', 'notice', 'call', 'finish']);
    await ask(client);
    const sent = server.requests.map((request) => 'tools' in (request.body as object));
    expect([sent, changes]).toEqual([[true, false, false], [['default gpt-4o', { tools: 'text' }]]]);
  });

  test('adds the cost where a price is known', async () => {
    server.play({
      text: 'x',
      usage: {
        prompt_tokens: 1_000_000,
        completion_tokens: 100_000,
        prompt_tokens_details: { cached_tokens: 400_000 },
      },
    });
    const usage = (await ask(await make())).find((event) => event.type === 'usage');
    expect(usage).toEqual({
      type: 'usage',
      usage: { requests: 1, input: 1_000_000, output: 100_000, cached: 400_000, reasoning: 0, cost: 3, saved: 0.5 },
    });
  });

  test('logs requests and answers while debugging, clipped and without the key', async () => {
    server.play({ text: `key-12345 ${'x'.repeat(9_000)}` });
    const lines: string[] = [];
    await ask(await make(new Remembered(), lines, { LLM_DEBUG: 'yes' }));
    const logged = lines.map((line) => JSON.parse(line) as { what: string; text: string });
    expect(logged.map((entry) => [entry.what, entry.text.length <= 4_000, entry.text.includes('key-12345')])).toEqual([
      ['request', true, false],
      ['answer', true, false],
    ]);
  });

  test('says what is missing', async () => {
    const ports = { clock: new ManualClock(), env: {}, memory: new Remembered(), catalogue: createCatalogue([]) };
    const answers = await Promise.all(
      [{}, { provider: 'scripted' }, { script: '/nowhere/s.json' }].map((flags) =>
        createModelClient(settingsOf(flags), ports),
      ),
    );
    expect(answers).toMatchObject([
      { error: { code: 'CONFIG_INVALID', message: expect.stringMatching(/^No model is configured/) as string } },
      { error: { code: 'CONFIG_INVALID', message: expect.stringMatching(/needs a script/) as string } },
      { error: { code: 'FILE_NOT_FOUND', message: expect.stringMatching(/nowhere/) as string } },
    ]);
  });
});
