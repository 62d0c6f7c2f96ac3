import { ok, type Result } from '../../../shared/result.ts';
import { ownKeyVariable, presets } from '../model/base/presets.ts';
import { changedConfig, type ProviderFile, readProviderFile } from '../model/providerFile.ts';
import { type ProviderSettings, resolveProvider } from '../model/providerSettings.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { EnginePorts } from '../ports.ts';

export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
  /** The level that is asked for, to be checked; absent: that of the settings; empty: none. */
  readonly effort?: string;
  /** The script to play when none is given, for the sample project. */
  readonly script?: string | undefined;
}

/** What a person has typed of a provider; what is left out stays as it is saved. */
export interface ProviderDraft {
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
}

export interface ModelChoices {
  /** The providers of `config.json` as they stand now. */
  file(): ProviderFile;
  /** What command line, environment, configuration and keychain say of this choice together. Errors: CONFIG_INVALID. */
  resolve(choice: ModelChoice): Result<ProviderSettings>;
  /** What a provider would be if these words were saved of it. Errors: CONFIG_INVALID. */
  draft(given: ProviderDraft): Result<ProviderSettings>;
  /** Every key that is configured, of all providers, not only of the one that the command line names. */
  secrets(): readonly string[];
}

/** What a provider's part of config.json holds that nobody else may see. */
const keyFields = ['llm_api_key', 'mmauth_token', 'csrf_token'];

export function createModelChoices(
  { env, secrets, provider: given }: Pick<EnginePorts, 'env' | 'secrets' | 'provider'>,
  config: UserConfig,
): ModelChoices {
  let read: { readonly raw: UserConfig['raw']; readonly file: ProviderFile } | undefined;
  const file = (): ProviderFile => {
    if (read?.raw !== config.raw)
      read = { raw: config.raw, file: readProviderFile(JSON.stringify(config.raw), config.path).file };
    return read.file;
  };
  const resolve = ({ provider, model, script }: ModelChoice): Result<ProviderSettings> => {
    const chosen = provider === 'default' ? '' : provider;
    // What the command line says holds for its own provider, where nobody has chosen since.
    const { name, ...flags } = given;
    const own = chosen === '' || chosen === (name ?? (file().activeProvider || 'default')) ? flags : {};
    const resolved = resolveProvider(file(), env, {
      ...own,
      provider: chosen || name,
      model: model || own.model,
      script: given.script ?? (env['VISE_SCRIPT'] ? undefined : script),
    });
    return withKey(resolved);
  };
  const withKey = (resolved: Result<ProviderSettings>): Result<ProviderSettings> => {
    if (!resolved.ok || resolved.value.apiKey !== '') return resolved;
    const key = secrets.get(resolved.value.name) ?? (env[ownKeyVariable(resolved.value) ?? ''] || undefined);
    return ok({
      ...resolved.value,
      apiKey: key ?? '',
      keyProblem: key ? undefined : secrets.problem(resolved.value.name),
    });
  };
  return {
    file,
    resolve,
    draft({ name, baseUrl, model, key }) {
      const raw = changedConfig(file(), { provider: name, baseUrl, model });
      const drafted = readProviderFile(JSON.stringify(raw), config.path).file;
      // What is typed wins over variables, as a flag does.
      return withKey(resolveProvider(drafted, env, { provider: name, baseUrl, model, apiKey: key || undefined }));
    },
    secrets() {
      const chosen = resolve({ provider: '', model: '' });
      const keys = [
        env['LLM_API_KEY'],
        ...presets.map(({ keyVariable }) => env[keyVariable ?? '']),
        chosen.ok ? chosen.value.apiKey : undefined,
        ...Object.entries(file().providers).flatMap(([name, entry]) => [
          ...keyFields.map((field) => entry[field]),
          secrets.get(name),
        ]),
      ];
      return [...new Set(keys.filter((key): key is string => typeof key === 'string' && key !== ''))];
    },
  };
}
