import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startModelServer } from '../../../e2e/modelServer.ts';
import { Remembered } from './base/capabilities.ts';
import { presetFor, presets } from './base/presets.ts';
import { detectLocalServers, listModels } from './detectLocal.ts';
import {
  changedConfig,
  loadProviderFile,
  maskedConfig,
  noProviderFile,
  providerTemplate,
  readProviderFile,
  saveProviderFile,
} from './providerFile.ts';
import { describeSettings, type ProviderFlags, type ProviderSettings, resolveProvider } from './providerSettings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const fileOf = (value: unknown) => readProviderFile(JSON.stringify(value), 'config.json').file;

function resolve(file: unknown, env: Record<string, string> = {}, flags: ProviderFlags = {}): ProviderSettings {
  const settings = resolveProvider(fileOf(file), env, flags);
  if (!settings.ok) throw new Error(settings.error.message);
  return settings.value;
}

describe('precedence', () => {
  const keys = [
    ['llm_api_key', 'LLM_API_KEY', 'apiKey'],
    ['llm_base_url', 'LLM_BASE_URL', 'baseUrl'],
    ['llm_model', 'LLM_MODEL', 'model'],
  ] as const;
  const levels = ['flag', 'env', 'provider', 'file', 'default'] as const;
  const table = keys.flatMap((key) => levels.map((level, index) => [key[0], level, key, index] as const));

  test.each(table)('%s comes from %s when nothing stronger says it', (_, level, [key, variable, flag], from) => {
    const at = (index: number) => from <= index;
    const file = {
      active_provider: 'p',
      ...(at(3) && from <= 3 ? { [key]: 'top' } : {}),
      providers: { p: { llm_provider: 'openai_compatible', ...(from <= 2 ? { [key]: 'block' } : { [key]: '' }) } },
    };
    const settings = resolve(
      file,
      from <= 1 ? { [variable]: 'variable' } : { [variable]: '' },
      from === 0 ? { [flag]: 'flagged' } : {},
    );
    const expected = ['flagged', 'variable', 'block', 'top', ''][from];
    expect([settings[flag], settings.sources[key]]).toEqual([expected, level]);
  });

  test('of the timeout and of debug is the same', () => {
    const file = { llm_timeout: 30, llm_debug: true, providers: {} };
    expect([
      resolve(file).timeoutMs,
      resolve(file, { LLM_TIMEOUT: '45' }).timeoutMs,
      resolve(file, { LLM_DEBUG: '0' }).debug,
    ]).toEqual([30_000, 45_000, false]);
  });

  test('puts the file before the environment where the file says so', () => {
    const file = {
      config_file_wins: true,
      active_provider: 'p',
      llm_model: 'top',
      providers: { p: { llm_api_key: 'block' } },
    };
    const settings = resolve(file, { LLM_API_KEY: 'variable', LLM_MODEL: 'variable', LLM_BASE_URL: 'http://v/v1' });
    expect([settings.apiKey, settings.model, settings.baseUrl]).toEqual(['block', 'top', 'http://v/v1']);
  });
});

describe('the provider', () => {
  test.each<[string, unknown, Record<string, string>, ProviderFlags, string, string]>([
    ['the active one', providerTemplate, {}, {}, 'deepseek', 'openai_compatible'],
    [
      'the one of the command line',
      providerTemplate,
      { LLM_PROVIDER: 'deepseek' },
      { provider: 'mattermost' },
      'mattermost',
      'mattermost',
    ],
    ['a variable that names a block', providerTemplate, { LLM_PROVIDER: 'mattermost' }, {}, 'mattermost', 'mattermost'],
    [
      'a variable that names a kind',
      { active_provider: 'x', providers: { x: { llm_provider: 'mattermost' } } },
      { LLM_PROVIDER: 'openai_compatible' },
      {},
      'x',
      'openai_compatible',
    ],
    ['a preset', {}, {}, { provider: 'ollama' }, 'ollama', 'openai_compatible'],
    ['nothing', {}, {}, {}, 'default', 'openai_compatible'],
    [
      'the scripted one of a variable, whatever the file says',
      { active_provider: 'x', llm_provider: 'openai_compatible', providers: { x: {} } },
      { LLM_PROVIDER: 'scripted' },
      {},
      'scripted',
      'scripted',
    ],
    ['a script in the environment', providerTemplate, { VISE_SCRIPT: 's.json' }, {}, 'scripted', 'scripted'],
    [
      'a script beside a named provider',
      providerTemplate,
      { VISE_SCRIPT: 's.json' },
      { provider: 'deepseek' },
      'deepseek',
      'openai_compatible',
    ],
  ])('is %s', (_, file, env, flags, name, kind) => {
    const settings = resolve(file, env, flags);
    expect([settings.name, settings.kind]).toEqual([name, kind]);
  });

  test.each<[unknown, Record<string, string>, ProviderFlags]>([
    [{}, {}, { provider: 'nobody' }],
    [{}, { LLM_PROVIDER: 'nobody' }, {}],
    [{ active_provider: 'x', providers: { x: { llm_provider: 'nobody' } } }, {}, {}],
  ])('that nobody knows is refused by name', (file, env, flags) => {
    const settings = resolveProvider(fileOf(file), env, flags);
    expect(settings).toMatchObject({
      ok: false,
      error: {
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/^(?:There is no provider "nobody"|Unsupported llm_provider: nobody)/) as string,
      },
    });
  });

  test('brings its address along when it is a preset', () => {
    const settings = resolve({}, {}, { provider: 'groq' });
    expect([settings.baseUrl, settings.sources.llm_base_url]).toEqual(['https://api.groq.com/openai/v1', 'preset']);
  });

  test('Mattermost takes --model as its model key, and tools in text only', () => {
    const settings = resolve(providerTemplate, {}, { provider: 'mattermost', model: 'other' });
    expect([settings.mattermost.modelKey, settings.tools]).toEqual(['other', 'text']);
  });
});

describe('LLM_TIMEOUT', () => {
  test.each([
    ['60', 60_000, 0],
    ['abc', 120_000, 1],
    ['12.5', 120_000, 1],
    ['0', 120_000, 1],
    ['-5', 120_000, 1],
    ['', 120_000, 0],
  ])('"%s" is %i ms with %i warnings', (value, ms, warnings) => {
    const settings = resolve({}, { LLM_TIMEOUT: value });
    expect([settings.timeoutMs, settings.warnings.length]).toEqual([ms, warnings]);
  });
});

describe('the file', () => {
  test.each(['{', '[]', '"x"', 'null'])('%s counts as empty, with a warning that names it', (text) => {
    const read = readProviderFile(text, 'config.json');
    expect(read).toEqual({ file: noProviderFile, warning: expect.stringContaining('config.json') as string });
  });

  test('keeps the good blocks beside a bad one', () => {
    const read = readProviderFile('{"providers":{"a":{"llm_model":"m"},"b":3}}', 'c');
    expect([Object.keys(read.file.providers), read.warning]).toEqual([['a'], 'c: no objects and ignored: b.']);
  });

  test('is written whole with mode 600 and read again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vise-config-'));
    folders.push(folder);
    const path = join(folder, 'deep', 'config.json');
    expect(loadProviderFile(path)).toEqual({ file: noProviderFile });
    saveProviderFile(path, changedConfig(noProviderFile, { provider: 'deepseek', apiKey: 'k' }));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadProviderFile(path).file.providers).toEqual({
      deepseek: { ...providerTemplate.providers.deepseek, llm_api_key: 'k' },
    });
  });

  test('is changed block by block, other keys kept', () => {
    const file = fileOf({ ...providerTemplate, theme: 'dark' });
    expect(changedConfig(file, { provider: 'mattermost', model: 'm', debug: true })).toEqual({
      ...providerTemplate,
      theme: 'dark',
      active_provider: 'mattermost',
      llm_debug: true,
      providers: {
        ...providerTemplate.providers,
        mattermost: { ...providerTemplate.providers.mattermost, llm_model_key: 'm' },
      },
    });
    expect(changedConfig(file, { model: 'm' })).toMatchObject({
      active_provider: 'deepseek',
      providers: { deepseek: { llm_model: 'm' } },
    });
  });

  test('never shows its secrets', () => {
    const file = {
      llm_api_key: 's1',
      providers: {
        p: { llm_api_key: 's2', mmauth_token: 's3', csrf_token: '', llm_headers: { 'x-key': 's4' }, llm_model: 'm' },
      },
    };
    expect(maskedConfig(file)).toEqual({
      llm_api_key: '***',
      providers: {
        p: { llm_api_key: '***', mmauth_token: '***', csrf_token: '', llm_headers: { 'x-key': '***' }, llm_model: 'm' },
      },
    });
    const shown = JSON.stringify(describeSettings(resolve({ ...file, active_provider: 'p' }, { LLM_MODEL: 'v' })));
    expect(/s[1-4]/.exec(shown)).toBe(null);
    expect(shown).toContain('"llm_model":{"value":"v","source":"env"}');
  });
});

describe('presets', () => {
  test('have an address and a name of their own', () => {
    expect(new Set(presets.map((preset) => preset.name)).size).toBe(presets.length);
    const without = presets.filter((preset) => !URL.canParse(preset.baseUrl)).map(({ name }) => name);
    expect(without).toEqual(['azure']); // every customer has one of their own
  });

  test('are found by name or by address', () => {
    const found = [
      presetFor('mistral', ''),
      presetFor('mine', 'http://localhost:11434/v1'),
      presetFor('mine', 'https://x.org'),
    ];
    expect(found.map((preset) => preset?.name)).toEqual(['mistral', 'ollama', undefined]);
  });

  test('of local servers are detected when asked', async () => {
    const server = await startModelServer({ models: ['small', 'large'] });
    const here = { ...presets[0], name: 'here', baseUrl: server.url } as (typeof presets)[number];
    const gone = { ...here, name: 'gone', baseUrl: 'http://127.0.0.1:1/v1' };
    expect(await detectLocalServers([here, gone])).toEqual([{ preset: here, models: ['small', 'large'] }]);
    await server.close();
  });
  test('of models are listed with the key, and nothing is listed where nothing answers', async () => {
    const server = await startModelServer({ models: ['a'] });
    expect([
      await listModels(`${server.url}/models`, { authorization: 'Bearer k' }),
      await listModels('nonsense'),
    ]).toEqual([['a'], undefined]);
    await server.close();
  });
});

describe('the capability memory', () => {
  test('is apart for each provider and model, and survives as JSON', () => {
    const learnt: unknown[] = [];
    const memory = new Remembered(JSON.parse('{"p a":{"tools":"text"}}'), (key, what) => learnt.push([key, what]));
    memory.learn('p', 'a', { temperature: false });
    expect(learnt).toEqual([['p a', { temperature: false }]]);
    expect([memory.get('p', 'a'), memory.get('p', 'b'), memory.get('q', 'a')]).toEqual([
      { tools: 'text', temperature: false },
      {},
      {},
    ]);
  });

  test('takes nothing from a broken file', () => {
    expect(new Remembered({ 'p a': { tools: 'banana', temperature: 'no' }, 'p b': 3 }).get('p', 'a')).toEqual({});
  });
});
