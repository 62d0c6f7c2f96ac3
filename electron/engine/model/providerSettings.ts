import { type DialectName, dialectNames } from '../../../shared/model/dialect.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { editDistance } from '../../../shared/text/editDistance.ts';
import { presetFor, presets } from './base/presets.ts';
import { readOwnModels } from './catalogue/catalogue.ts';
import type { ModelFacts } from './catalogue/modelFacts.ts';
import { type Block, isBlock, type ProviderFile } from './providerFile.ts';
import type { Dialect } from './textProtocol/reply.ts';

export type Source = 'flag' | 'env' | 'provider' | 'file' | 'preset' | 'default';

export interface ProviderFlags {
  readonly provider?: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly dialect?: string;
  readonly effort?: string;
  /** The script of the scripted provider. */
  readonly script?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that is needed to talk to a model, and where each value came from. */
export interface ProviderSettings {
  readonly name: string;
  readonly kind: 'openai_compatible' | 'mattermost' | 'scripted';
  readonly apiKey: string;
  /** Why a key that is kept cannot be had, with the remedy. */
  readonly keyProblem?: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly timeoutMs: number;
  readonly debug: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly temperature: number;
  /** How tools are offered; `auto` asks natively until the server refuses. */
  readonly tools: 'auto' | 'native' | 'text';
  /** How calls are read from text. */
  readonly textProtocol: Dialect;
  /** The wire format; `auto` goes by address, catalogue, preset, and what a refusal taught. */
  readonly dialect: 'auto' | DialectName;
  /** The effort of requests where session and phase name none; empty: what the provider takes as usual. */
  readonly effort: string;
  readonly retries: number;
  readonly script: string;
  readonly mattermost: {
    readonly modelKey: string;
    readonly accessTeam: string;
    readonly authToken: string;
    readonly userId: string;
    readonly csrfToken: string;
  };
  /** What the configuration says of models; comes before the catalogue. */
  readonly models: Readonly<Record<string, ModelFacts>>;
  /** Tokens that fit into the model's window, when the configuration says so. */
  readonly contextTokens?: number;
  readonly sources: Readonly<Record<string, Source>>;
  readonly warnings: readonly string[];
}

const kinds = ['openai_compatible', 'mattermost', 'scripted'] as const;
const defaultTimeoutSeconds = 120;

const variables: Readonly<Record<string, string>> = {
  llm_api_key: 'LLM_API_KEY',
  llm_base_url: 'LLM_BASE_URL',
  llm_model: 'LLM_MODEL',
  llm_dialect: 'LLM_DIALECT',
  llm_effort: 'LLM_EFFORT',
  llm_timeout: 'LLM_TIMEOUT',
  llm_debug: 'LLM_DEBUG',
  script: 'VISE_SCRIPT',
};

/**
 * Resolves each setting: command line, then environment, then the provider's block, then the top level of the file, then
 * the preset, then the default; empty texts count as unset. With `config_file_wins` the file comes before the environment.
 * CONFIG_INVALID for a provider that nobody knows.
 */
export function resolveProvider(file: ProviderFile, env: Environment, flags: ProviderFlags): Result<ProviderSettings> {
  const fileWins = isTrue(file.raw.config_file_wins);
  const warnings: string[] = [];
  const sources: Record<string, Source> = {};

  const chosen = chooseProvider(file, env, flags, fileWins);
  if (!chosen.ok) return chosen;
  const { name, kind, source } = chosen.value;
  sources.llm_provider = source;
  const block: Block = file.providers[name] ?? {};

  const pick = (key: string, flag: unknown, preset: unknown, fallback: unknown): unknown => {
    const variable = variables[key];
    const fromEnv: readonly [unknown, Source] = [variable === undefined ? undefined : env[variable], 'env'];
    const fromFile: readonly (readonly [unknown, Source])[] = [
      [block[key], 'provider'],
      [file.raw[key], 'file'],
    ];
    const candidates: readonly (readonly [unknown, Source])[] = [
      [flag, 'flag'],
      ...(fileWins ? [...fromFile, fromEnv] : [fromEnv, ...fromFile]),
      [preset, 'preset'],
    ];
    const found = candidates.find(([value]) => value !== undefined && value !== null && value !== '');
    sources[key] = found?.[1] ?? 'default';
    return found ? found[0] : fallback;
  };
  const text = (key: string, flag?: string, preset?: string): string => {
    const value = pick(key, flag, preset, '');
    if (typeof value === 'string') return value.trim();
    warnings.push(`${key} must be a text and is ignored.`);
    return '';
  };

  const baseUrl = text('llm_base_url', flags.baseUrl, presetFor(name, '')?.baseUrl);
  const headers = pick('llm_headers', undefined, undefined, {});
  const tools = pick('llm_tools', undefined, undefined, 'auto');
  const textProtocol = pick('text_protocol', undefined, undefined, 'tolerant');
  const dialect = text('llm_dialect', flags.dialect) || 'auto';
  const spoken = dialectNames.find((one) => one === dialect);
  if (dialect !== 'auto' && !spoken)
    return fail('CONFIG_INVALID', `Unknown llm_dialect: ${dialect}. Known: auto, ${dialectNames.join(', ')}.`);
  const contextTokens = pick('context_tokens', undefined, undefined, undefined);
  const modelKey = text('llm_model_key', kind === 'mattermost' ? flags.model : undefined);
  const settings: ProviderSettings = {
    name,
    kind,
    apiKey: text('llm_api_key', flags.apiKey),
    baseUrl,
    model: text('llm_model', flags.model) || (kind === 'scripted' ? 'scripted' : kind === 'mattermost' ? modelKey : ''),
    timeoutMs: timeoutSeconds(pick('llm_timeout', undefined, undefined, defaultTimeoutSeconds), warnings) * 1_000,
    debug: isTrue(pick('llm_debug', undefined, undefined, false)),
    headers: isBlock(headers)
      ? Object.fromEntries(
          Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
        )
      : {},
    temperature: numberOr(pick('llm_temperature', undefined, undefined, 0.2), 0.2, 0),
    tools: kind === 'mattermost' ? 'text' : tools === 'native' || tools === 'text' ? tools : 'auto',
    textProtocol: textProtocol === 'strict' ? 'strict' : 'tolerant',
    dialect: spoken ?? 'auto',
    effort: text('llm_effort', flags.effort),
    retries: Math.round(numberOr(pick('llm_retries', undefined, undefined, 2), 2, 0)),
    script: text('script', flags.script),
    mattermost: {
      modelKey,
      accessTeam: text('access_team'),
      authToken: text('mmauth_token'),
      userId: text('mmuser_id'),
      csrfToken: text('csrf_token'),
    },
    models: { ...readOwnModels(file.raw.models, file.raw.prices), ...readOwnModels(block.models, undefined) },
    contextTokens: typeof contextTokens === 'number' && contextTokens > 0 ? contextTokens : undefined,
    sources,
    warnings,
  };
  return ok(settings);
}

function chooseProvider(
  file: ProviderFile,
  env: Environment,
  flags: ProviderFlags,
  fileWins: boolean,
): Result<{ readonly name: string; readonly kind: ProviderSettings['kind']; readonly source: Source }> {
  const variable = providerNamed(env.LLM_PROVIDER?.trim() ?? '', file) ?? env.LLM_PROVIDER?.trim() ?? '';
  const isName = (word: string) => file.providers[word] !== undefined || presets.some((preset) => preset.name === word);
  // A script names its provider by itself; a provider that was named comes first.
  const scripted = flags.script || (variable === '' && env.VISE_SCRIPT) ? 'scripted' : '';
  const given = flags.provider?.trim() || scripted;
  const wanted = given === '' ? '' : providerNamed(given, file);
  if (wanted === undefined) return unknownProvider(given, file);
  // The scripted provider has no block to be named by: its kind is its name.
  const fromEnv = isName(variable) || variable === 'scripted' ? variable : '';
  const name =
    wanted ||
    (fileWins ? file.activeProvider || fromEnv : fromEnv || file.activeProvider) ||
    (isKind(variable) ? variable : 'default');
  const own = textOf(file.providers[name]?.llm_provider);
  const top = textOf(file.raw.llm_provider);
  const byName = isKind(name) && own === '' ? name : '';
  // Naming a provider on the command line brings its kind along; a variable must not turn it into another.
  const candidates: readonly (readonly [string, Source])[] =
    wanted !== ''
      ? [
          [own, 'flag'],
          [byName, 'flag'],
          [isName(wanted) ? 'openai_compatible' : '', 'flag'],
        ]
      : fileWins
        ? [
            [own, 'provider'],
            [top, 'file'],
            [fromEnv === '' ? variable : '', 'env'],
            [byName, 'env'],
          ]
        : [
            [fromEnv === '' ? variable : '', 'env'],
            [own, fromEnv === '' ? 'provider' : 'env'],
            [fromEnv === 'scripted' ? byName : '', 'env'],
            [top, 'file'],
            [byName, 'env'],
          ];
  const [kind, source] = candidates.find(([word]) => word !== '') ?? ['openai_compatible', 'default' as const];
  if (!isKind(kind)) {
    return fail('CONFIG_INVALID', `Unsupported llm_provider: ${kind}. Known: ${kinds.join(', ')}.`);
  }
  return ok({ name, kind, source });
}

function knownNames(file: ProviderFile): readonly string[] {
  return [...new Set([...Object.keys(file.providers), ...presets.map((preset) => preset.name), ...kinds])];
}

/** The provider or kind that a person means by this word, in whatever case; undefined: there is none. */
export function providerNamed(word: string, file: ProviderFile): string | undefined {
  const names = knownNames(file);
  return names.find((name) => name === word) ?? names.find((name) => name.toLowerCase() === word.toLowerCase());
}

/** The name that this word is a likely slip of. */
export function nearProvider(word: string, file: ProviderFile): string | undefined {
  const most = Math.min(2, (word.length - 1) / 2);
  return knownNames(file).find((name) => editDistance(name, word.toLowerCase()) <= most);
}

/** Says which names there are, and which of them is the nearest. */
export function unknownProvider(word: string, file: ProviderFile): Result<never> {
  const names = knownNames(file);
  const near = nearProvider(word, file);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return fail('CONFIG_INVALID', `There is no provider "${word}".${hint} Known: ${names.join(', ')}.`);
}

/** Each setting as it may be shown with `config --show --resolved`: secrets read `***`. */
export function describeSettings(
  settings: ProviderSettings,
): Readonly<Record<string, { readonly value: unknown; readonly source: Source }>> {
  const hidden = (value: string) => (value === '' ? '' : '***');
  const shown: Readonly<Record<string, unknown>> = {
    llm_provider: settings.kind,
    llm_api_key: hidden(settings.apiKey),
    llm_base_url: settings.baseUrl,
    llm_model: settings.model,
    llm_timeout: settings.timeoutMs / 1_000,
    llm_debug: settings.debug,
    llm_headers: Object.fromEntries(Object.keys(settings.headers).map((name) => [name, '***'])),
    llm_tools: settings.tools,
    text_protocol: settings.textProtocol,
    llm_dialect: settings.dialect,
    llm_effort: settings.effort,
    ...(settings.kind === 'mattermost'
      ? {
          llm_model_key: settings.mattermost.modelKey,
          access_team: settings.mattermost.accessTeam,
          mmauth_token: hidden(settings.mattermost.authToken),
          mmuser_id: hidden(settings.mattermost.userId),
          csrf_token: hidden(settings.mattermost.csrfToken),
        }
      : {}),
    ...(settings.kind === 'scripted' ? { script: settings.script } : {}),
  };
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]) => [key, { value, source: settings.sources[key] ?? 'default' }]),
  );
}

function isKind(word: string): word is ProviderSettings['kind'] {
  return (kinds as readonly string[]).includes(word);
}

/** Whole seconds, else 120. */
function timeoutSeconds(value: unknown, warnings: string[]): number {
  const seconds = typeof value === 'number' ? value : /^\s*\+?\d+\s*$/.test(String(value)) ? Number(value) : Number.NaN;
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  warnings.push(
    `LLM_TIMEOUT must be whole seconds, not "${String(value).slice(0, 40)}"; ${defaultTimeoutSeconds} is used.`,
  );
  return defaultTimeoutSeconds;
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(1|true|yes|on)$/i.test(value.trim())) || value === 1;
}

function numberOr(value: unknown, fallback: number, least: number): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= least ? number : fallback;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
