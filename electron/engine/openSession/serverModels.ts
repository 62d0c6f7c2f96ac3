import type { AskedModel, ModelInfo } from '../../../shared/model/modelInfo.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Catalogue } from '../model/catalogue/catalogue.ts';
import type { ModelFacts } from '../model/catalogue/modelFacts.ts';
import type { KnownModel } from '../model/knownModel.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';
import { requestAddress, shownAddress } from '../model/wire/address.ts';
import type { ModelChoice, ModelChoices } from './modelChoice.ts';

/** Which models there are to choose from, as the servers say. */
export interface ServerModels {
  /** The model servers that run on this machine. */
  detect(): Promise<readonly { readonly name: string; readonly baseUrl: string; readonly models: readonly string[] }[]>;
  /** The models of a provider, from the catalogue where its server lists none. Errors: CONFIG_INVALID, PROVIDER_UNREACHABLE. */
  modelsOf(name: string): Promise<Result<readonly ModelInfo[]>>;
  /** What is known of the model of this choice, without asking anybody. Errors: CONFIG_INVALID. */
  asked(choice: ModelChoice): Result<AskedModel>;
}

export interface ServerModelsDeps {
  readonly resolve: ModelChoices['resolve'];
  readonly catalogue: Catalogue;
  readonly known: (settings: ProviderSettings) => KnownModel;
}

const listMs = 5_000;

export function createServerModels({ resolve, catalogue, known }: ServerModelsDeps): ServerModels {
  return {
    async detect() {
      const { detectLocalServers } = await import('../model/detectLocal.ts');
      const found = await detectLocalServers();
      return found.map(({ preset, models }) => ({ name: preset.name, baseUrl: preset.baseUrl, models }));
    },
    async modelsOf(name) {
      const settings = resolve({ provider: name, model: '' });
      if (!settings.ok) return settings;
      const { apiKey, baseUrl } = settings.value;
      const address = requestAddress(baseUrl, known(settings.value).dialect);
      if (!address.ok) return address;
      address.value.pathname = address.value.pathname.replace(/\/(?:chat\/completions|responses|messages)$/, '/models');
      const { listModels } = await import('../model/detectLocal.ts');
      const headers: Readonly<Record<string, string>> =
        apiKey === ''
          ? {}
          : { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
      const listed = (await listModels(address.value.href, headers, listMs)) ?? [];
      const models = listed.length > 0 ? listed : catalogue.modelsOf(settings.value);
      return models.length > 0
        ? ok(models.map((model) => modelInfo(model, known({ ...settings.value, model }))))
        : fail('PROVIDER_UNREACHABLE', `${shownAddress(address.value)} does not list models. Type the model's name.`);
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

/** Of several prices only the usual one is shown. */
function modelInfo(name: string, { window, output, price, pictures, reasoning, efforts }: ModelFacts): ModelInfo {
  const shown = price && { input: price.input, cached: price.cached, output: price.output };
  return { name, window, output, price: shown, pictures, reasoning, efforts };
}
