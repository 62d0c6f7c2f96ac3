import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../e2e/modelServer.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

async function config(settings: string | undefined, ...flags: readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-config-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (settings !== undefined) {
    mkdirSync(join(folder, '.vise'));
    writeFileSync(join(folder, '.vise', 'settings.json'), settings);
  }
  const io = createTestIo(folder, '', { VISE_HOME: join(folder, 'home') });
  const code = await main(['config', '--show', ...flags], io);
  return { folder, code, shown: JSON.parse(io.printed.out) as Record<string, unknown>, err: io.printed.err };
}

test('vise config --show says what the project narrows, and what of it does not count', async () => {
  const { folder, code, shown, err } = await config(
    '{"agent":{"maxIterations":4,"parallelCalls":99}}',
    '--trust-workspace',
    '--resolved',
  );
  expect(code).toBe(0);
  expect(shown['project']).toEqual({ path: folder, state: 'counts', narrows: { 'agent.maxIterations': 4 } });
  expect(err).toBe(
    'vise config: .vise/settings.json: agent.parallelCalls is looser than yours (8); a project can only narrow.\n',
  );
});

test('vise config --show tells what an untrusted project narrows, and nothing where it says nothing', async () => {
  const untrusted = await config('{"agent":{"maxIterations":4}}');
  const narrows = { 'agent.maxIterations': 4 };
  expect(untrusted.shown).toEqual({ project: { path: untrusted.folder, state: 'counts', narrows } });
  expect(await config(undefined)).toMatchObject({ code: 0, shown: {}, err: '' });
});

/** `vise config` in a home of its own, several times over. */
function configs() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-config-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return async (stdin: string, ...flags: readonly string[]) => {
    const io = createTestIo(folder, stdin, { VISE_HOME: join(folder, 'home') });
    const code = await main(['config', ...flags], io);
    return { code, ...io.printed };
  };
}

test('vise config refuses a slip in a provider or an address, and takes a name in any case', async () => {
  const config = configs();
  expect(await config('', '--provider', 'ollma', '--model', 'm')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/ollma"\. Did you mean ollama\?.*--base-url/) as string,
  });
  expect(await config('', '--provider', 'mine', '--base-url', 'foo')).toMatchObject({
    code: 2,
    err: expect.stringContaining('not "foo"') as string,
  });
  expect(await config('', '--provider', 'mine', '--base-url', 'http://127.0.0.1:9/v1')).toMatchObject({ code: 0 });
  expect(await config('', '--provider', 'OpenAI', '--model', 'gpt-5.5')).toMatchObject({ code: 0 });
  const { out } = await config('', '--show', '--resolved');
  expect(JSON.parse(out)).toMatchObject({ provider: 'openai', model: { dialect: { value: 'responses' } } });
  // Showing another one changes nothing.
  expect((await config('', '--show', '--resolved', '--provider', 'MINE')).out).toContain('"provider": "mine"');
  expect((await config('', '--show')).out).toContain('"active_provider": "openai"');
});

test('a key from standard input takes the place of one in config.json, and is never shown', async () => {
  const config = configs();
  await config('', '--provider', 'openai', '--api-key', 'old-key', '--model', 'gpt-5.5');
  expect(await config('new-key\n', '--provider', 'openai', '--api-key-stdin')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/the key of openai is kept in .*keys\.json/) as string,
  });
  const { out } = await config('', '--show', '--resolved');
  expect(JSON.parse(out)).toMatchObject({ settings: { llm_api_key: { value: '***', source: 'keys' } } });
  expect((await config('', '--show')).out).not.toContain('old-key');
  expect((await config('two words', '--provider', 'openai', '--api-key-stdin')).code).toBe(2);
});

test('what a refusal taught of a model is remembered, and vise config shows it', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-config-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const message = "Unsupported value: 'temperature' does not support 0.2 with this model.";
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  const server = await startModelServer({ replies: [refusal, { text: 'Hi.' }, { text: 'Again.' }] });
  onTestFinished(() => server.close());
  const named = { LLM_BASE_URL: server.url, LLM_MODEL: 'm', LLM_API_KEY: 'k-1234567' };
  const io = createTestIo(folder, '', { VISE_HOME: join(folder, 'home'), PATH: process.env['PATH'], ...named });
  for (const words of ['One.', 'Two.']) expect(await main(['exec', '--mode', 'ask', words], io)).toBe(0);
  expect(server.requests.map(({ body }) => 'temperature' in (body as object))).toEqual([true, false, false]);
  const shown = createTestIo(folder, '', io.env);
  await main(['config', '--show', '--resolved'], shown);
  expect(JSON.parse(shown.printed.out)).toMatchObject({ model: { learnt: { temperature: false } } });
});

test('vise config says in a row each what is in force, and what a model still lacks', async () => {
  const config = configs();
  expect(await config('')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^No model is configured\./) as string,
  });
  const saved = await config('', '--provider', 'openai');
  expect(saved).toMatchObject({
    code: 0,
    err: expect.stringMatching(/openai has no model yet.*\n.*openai has no key yet/) as string,
  });
  expect(await config('a-key', '--provider', 'openai', '--model', 'gpt-5.5', '--api-key-stdin')).toMatchObject({
    err: expect.not.stringContaining('yet') as string,
  });
  const { out, err } = await config('');
  expect({ out, err }).toEqual({
    out: expect.stringMatching(
      /^ {2}provider {2}openai\n {2}model {5}gpt-5\.5\n {2}address {3}https:\/\/api\.openai\.com\/v1\n {2}key {7}set\n/,
    ) as string,
    err: '',
  });
  // A server on this machine needs none.
  expect(await config('', '--provider', 'ollama', '--model', 'm')).toMatchObject({ err: '' });
  expect((await config('')).out).toContain('none, and none is needed');
});
