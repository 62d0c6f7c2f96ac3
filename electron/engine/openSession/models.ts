import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderInfo } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import { readJsonFile, writeJsonFile } from '../base/jsonFile.ts';
import { describeError } from '../base/log.ts';
import { createRedact } from '../base/redact.ts';
import { type Capabilities, Remembered } from '../model/base/capabilities.ts';
import type { ModelClient } from '../model/base/port.ts';
import { ownKeyVariable, presetFor, presets } from '../model/base/presets.ts';
import { createCatalogue } from '../model/catalogue/catalogue.ts';
import { createModelClient } from '../model/createModelClient.ts';
import { checkEffort, type KnownModel, knownModel } from '../model/knownModel.ts';
import { changedConfig, type ProviderFile, readProviderFile } from '../model/providerFile.ts';
import { type ProviderSettings, resolveProvider } from '../model/providerSettings.ts';
import { apiRoot, isLoopback, requestAddress, shownAddress } from '../model/wire/address.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { EnginePorts } from '../ports.ts';
import { providerInfo } from './providerInfo.ts';

/** Which model a session asks, resolved from command line, environment, configuration and keychain. */
export interface Models {
  /** What a new session gets. Empty names when nothing is configured; a sample project plays its own script then. */
  defaults(project?: string): { readonly provider: string; readonly model: string };
  /** Whether this choice can work, as far as the settings tell. Errors: CONFIG_INVALID. */
  check(choice: ModelChoice): Result<ProviderSettings>;
  /** What is known of the model of this choice; undefined where it cannot work. */
  known(choice: ModelChoice): KnownModel | undefined;
  /** Keeps what a server taught about a model, or asks one on this machine for its window; it is known from then on. */
  learn(choice: ModelChoice, what: Capabilities): void;
  askWindow(choice: ModelChoice): Promise<void>;
  client(choice: ModelChoice): Promise<Result<ModelClient>>;
  list(): readonly ProviderInfo[];
  save(provider: {
    readonly name: string;
    readonly kind?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly model?: string | undefined;
    readonly key?: string | undefined;
    readonly activate?: boolean | undefined;
  }): Result<void>;
  activate(name: string): Result<void>;
  remove(name: string): Result<void>;
  detect(): Promise<readonly { readonly name: string; readonly baseUrl: string; readonly models: readonly string[] }[]>;
  modelsOf(name: string): Promise<Result<readonly string[]>>;
  /** Every key that is configured: no command may see one. */
  secrets(): readonly string[];
}

export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
  /** The level that is asked for, to be checked. */
  readonly effort?: string;
  /** Replies that the session has had: where a script goes on. */
  readonly usedReplies?: number;
  /** The script to play when none is given, for the sample project. */
  readonly script?: string | undefined;
}

/** What a provider's part of config.json holds that nobody else may see. */
const keyFields = ['llm_api_key', 'mmauth_token', 'csrf_token'];

export function createModels(ports: EnginePorts, config: UserConfig): Models {
  const { env, secrets, clock, log, places } = ports;
  const memoryFile = join(places.state, 'capabilities.json');
  let memory: Remembered | undefined;
  const capabilities = (): Remembered => {
    const stored = memory ? undefined : readJsonFile(memoryFile);
    memory ??= new Remembered(stored?.state === 'read' ? stored.value : {}, (all) => {
      try {
        writeJsonFile(memoryFile, all);
      } catch (error) {
        log.warn('capabilities could not be remembered', describeError(error));
      }
    });
    return memory;
  };
  const catalogue = createCatalogue([join(places.state, 'models.jsonl'), join(ports.resources, 'models.jsonl')]);
  const redact = createRedact(() => keysOfAll(), clock);
  const logLine = (name: string, entry: string | object): void => {
    const folder = join(places.state, 'logs');
    const line = typeof entry === 'string' ? entry.trimEnd() : JSON.stringify(entry);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(folder, name), `${redact(line)}\n`, { mode: 0o600 });
    } catch (error) {
      log.warn(`${name} could not be written`, error);
    }
  };
  let read: { readonly raw: UserConfig['raw']; readonly file: ProviderFile } | undefined;
  const file = (): ProviderFile => {
    if (read?.raw !== config.raw)
      read = { raw: config.raw, file: readProviderFile(JSON.stringify(config.raw), config.path).file };
    return read.file;
  };

  const resolve = ({ provider, model, script }: ModelChoice): Result<ProviderSettings> => {
    const given = ports.provider;
    const name = given.name ?? (provider === 'default' ? '' : provider);
    // The model of one provider means nothing to another.
    const wantedModel = given.model ?? (provider === '' || name === provider ? model : '');
    const wantedScript = given.script ?? (env['VISE_SCRIPT'] ? undefined : script);
    const resolved = resolveProvider(file(), env, {
      provider: name || undefined,
      model: wantedModel || undefined,
      baseUrl: given.baseUrl,
      script: wantedScript,
      dialect: given.dialect,
      effort: given.effort,
    });
    if (!resolved.ok || resolved.value.apiKey !== '') return resolved;
    const key = secrets.get(resolved.value.name) ?? (env[ownKeyVariable(resolved.value) ?? ''] || undefined);
    return key === undefined ? resolved : ok({ ...resolved.value, apiKey: key });
  };
  const check: Models['check'] = (choice) => {
    const resolved = resolve(choice);
    if (!resolved.ok) return resolved;
    const { kind, baseUrl, model, script } = resolved.value;
    if (kind === 'scripted') {
      return script === ''
        ? fail('CONFIG_INVALID', 'The scripted provider needs a script: --script FILE or VISE_SCRIPT=FILE.')
        : resolved;
    }
    if (baseUrl === '') {
      return fail(
        'CONFIG_INVALID',
        'No model is configured. Set one with "vise config --provider P --api-key K --base-url U --model M", or LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.',
      );
    }
    if (model === '')
      return fail(
        'CONFIG_INVALID',
        `No model is named for ${baseUrl}. Set LLM_MODEL, --model, or llm_model in ${config.path}.`,
      );
    const effort = choice.effort || resolved.value.effort;
    const fits = checkEffort(effort, model, knownModel(resolved.value, catalogue, capabilities()));
    return fits.ok ? resolved : fits;
  };
  /** Of all providers, not only of the one that the command line names. */
  const keysOfAll = (): readonly string[] => {
    const { providers } = file();
    const chosen = resolve({ provider: '', model: '' });
    const keys = [
      env['LLM_API_KEY'],
      ...presets.map(({ keyVariable }) => env[keyVariable ?? '']),
      chosen.ok ? chosen.value.apiKey : undefined,
      ...Object.entries(providers).flatMap(([name, entry]) => [
        ...keyFields.map((field) => entry[field]),
        secrets.get(name),
      ]),
    ];
    return [...new Set(keys.filter((key): key is string => typeof key === 'string' && key !== ''))];
  };

  const change = (make: (raw: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): Result<void> =>
    config.update(make);

  return {
    defaults(project) {
      const isSample = project?.startsWith(join(places.state, 'samples')) === true;
      const none = isSample ? { provider: 'scripted', model: 'scripted' } : { provider: '', model: '' };
      const resolved = resolve({ provider: '', model: '' });
      if (!resolved.ok) return none;
      const { name, kind, baseUrl, model } = resolved.value;
      // "default" without an address is only the name of what is not there.
      return name === 'default' && baseUrl === '' && kind !== 'scripted' ? none : { provider: name, model };
    },
    check,
    known(choice) {
      const settings = resolve(choice);
      return settings.ok ? knownModel(settings.value, catalogue, capabilities()) : undefined;
    },
    learn(choice, what) {
      const settings = resolve(choice);
      if (settings.ok) capabilities().learn(settings.value.name, settings.value.model, what);
    },
    async askWindow(choice) {
      const settings = resolve(choice);
      const root = settings.ok ? apiRoot(settings.value.baseUrl) : settings;
      if (!settings.ok || !root.ok) return;
      // A server that is none of the well-known ones is not asked what it may not understand.
      const preset = presetFor(settings.value.name, settings.value.baseUrl);
      if (preset?.local !== true || !isLoopback(root.value)) return;
      const { localWindow } = await import('../model/detectLocal.ts');
      const window = await localWindow(preset.name, root.value.href.replace(/\/$/, ''), settings.value.model);
      if (window !== undefined) this.learn(choice, { window });
    },
    async client(choice) {
      const settings = check(choice);
      if (!settings.ok) return settings;
      return createModelClient(settings.value, {
        clock,
        env,
        memory: capabilities(),
        catalogue,
        usedReplies: choice.usedReplies ?? 0,
        onMalformed: ({ rawOutput, error }) =>
          logLine('malformed_outputs.jsonl', {
            timestamp: isoTime(clock),
            stage: 'turn',
            raw_output: rawOutput,
            error,
          }),
        onDebug: (line) => logLine('llm_debug.jsonl', line),
      });
    },
    list() {
      const { providers } = file();
      const active = this.defaults().provider;
      const names = [
        ...new Set([...Object.keys(providers), ...(active === '' || active === 'default' ? [] : [active])]),
      ];
      return names.map((name) =>
        providerInfo(name, check({ provider: name, model: '' }), secrets.get(name) !== undefined),
      );
    },
    save({ name, kind, baseUrl, model, key, activate }) {
      if (key !== undefined) {
        try {
          if (key === '') secrets.delete(name);
          else secrets.set(name, key);
        } catch (error) {
          return fail('CONFIG_INVALID', `The key could not be kept: ${describeError(error)}`);
        }
      }
      return change((raw) => {
        const before = readProviderFile(JSON.stringify(raw), config.path).file;
        const changed = changedConfig(before, { provider: name, baseUrl, model });
        const withKind = kind === undefined ? changed : withBlock(changed, name, { llm_provider: kind });
        return activate === true || before.activeProvider === ''
          ? withKind
          : { ...withKind, active_provider: before.activeProvider };
      });
    },
    activate: (name) => change((raw) => ({ ...raw, active_provider: name })),
    remove(name) {
      secrets.delete(name);
      return change((raw) => {
        const { [name]: _gone, ...providers } = readProviderFile(JSON.stringify(raw), config.path).file.providers;
        return {
          ...raw,
          providers,
          ...(raw['active_provider'] === name ? { active_provider: Object.keys(providers)[0] ?? '' } : {}),
        };
      });
    },
    secrets: keysOfAll,
    async detect() {
      const { detectLocalServers } = await import('../model/detectLocal.ts');
      const found = await detectLocalServers();
      return found.map(({ preset, models }) => ({ name: preset.name, baseUrl: preset.baseUrl, models }));
    },
    async modelsOf(name) {
      const settings = resolve({ provider: name, model: '' });
      if (!settings.ok) return settings;
      const { apiKey } = settings.value;
      const models = requestAddress(
        settings.value.baseUrl,
        knownModel(settings.value, catalogue, capabilities()).dialect,
      );
      if (!models.ok) return models;
      models.value.pathname = models.value.pathname.replace(/\/(?:chat\/completions|responses|messages)$/, '/models');
      const { listModels } = await import('../model/detectLocal.ts');
      const headers: Readonly<Record<string, string>> =
        apiKey === ''
          ? {}
          : { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
      const listed = await listModels(models.value.href, headers, 5_000);
      const known = listed ?? catalogue.modelsOf(settings.value);
      return known.length > 0
        ? ok(known)
        : fail('PROVIDER_UNREACHABLE', `${shownAddress(models.value)} does not list models. Type the model's name.`);
    },
  };
}

function withBlock(
  raw: Readonly<Record<string, unknown>>,
  name: string,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const providers = (raw['providers'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>; // written by changedConfig just before
  return { ...raw, providers: { ...providers, [name]: { ...providers[name], ...values } } };
}
