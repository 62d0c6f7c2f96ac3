/** What is known of a provider before the first request. Refusals teach the rest (capabilities.ts). */
export interface Preset {
  readonly name: string;
  readonly label: string;
  readonly baseUrl: string;
  /** A server on this machine: no key, can be looked for. */
  readonly local: boolean;
  /** Where a key is made; absent for local servers. */
  readonly keyPage?: string;
  /** False where `stream_options` is refused (the usage comes without asking). */
  readonly streamUsage: boolean;
  /** True where the reasoning of earlier replies must be sent back with them, as text. */
  readonly echoReasoning: boolean;
  /** True where it comes in blocks that are sent back as they are. */
  readonly echoDetails: boolean;
}

const cloud = { local: false, streamUsage: true, echoReasoning: false, echoDetails: false };
const local = { local: true, streamUsage: true, echoReasoning: false, echoDetails: false };

export const presets: readonly Preset[] = [
  {
    ...cloud,
    name: 'openai',
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    ...cloud,
    name: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/chat/completions',
    keyPage: 'https://platform.deepseek.com/api_keys',
    echoReasoning: true,
  },
  {
    ...cloud,
    name: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyPage: 'https://openrouter.ai/keys',
    echoDetails: true,
  },
  {
    ...cloud,
    name: 'groq',
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyPage: 'https://console.groq.com/keys',
  },
  {
    ...cloud,
    name: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyPage: 'https://console.mistral.ai/api-keys',
    streamUsage: false,
  },
  {
    ...cloud,
    name: 'together',
    label: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    keyPage: 'https://api.together.xyz/settings/api-keys',
  },
  { ...local, name: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { ...local, name: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { ...local, name: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
  { ...local, name: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
];

/** By the provider's name, else by the host of its address (port included for local servers). */
export function presetFor(name: string, baseUrl: string): Preset | undefined {
  const byName = presets.find((preset) => preset.name === name);
  if (byName) return byName;
  const host = hostOf(baseUrl);
  return host === undefined ? undefined : presets.find((preset) => hostOf(preset.baseUrl) === host);
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host.replace(/^localhost(?=:|$)/, '127.0.0.1') : undefined;
}
