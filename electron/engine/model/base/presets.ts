import type { DialectName } from '../../../../shared/model/dialect.ts';

/** What is known of a provider before the first request. Refusals teach the rest (capabilities.ts). */
export interface Preset {
  readonly name: string;
  readonly label: string;
  /** Empty where every customer has an address of their own (Azure). */
  readonly baseUrl: string;
  /** A server on this machine: no key, can be looked for. */
  readonly local: boolean;
  /** Where a key is made; absent for local servers. */
  readonly keyPage?: string;
  /** The variable in which the maker's own tools look for the key. */
  readonly keyVariable?: string;
  readonly dialect: DialectName;
  /** Its name in the catalogue. */
  readonly catalogue?: string;
  /** False where `stream_options` is refused (the usage comes without asking). */
  readonly streamUsage: boolean;
  /** True where the reasoning of earlier replies must be sent back with them, as text. */
  readonly echoReasoning: boolean;
  /** True where it comes in blocks that are sent back as they are. */
  readonly echoDetails: boolean;
  /** True where calls of the turn must bear a signature, also those of other models (Gemini). */
  readonly signsCalls: boolean;
}

type Given = Pick<Preset, 'name' | 'label' | 'baseUrl'> & Partial<Preset>;

const usual = {
  dialect: 'chat',
  streamUsage: true,
  echoReasoning: false,
  echoDetails: false,
  signsCalls: false,
} as const;
const cloud = (given: Given): Preset => ({ ...usual, local: false, catalogue: given.name, ...given });
const local = (name: string, label: string, port: number): Preset => ({
  ...usual,
  name,
  label,
  baseUrl: `http://127.0.0.1:${port}/v1`,
  local: true,
});

export const presets: readonly Preset[] = [
  cloud({
    name: 'openai',
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyPage: 'https://platform.openai.com/api-keys',
    keyVariable: 'OPENAI_API_KEY',
    dialect: 'responses',
  }),
  cloud({
    name: 'anthropic',
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyPage: 'https://platform.claude.com/settings/keys',
    keyVariable: 'ANTHROPIC_API_KEY',
    dialect: 'messages',
  }),
  cloud({
    name: 'google',
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyPage: 'https://aistudio.google.com/apikey',
    keyVariable: 'GEMINI_API_KEY',
    signsCalls: true,
  }),
  cloud({
    name: 'azure',
    label: 'Azure OpenAI',
    baseUrl: '',
    keyPage: 'https://ai.azure.com',
    keyVariable: 'AZURE_API_KEY',
    dialect: 'responses',
  }),
  cloud({
    name: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/chat/completions',
    keyPage: 'https://platform.deepseek.com/api_keys',
    keyVariable: 'DEEPSEEK_API_KEY',
    echoReasoning: true,
  }),
  cloud({
    name: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyPage: 'https://openrouter.ai/keys',
    keyVariable: 'OPENROUTER_API_KEY',
    echoDetails: true,
  }),
  cloud({
    name: 'xai',
    label: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    keyPage: 'https://console.x.ai',
    keyVariable: 'XAI_API_KEY',
  }),
  cloud({
    name: 'groq',
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyPage: 'https://console.groq.com/keys',
    keyVariable: 'GROQ_API_KEY',
  }),
  cloud({
    name: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyPage: 'https://console.mistral.ai/api-keys',
    keyVariable: 'MISTRAL_API_KEY',
    streamUsage: false,
  }),
  cloud({
    name: 'moonshot',
    label: 'Moonshot (Kimi)',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyPage: 'https://platform.moonshot.ai/console/api-keys',
    keyVariable: 'MOONSHOT_API_KEY',
    catalogue: 'moonshotai',
    echoReasoning: true,
  }),
  cloud({
    name: 'together',
    label: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    keyPage: 'https://api.together.xyz/settings/api-keys',
    keyVariable: 'TOGETHER_API_KEY',
    catalogue: 'togetherai',
  }),
  local('ollama', 'Ollama', 11_434),
  local('lmstudio', 'LM Studio', 1_234),
  local('vllm', 'vLLM', 8_000),
  local('llamacpp', 'llama.cpp', 8_080),
];

/** By the provider's name, else by the host of its address (port included for local servers). */
export function presetFor(name: string, baseUrl: string): Preset | undefined {
  const byName = presets.find((preset) => preset.name === name);
  if (byName) return byName;
  // Asked several times a request: the hosts of all presets are read once.
  byHost ??= new Map(presets.toReversed().map((preset) => [hostOf(preset.baseUrl), preset]));
  const host = hostOf(baseUrl);
  return host === undefined ? undefined : byHost.get(host);
}

let byHost: ReadonlyMap<string | undefined, Preset> | undefined;

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host.replace(/^localhost(?=:|$)/, '127.0.0.1') : undefined;
}

/** The variable with the key of a provider's own tools; for its own address only, no other host may get that key. */
export function ownKeyVariable({
  name,
  baseUrl,
}: {
  readonly name: string;
  readonly baseUrl: string;
}): string | undefined {
  const preset = presets.find((one) => one.name === name) ?? presetFor('', baseUrl);
  const host = hostOf(baseUrl);
  const isOwn =
    preset?.baseUrl === ''
      ? host?.endsWith('.azure.com')
      : host !== undefined && host === hostOf(preset?.baseUrl ?? '');
  return isOwn === true ? preset?.keyVariable : undefined;
}
