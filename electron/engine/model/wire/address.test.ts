import { expect, test } from 'vitest';
import { chatAddress } from './address.ts';

test.each([
  ['https://host/v1', 'https://host/v1/chat/completions'],
  ['https://host/v1//', 'https://host/v1/chat/completions'],
  ['https://host/v1/chat/completions', 'https://host/v1/chat/completions'],
  ['https://host/v1/chat/completions/', 'https://host/v1/chat/completions'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/chat/completions'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/chat/completions'],
  [' https://host/v1?version=2#part ', 'https://host/v1/chat/completions?version=2'],
])('%s is asked at %s', (baseUrl, asked) => {
  const address = chatAddress(baseUrl);
  expect(address.ok ? address.value.href : address.error.message).toBe(asked);
});

test.each(['', 'host/v1', 'ftp://host', 'http://'])('%j is no address', (baseUrl) => {
  expect(chatAddress(baseUrl)).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
});
