import type { AskedModel, ModelInfo } from '../../../shared/model/modelInfo.ts';
import { noUsage, type Usage } from '../../../shared/model/usage.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ModelClient } from '../model/base/port.ts';
import { presets } from '../model/base/presets.ts';
import type { Catalogue } from '../model/catalogue/catalogue.ts';
import type { ModelFacts } from '../model/catalogue/modelFacts.ts';
import type { KnownModel } from '../model/knownModel.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';
import { requestAddress } from '../model/wire/address.ts';
import type { ModelChoice, ModelChoices, ProviderDraft } from './modelChoice.ts';
import { askOnce, askOneWord, type TriedProvider } from './tryProvider.ts';

/** Which models there are to choose from, as the servers say. */
export interface ServerModels {
  /** The model servers that run on this machine. */
  detect(): Promise<readonly { readonly name: string; readonly baseUrl: string; readonly models: readonly string[] }[]>;
  /** Providers whose own variable with a key is set. Nobody is asked. */
  inEnvironment(): readonly {
    readonly name: string;
    readonly label: string;
    readonly variable: string;
    readonly baseUrl: string;
  }[];
  /** The models of a provider, from the catalogue where its server lists none. Errors: CONFIG_INVALID, PROVIDER_UNREACHABLE. */
  modelsOf(name: string): Promise<Result<readonly ModelInfo[]>>;
  /** Asks a provider, saved or only typed, for its models and for one word. Errors: CONFIG_INVALID. */
  tryOut(given: ProviderDraft): Promise<Result<TriedProvider>>;
  /** The answer of the model in use to one question outside of any session. Errors: CONFIG_INVALID, those of its provider. */
  answer(system: string, text: string, signal: AbortSignal): Promise<Result<string>>;
  /** What is known of the model of this choice, without asking anybody. Errors: CONFIG_INVALID. */
  asked(choice: ModelChoice): Result<AskedModel>;
}

export interface ServerModelsDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly resolve: ModelChoices['resolve'];
  /** The same, where it can work as far as the settings tell. */
  readonly check: ModelChoices['resolve'];
  readonly catalogue: Catalogue;
  readonly draft: ModelChoices['draft'];
  readonly known: (settings: ProviderSettings) => KnownModel;
  readonly client: (settings: ProviderSettings) => Promise<Result<ModelClient>>;
  readonly nowMs: () => number;
  /** Counts a request with what the day has cost. */
  readonly spend: (usage: Usage) => void;
}

const listMs = 5_000;

export function createServerModels(deps: ServerModelsDeps): ServerModels {
  const { resolve, catalogue, known } = deps;
  return {
    async detect() {
      const { detectLocalServers } = await import('../model/detectLocal.ts');
      const found = await detectLocalServers();
      return found.map(({ preset, models }) => ({ name: preset.name, baseUrl: preset.baseUrl, models }));
    },
    inEnvironment: () =>
      presets.flatMap(({ name, label, baseUrl, keyVariable }) =>
        keyVariable !== undefined && deps.env[keyVariable] ? [{ name, label, baseUrl, variable: keyVariable }] : [],
      ),
    async modelsOf(name) {
      const settings = resolve({ provider: name, model: '' });
      if (!settings.ok) return settings;
      const listed = await listOf(settings.value, known);
      if (!listed.ok) return listed;
      const models = listed.value.length > 0 ? listed.value : catalogue.modelsOf(settings.value);
      return models.length > 0
        ? ok(models.map((model) => modelInfo(model, known({ ...settings.value, model }))))
        : fail('PROVIDER_UNREACHABLE', `${settings.value.baseUrl} does not list models. Type the model's name.`);
    },
    async tryOut(given) {
      const drafted = deps.draft(given);
      if (!drafted.ok) return drafted;
      const settings = { ...drafted.value, retries: 0 };
      if (settings.kind === 'scripted') return fail('CONFIG_INVALID', 'A script needs no test.');
      const listed = await listOf(settings, known);
      if (!listed.ok) return listed;
      const models = listed.value.map((model) => modelInfo(model, known({ ...settings, model })));
      if (settings.model === '') return ok({ models, answer: null, elapsedMs: 0, usage: noUsage });
      const answered = await askOneWord(await deps.client(settings), settings.model, deps.nowMs);
      deps.spend(answered.usage);
      return ok({ models, ...answered });
    },
    async answer(system, text, signal) {
      const settings = deps.check({ provider: '', model: '' });
      if (!settings.ok) return settings;
      const request = { system, messages: [{ role: 'user', text }], tools: [], model: settings.value.model } as const;
      const { answer, usage, problem } = await askOnce(await deps.client(settings.value), request, signal);
      deps.spend(usage);
      return problem === undefined ? ok(answer) : { ok: false, error: problem };
    },
    asked(choice) {
      const settings = resolve(choice);
      if (!settings.ok) return settings;
      const { name: provider, model, effort } = settings.value;
      const facts = known(settings.value);
      const { dialect, dialectFrom } = facts;
      return ok({ ...modelInfo(model, facts), provider, dialect, dialectFrom, effort, ofPhase: [] });
    },
  };
}

/** What a provider's server lists; nothing where it lists none. Errors: CONFIG_INVALID. */
async function listOf(
  settings: ProviderSettings,
  known: ServerModelsDeps['known'],
): Promise<Result<readonly string[]>> {
  const { apiKey, baseUrl } = settings;
  const address = requestAddress(baseUrl, known(settings).dialect);
  if (!address.ok) return address;
  address.value.pathname = address.value.pathname.replace(/\/(?:chat\/completions|responses|messages)$/, '/models');
  const { listModels } = await import('../model/detectLocal.ts');
  const headers: Readonly<Record<string, string>> =
    apiKey === '' ? {} : { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return ok((await listModels(address.value.href, headers, listMs)) ?? []);
}

/** Of several prices only the usual one is shown. */
function modelInfo(name: string, { window, output, price, pictures, reasoning, efforts }: ModelFacts): ModelInfo {
  const shown = price && { input: price.input, cached: price.cached, output: price.output };
  return { name, window, output, price: shown, pictures, reasoning, efforts };
}
