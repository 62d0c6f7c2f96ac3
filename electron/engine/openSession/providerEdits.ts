import { fail, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import type { Secrets } from '../base/secrets.ts';
import { changedConfig, readProviderFile } from '../model/providerFile.ts';
import type { UserConfig } from '../openProject/userConfig.ts';

type Raw = UserConfig['raw'];

/** What a person changes of the providers: in `config.json`, and their keys in the keychain. Errors: CONFIG_INVALID. */
export interface ProviderEdits {
  save(provider: {
    readonly name: string;
    readonly kind?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly model?: string | undefined;
    /** Empty: the key that is kept is removed. */
    readonly key?: string | undefined;
    readonly activate?: boolean | undefined;
  }): Result<void>;
  activate(name: string): Result<void>;
  remove(name: string): Result<void>;
}

export function createProviderEdits(config: UserConfig, secrets: Secrets): ProviderEdits {
  return {
    save({ name, kind, baseUrl, model, key, activate }) {
      if (key !== undefined) {
        try {
          if (key === '') secrets.delete(name);
          else secrets.set(name, key);
        } catch (error) {
          return fail('CONFIG_INVALID', `The key could not be kept: ${describeError(error)}`);
        }
      }
      return config.update((raw) => {
        const before = readProviderFile(JSON.stringify(raw), config.path).file;
        // A key that stands in config.json would come before the one that is kept now.
        const apiKey = key !== undefined && before.providers[name]?.['llm_api_key'] ? '' : undefined;
        const changed = changedConfig(before, { provider: name, baseUrl, model, apiKey });
        const withKind = kind === undefined ? changed : withBlock(changed, name, { llm_provider: kind });
        return activate === true || before.activeProvider === ''
          ? withKind
          : { ...withKind, active_provider: before.activeProvider };
      });
    },
    activate: (name) => config.update((raw) => ({ ...raw, active_provider: name })),
    remove(name) {
      secrets.delete(name);
      return config.update((raw) => {
        const { [name]: _gone, ...providers } = readProviderFile(JSON.stringify(raw), config.path).file.providers;
        return {
          ...raw,
          providers,
          ...(raw['active_provider'] === name ? { active_provider: Object.keys(providers)[0] ?? '' } : {}),
        };
      });
    },
  };
}

function withBlock(raw: Raw, name: string, values: Raw): Raw {
  const providers = (raw['providers'] ?? {}) as Readonly<Record<string, Raw>>; // written by changedConfig just before
  return { ...raw, providers: { ...providers, [name]: { ...providers[name], ...values } } };
}
