import { expect, test } from 'vitest';
import { advised, causeOf, networkCause } from './causes.ts';
import { statusFault, streamedFault } from './fault.ts';

// Bodies as the providers write them: OpenAI, Anthropic, Azure, Google, DeepSeek, OpenRouter, Mistral, llama.cpp, Ollama.
test.each([
  [
    401,
    '{"error":{"message":"Incorrect API key provided: sk-x.","type":"invalid_request_error","code":"invalid_api_key"}}',
    'key',
  ],
  [401, '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}', 'key'],
  [400, '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]', 'key'],
  [
    403,
    '{"type":"error","error":{"type":"permission_error","message":"Your API key does not have permission"}}',
    'permission',
  ],
  [
    404,
    '{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}',
    'model',
  ],
  [404, '{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}', 'model'],
  [400, '{"object":"error","message":"Invalid model: mistral-9","type":"invalid_model"}', 'model'],
  [404, '404 page not found', 'address'],
  [405, '{"detail":"Method Not Allowed"}', 'address'],
  [
    400,
    '{"error":{"message":"This model\'s maximum context length is 128000 tokens.","code":"context_length_exceeded"}}',
    'overflow',
  ],
  [
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}',
    'overflow',
  ],
  [
    400,
    '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
    'overflow',
  ],
  [
    400,
    '{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed"}}',
    'overflow',
  ],
  [
    413,
    '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    'tooLarge',
  ],
  [400, '{"error":{"message":"This model does not support image input"}}', 'pictures'],
  [
    400,
    `{"error":{"message":"Unsupported value: 'reasoning_effort' does not support 'max'. Supported values are: 'low' and 'high'."}}`,
    'effort',
  ],
  [400, '{"error":{"message":"The response was filtered","code":"content_filter"}}', 'content'],
  [400, '{"error":{"message":"Invalid schema for function read_file"}}', 'request'],
  [402, '{"error":{"message":"Insufficient Balance"}}', 'credit'],
  [429, '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}', 'credit'],
  [400, '{"type":"error","error":{"message":"Your credit balance is too low to access the API"}}', 'credit'],
  [429, '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}', 'rate'],
  [500, '', 'busy'],
  [529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'busy'],
  [503, '<html><title>503</title></html>', 'busy'],
  [507, 'no room', 'busy'],
] as const)('HTTP %d %s is told as %s', (status, body, cause) => {
  expect(statusFault(status, body).cause).toBe(cause);
});

test.each([
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ENOTFOUND', 'name'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'network'],
] as const)('%s is told as %s', (code, cause) => {
  expect(networkCause(code)).toBe(cause);
});

test('an error inside a stream is judged like the status that it stands for', () => {
  const kinds = ['overloaded_error', 'rate_limit_error', 'authentication_error', 'invalid_request_error'];
  const faults = kinds.map((type) => streamedFault({ type: 'error', error: { type, message: 'm' } }));
  expect(faults.map((one) => [one?.failure.code, one?.again, one?.cause])).toEqual([
    ['PROVIDER_ERROR', true, 'busy'],
    ['PROVIDER_RATE_LIMITED', true, 'rate'],
    ['PROVIDER_AUTH', false, 'key'],
    ['PROVIDER_ERROR', false, 'request'],
  ]);
});

test('what a longer wait cannot mend is not sent again', () => {
  const spent = statusFault(429, '{"error":{"code":"insufficient_quota"}}');
  const full = statusFault(500, 'the request exceeds the available context size');
  expect([spent.again, full.again, statusFault(429, 'slow').again]).toEqual([false, false, true]);
});

test('the last sentence of a failure says what to do, with the provider, its address and the command', () => {
  const failure = { code: 'PROVIDER_AUTH', message: 'Provider HTTP 401: bad key' } as const;
  const asked = { provider: 'work', address: 'https://llm.example.org/v1/responses' };
  expect(advised(failure, causeOf(401, 'bad key'), asked).message).toBe(
    'Provider HTTP 401: bad key. Set a valid key for work (https://llm.example.org/v1/responses) in Settings, Providers, or with "vise config --provider work --api-key-stdin".',
  );
  expect(advised(failure, 'model', { ...asked, provider: 'my own' }).message).toContain('--provider "my own" --models');
});
