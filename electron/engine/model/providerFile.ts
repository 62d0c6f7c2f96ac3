import { readFileSync } from 'node:fs';
import { writeFileAtomic } from '../base/atomicFile.ts';

export type Block = Readonly<Record<string, unknown>>;

/** The provider part of `config.json` as it stands in the file; other keys of the file are kept as they are. */
export interface ProviderFile {
  readonly raw: Block;
  readonly providers: Readonly<Record<string, Block>>;
  readonly activeProvider: string;
}

/** What a block of these providers begins with when it is first saved. */
export const providerTemplate = {
  active_provider: 'deepseek',
  llm_debug: false,
  providers: {
    deepseek: {
      llm_provider: 'openai_compatible',
      llm_api_key: '',
      llm_base_url: 'https://api.deepseek.com/chat/completions',
      llm_model: 'deepseek-v4-flash',
    },
    mattermost: {
      llm_provider: 'mattermost',
      llm_base_url: 'https://mattermost.aslead.cloud/plugins/aslead-chatgpt',
      llm_model_key: 'sendMessageToChatGPT',
      access_team: '',
      mmauth_token: '',
      mmuser_id: '',
      csrf_token: '',
    },
  },
} as const;

export const noProviderFile: ProviderFile = { raw: {}, providers: {}, activeProvider: '' };

/** Reads the text of the file. What is broken counts as empty, and the warning says what and where. */
export function readProviderFile(
  text: string,
  path: string,
): { readonly file: ProviderFile; readonly warning?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { file: noProviderFile, warning: `${path} is not valid JSON and is ignored: ${why}` };
  }
  if (!isBlock(value)) return { file: noProviderFile, warning: `${path} must hold one JSON object and is ignored.` };
  const providers: Record<string, Block> = {};
  const broken: string[] = [];
  for (const [name, block] of Object.entries(isBlock(value.providers) ? value.providers : {})) {
    if (isBlock(block)) providers[name] = block;
    else broken.push(name);
  }
  const activeProvider = typeof value.active_provider === 'string' ? value.active_provider : '';
  const file = { raw: value, providers, activeProvider };
  if (value.providers !== undefined && !isBlock(value.providers)) {
    return { file, warning: `${path}: providers must be an object of provider blocks and is ignored.` };
  }
  return broken.length === 0 ? { file } : { file, warning: `${path}: no objects and ignored: ${broken.join(', ')}.` };
}

/** A missing file is an empty configuration without a warning. */
export function loadProviderFile(path: string): { readonly file: ProviderFile; readonly warning?: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { file: noProviderFile };
    return { file: noProviderFile, warning: `${path} cannot be read and is ignored: ${String(error)}` };
  }
  return readProviderFile(text, path);
}

/** Writes the whole configuration with mode 600: it holds keys. Throws the system's error. */
export function saveProviderFile(path: string, raw: Block): void {
  writeFileAtomic(path, `${JSON.stringify(raw, null, 2)}\n`);
}

export interface ProviderChange {
  readonly provider?: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly debug?: boolean;
}

/** What `vise config --provider P …` writes: block P is created or updated and becomes the active one. */
export function changedConfig(file: ProviderFile, change: ProviderChange): Block {
  const name = change.provider ?? (file.activeProvider || 'default');
  const template: Block = (providerTemplate.providers as Readonly<Record<string, Block>>)[name] ?? {};
  const before = file.providers[name] ?? { llm_provider: 'openai_compatible', ...template };
  // The Mattermost plug-in knows its model by a key in the address.
  const modelKey = before.llm_provider === 'mattermost' ? 'llm_model_key' : 'llm_model';
  const block = {
    ...before,
    ...(change.apiKey === undefined ? {} : { llm_api_key: change.apiKey }),
    ...(change.baseUrl === undefined ? {} : { llm_base_url: change.baseUrl }),
    ...(change.model === undefined ? {} : { [modelKey]: change.model }),
  };
  return {
    ...file.raw,
    active_provider: name,
    ...(change.debug === undefined ? {} : { llm_debug: change.debug }),
    providers: { ...file.providers, [name]: block },
  };
}

const secretKey = /(api_?key|token|secret|password|cookie|authorization|mmuser_id)/i;

/** The configuration as it may be shown: what is secret and set reads `***`; all headers count as secret. */
export function maskedConfig(block: Block): Block {
  return Object.fromEntries(
    Object.entries(block).map(([key, item]) => {
      if (key === 'llm_headers' && isBlock(item)) {
        return [key, Object.fromEntries(Object.keys(item).map((name) => [name, '***']))];
      }
      if (secretKey.test(key)) return [key, item === '' || item === null || item === undefined ? item : '***'];
      return [key, maskedValue(item)];
    }),
  );
}

function maskedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedValue);
  return isBlock(value) ? maskedConfig(value) : value;
}

export function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
