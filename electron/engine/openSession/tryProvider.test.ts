import { expect, test } from 'vitest';
import { askServer } from '../testing/serverBench.ts';

const usage = { prompt_tokens: 12, completion_tokens: 1 };

test('a provider is tried as it is typed: its models are listed, and one word is asked for and paid', async () => {
  const { server, bench } = await askServer([{ text: 'ready', usage }]);
  const typed = { name: 'new one', baseUrl: server.url, model: 'scripted', key: 'typed-key' };
  const tried = await bench.client.call('provider.test', typed);
  expect(tried).toMatchObject({
    ok: true,
    value: { models: [{ name: 'scripted' }], answer: 'ready', usage: { input: 12, output: 1 } },
  });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer typed-key');
  expect(await bench.client.call('usage.today', {})).toMatchObject({ value: { usage: { input: 12 } } });
  // Nothing of it was saved.
  const watched = await bench.client.call('workbench.watch', {});
  expect(watched).toMatchObject({ value: { state: { providers: [{ name: 'local' }] } } });
});

test('a refused key is told with the provider, its address and the command that mends it', async () => {
  const { server, bench } = await askServer([{ status: 401, body: '{"error":{"message":"bad key"}}' }]);
  const tried = await bench.client.call('provider.test', { name: 'local' });
  expect(tried).toMatchObject({
    value: {
      answer: null,
      problem: {
        code: 'PROVIDER_AUTH',
        message: `Provider HTTP 401: bad key. Set a valid key for local (${server.url}/chat/completions) in Settings, Providers, or with "vise config --provider local --api-key-stdin".`,
      },
    },
  });
});

test('variables with keys are offered by name, and an address that is none is refused', async () => {
  const env = { OPENROUTER_API_KEY: 'k-123456' };
  const { bench } = await askServer([], { ports: { env } });
  expect(await bench.client.call('provider.variables', {})).toEqual({
    ok: true,
    value: {
      found: [
        {
          name: 'openrouter',
          label: 'OpenRouter',
          variable: 'OPENROUTER_API_KEY',
          baseUrl: 'https://openrouter.ai/api/v1',
        },
      ],
    },
  });
  expect(await bench.client.call('provider.test', { name: 'x', baseUrl: 'foo' })).toMatchObject({
    error: { code: 'CONFIG_INVALID' },
  });
});
