import { expect, test } from 'vitest';
import { requestAddress } from './address.ts';

test.each([
  ['https://host/v1', 'https://host/v1/chat/completions'],
  ['https://host/v1//', 'https://host/v1/chat/completions'],
  ['https://host/v1/chat/completions', 'https://host/v1/chat/completions'],
  ['https://host/v1/chat/completions/', 'https://host/v1/chat/completions'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/chat/completions'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/chat/completions'],
  [' https://host/v1?version=2#part ', 'https://host/v1/chat/completions?version=2'],
])('%s is asked at %s', (baseUrl, asked) => {
  const address = requestAddress(baseUrl, 'chat');
  expect(address.ok ? address.value.href : address.error.message).toBe(asked);
});

test.each(['', 'host/v1', 'ftp://host', 'http://'])('%j is no address', (baseUrl) => {
  expect(requestAddress(baseUrl, 'chat')).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
});

test.each([
  ['https://api.openai.com/v1', 'responses', 'https://api.openai.com/v1/responses'],
  ['https://api.deepseek.com/chat/completions', 'messages', 'https://api.deepseek.com/v1/messages'],
  ['https://api.anthropic.com', 'messages', 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1/messages', 'messages', 'https://api.anthropic.com/v1/messages'],
  ['https://me.openai.azure.com', 'responses', 'https://me.openai.azure.com/openai/v1/responses'],
  ['https://me.openai.azure.com/openai/v1/', 'chat', 'https://me.openai.azure.com/openai/v1/chat/completions'],
  [
    'https://me.services.ai.azure.com/openai/v1?api-version=preview',
    'responses',
    'https://me.services.ai.azure.com/openai/v1/responses?api-version=preview',
  ],
] as const)('%s in %s is asked at %s', (baseUrl, dialect, asked) => {
  const address = requestAddress(baseUrl, dialect);
  expect(address.ok ? address.value.href : address.error.message).toBe(asked);
});
