import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { localWindow } from './detectLocal.ts';

async function serve(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // listening on TCP gives this shape
}

test.each([
  ['ollama', { '/api/ps': { models: [{ name: 'm', context_length: 8_192 }] } }, 8_192],
  ['ollama', { '/api/ps': { models: [] }, '/api/show': { parameters: 'stop "x"\nnum_ctx    16384\n' } }, 16_384],
  ['ollama', { '/api/show': { parameters: 'stop "x"' } }, undefined],
  [
    'lmstudio',
    { '/api/v0/models': { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 4_096 }] } },
    4_096,
  ],
  ['llamacpp', { '/props': { default_generation_settings: { n_ctx: 32_768 } } }, 32_768],
  ['vllm', { '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } }, 40_960],
  ['vllm', {}, undefined],
])('%s tells the window that it runs a model with', async (server, answers, tokens) => {
  expect(await localWindow(server, await serve(answers), 'm')).toBe(tokens);
});
