import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Remembered } from '../base/capabilities.ts';
import { checkEffort, knownModel, windowIn } from '../knownModel.ts';
import { noProviderFile } from '../providerFile.ts';
import { type ProviderFlags, resolveProvider } from '../providerSettings.ts';
import { createCatalogue, readOwnModels } from './catalogue.ts';
import { costOf, savedOf } from './prices.ts';
import { refreshCatalogue } from './refreshCatalogue.ts';

const shipped = createCatalogue([resolve(import.meta.dirname, '..', '..', '..', '..', 'resources', 'models.jsonl')]);
const at = (name: string, baseUrl = '', models = {}) => ({ name, baseUrl, models });

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'vise-models-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe('the catalogue', () => {
  test('knows the big providers by name and by address', () => {
    expect(shipped.source).toEqual({ from: 'models.dev', date: '2026-09-30' });
    const gpt = shipped.facts(at('openai'), 'gpt-5.5');
    expect(gpt).toMatchObject({ window: 1_050_000, output: 128_000, pictures: true, dialect: 'responses' });
    expect(gpt.efforts).toEqual(['none', 'low', 'medium', 'high', 'xhigh']);
    expect(shipped.facts(at('mine', 'https://api.openai.com/v1'), 'gpt-5.5')).toEqual(gpt);
    expect(shipped.facts(at('anthropic'), 'claude-opus-5')).toMatchObject({
      thinking: 'adaptive',
      dialect: 'messages',
    });
    expect(shipped.facts(at('kimi', 'https://api.moonshot.ai/v1'), 'kimi-k2.6').window).toBeGreaterThan(100_000);
  });

  test('says nothing of a model that it does not have, whatever its name resembles', () => {
    expect(shipped.facts(at('openai'), 'gpt-5.5-turbo-next')).toEqual({});
    expect(shipped.facts(at('mine', 'http://127.0.0.1:9/v1'), 'gpt-5.5')).toEqual({});
    expect(shipped.facts(at('ollama', 'http://127.0.0.1:11434/v1'), 'gpt-5.5')).toEqual({});
    expect(createCatalogue(['/nowhere']).facts(at('openai'), 'gpt-5.5')).toEqual({});
    expect(shipped.facts(at('openai'), 'constructor')).toEqual({});
  });

  test('gives way to the configuration, member by member', () => {
    const models = readOwnModels(
      { 'gpt-5.5': { window: 9_000, efforts: ['low'], nonsense: 1 } },
      { x: { input: 1, output: 2 } },
    );
    expect(shipped.facts(at('openai', '', models), 'gpt-5.5')).toMatchObject({
      window: 9_000,
      output: 128_000,
      efforts: ['low'],
    });
    expect(shipped.facts(at('openai', '', models), 'x')).toMatchObject({ price: { input: 1, output: 2 } });
  });

  test('is fetched anew when the person asks, and then comes first; what is no list changes nothing', async () => {
    const model = { tool_call: true, limit: { context: 5_000, output: 100 }, cost: { input: 3, output: 4 } };
    const body = {
      openai: { name: 'OpenAI', npm: '@ai-sdk/openai', models: { 'gpt-5.5': model, old: { tool_call: false } } },
    };
    const server = createServer((request, response) =>
      response.end(request.url === '/api.json' ? JSON.stringify(body) : 'nothing'),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP gives this shape
    const state = folder();
    expect(await refreshCatalogue(state, `${address}/no`, new Date(0))).toMatchObject({
      ok: false,
      error: { code: 'UNAVAILABLE' },
    });
    expect(await refreshCatalogue(state, `${address}/api.json`, new Date(0))).toMatchObject({
      value: { providers: 1, models: 1 },
    });
    const fresh = createCatalogue([join(state, 'models.jsonl')]);
    expect([fresh.source.date, fresh.facts(at('openai'), 'gpt-5.5').window]).toEqual(['1970-01-01', 5_000]);
  });

  test('that is broken is passed over', () => {
    const state = folder();
    writeFileSync(join(state, 'a'), 'not JSON\n{"id":"openai"');
    expect(createCatalogue([join(state, 'a')]).facts(at('openai'), 'gpt-5.5')).toEqual({});
  });
});

describe('the price of a request', () => {
  const usage = { requests: 1, input: 3_000_000, output: 1_000_000, cached: 1_000_000, reasoning: 0 };
  const price = { input: 2, output: 4 };

  test('counts cached and written input at their own prices', () => {
    const written = { ...usage, cacheWrites: 500_000 };
    expect([costOf(usage, price), costOf(usage, { ...price, cached: 1 })]).toEqual([10, 9]);
    expect([
      costOf(written, { ...price, cached: 1, cacheWrite: 3 }),
      savedOf(written, { ...price, cached: 1, cacheWrite: 3 }),
    ]).toEqual([9.5, 0.5]);
  });

  test('is the higher one above the size that the provider names', () => {
    expect(costOf(usage, { ...price, above: [{ tokens: 200_000, input: 4, output: 8 }] })).toBe(20);
  });
});

describe('what is known of a model', () => {
  const known = (flags: ProviderFlags, learnt = {}, env = {}) => {
    const settings = resolveProvider(noProviderFile, env, flags);
    if (!settings.ok) throw new Error(settings.error.message);
    const memory = new Remembered();
    memory.learn(settings.value.name, settings.value.model, learnt);
    return knownModel(settings.value, shipped, memory);
  };

  test.each([
    [{ provider: 'openai', model: 'gpt-5.5' }, {}, 'responses', 'catalogue'],
    [{ provider: 'openai', model: 'unheard' }, {}, 'responses', 'preset'],
    [{ provider: 'anthropic', model: 'unheard' }, {}, 'messages', 'preset'],
    [{ provider: 'openai', model: 'gpt-5.5', dialect: 'chat' }, { dialect: 'responses' }, 'chat', 'setting'],
    [{ model: 'x', baseUrl: 'http://h/v1' }, { dialect: 'responses' }, 'responses', 'learnt'],
    [{ model: 'x', baseUrl: 'http://h/v1/messages' }, {}, 'messages', 'address'],
    [{ model: 'x', baseUrl: 'http://h/v1' }, {}, 'chat', 'default'],
  ] as const)('%j is asked in its dialect, and it is told why', (flags, learnt, dialect, from) => {
    expect(known(flags, learnt)).toMatchObject({ dialect, dialectFrom: from });
  });

  test('has the window that the server taught before the one of the catalogue', () => {
    expect([
      known({ provider: 'openai', model: 'gpt-5.5' }, { window: 9_000 }).window,
      known({ model: 'x', baseUrl: 'http://h/v1' }).window,
    ]).toEqual([9_000, undefined]);
  });

  test('an effort that it does not have is refused with those that it has; of an unknown model any may be tried', () => {
    const told = (model: string, effort: string): string => {
      const checked = checkEffort(effort, model, shipped.facts(at('openai'), model));
      return checked.ok ? 'fits' : checked.error.message;
    };
    expect(told('gpt-5.5', 'max')).toBe('gpt-5.5 has no effort "max": it has none, low, medium, high, xhigh.');
    expect(told('gpt-4.1', 'low')).toBe('gpt-4.1 has no effort "low": it has none to choose.');
    expect([told('gpt-5.5', 'low'), told('unheard', 'anything')]).toEqual(['fits', 'fits']);
  });

  test.each([
    ["This model's maximum context length is 128000 tokens. However, your messages resulted in 130000", 128_000],
    ['prompt is too long: 208310 tokens > 200000 maximum', 200_000],
    ['the request exceeds the available context size (8192 tokens)', 8_192],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['too long', undefined],
  ])('"%s" names a window of %s', (words, tokens) => {
    expect(windowIn(words)).toBe(tokens);
  });
});
