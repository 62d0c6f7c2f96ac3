import { noModelRemedy } from '../engine/model/base/causes.ts';
import { ownKeyVariable } from '../engine/model/base/presets.ts';
import type { ProviderSettings } from '../engine/model/providerSettings.ts';
import { isLoopback, parseAddress } from '../engine/model/wire/address.ts';
import type { Io } from './base/io.ts';

/** The provider in use, as `vise config` tells of it. */
export interface InForce {
  readonly settings: ProviderSettings;
  /** The key that is kept apart from the configuration. */
  readonly keptKey: string | undefined;
  readonly env: Io['env'];
}

/** What is in force, a row each, with the variable that a value comes from. */
export function wordsInForce(given: InForce, path: string): readonly (readonly [what: string, value: string])[] {
  const { name, kind, model, baseUrl, sources } = given.settings;
  const from = (key: string, variable: string): string => (sources[key] === 'env' ? ` (by ${variable})` : '');
  return [
    ['provider', `${name}${from('llm_provider', 'LLM_PROVIDER')}`],
    ['model', `${model || 'none'}${from('llm_model', 'LLM_MODEL')}`],
    ...(kind === 'scripted'
      ? []
      : ([['address', `${baseUrl || 'none'}${from('llm_base_url', 'LLM_BASE_URL')}`]] as const)),
    ['key', keyWords(given)],
    ['file', path],
  ];
}

function keyWords({ settings, keptKey, env }: InForce): string {
  if (settings.apiKey !== '') return settings.sources['llm_api_key'] === 'env' ? 'set (by LLM_API_KEY)' : 'set';
  if (keptKey !== undefined) return 'set';
  const variable = ownKeyVariable(settings);
  if (variable !== undefined && env[variable]) return `set (by ${variable})`;
  return needsKey(settings) ? 'none' : 'none, and none is needed';
}

/** A server on this machine asks for none; the scripted provider and Mattermost have none of this kind. */
function needsKey({ kind, baseUrl }: ProviderSettings): boolean {
  const address = parseAddress(baseUrl);
  return kind === 'openai_compatible' && address.ok && !isLoopback(address.value);
}

/** What is missing before a model can be asked, each with the command that gives it. */
export function missingWords(given: InForce): readonly string[] {
  const { name, kind, model, baseUrl } = given.settings;
  if (kind !== 'openai_compatible') return [];
  if (name === 'default' && baseUrl === '') return [`No model is configured. ${noModelRemedy}`];
  return [
    ...(baseUrl === '' ? [`${name} has no address yet: "vise config --provider ${name} --base-url URL" sets it.`] : []),
    ...(model === '' ? [`${name} has no model yet: "vise config --provider ${name} --model NAME" sets it.`] : []),
    ...(keyWords(given) === 'none'
      ? [`${name} has no key yet: "vise config --provider ${name} --api-key-stdin" takes one from standard input.`]
      : []),
  ];
}
