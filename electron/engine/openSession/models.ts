import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderInfo } from '../../../shared/model/workbench.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import { isRecord, readJsonFile, updateJsonFile } from '../base/jsonFile.ts';
import { describeError } from '../base/log.ts';
import { createRedact, type Redact } from '../base/redact.ts';
import type { Secrets } from '../base/secrets.ts';
import { type Capabilities, Remembered } from '../model/base/capabilities.ts';
import { noModelRemedy } from '../model/base/causes.ts';
import type { ModelClient } from '../model/base/port.ts';
import { presetFor } from '../model/base/presets.ts';
import { createCatalogue } from '../model/catalogue/catalogue.ts';
import { createModelClient } from '../model/createModelClient.ts';
import { checkEffort, type KnownModel, knownModel } from '../model/knownModel.ts';
import type { ProviderSettings } from '../model/providerSettings.ts';
import { apiRoot, isLoopback, parseAddress } from '../model/wire/address.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { EnginePorts } from '../ports.ts';
import { createSpendLedger } from '../session/spend.ts';
import { createModelChoices, type ModelChoice } from './modelChoice.ts';
import { createProviderEdits, type ProviderEdits } from './providerEdits.ts';
import { providerInfo } from './providerInfo.ts';
import { createServerModels, type ServerModels } from './serverModels.ts';

/** Which model a session asks, resolved from command line, environment, configuration and keychain. */
export interface Models extends ProviderEdits, ServerModels {
  /** What a new session gets. Empty names when nothing is configured; a sample project plays its own script then. */
  defaults(project?: string): { readonly provider: string; readonly model: string };
  /** Whether this choice can work, as far as the settings tell. Errors: CONFIG_INVALID. */
  check(choice: ModelChoice): Result<ProviderSettings>;
  /** What is known of the model of these settings. */
  known(settings: ProviderSettings): KnownModel;
  /** Keeps what a server taught about a model, or asks one on this machine for its window; it is known from then on. */
  learn(settings: ProviderSettings, what: Capabilities): void;
  askWindow(settings: ProviderSettings): Promise<void>;
  /** A client for settings that were checked; a script goes on after so many replies. Errors: those of making it. */
  client(settings: ProviderSettings, usedReplies: number): Promise<Result<ModelClient>>;
  /** All providers as a window shows them, the one in use, and where their keys are kept. */
  shown(): { readonly providers: readonly ProviderInfo[]; readonly active: string; readonly keys: Secrets['place'] };
  /** Every key that is configured: no command may see one. */
  secrets(): readonly string[];
}

export function createModels(ports: EnginePorts, config: UserConfig): Models {
  const { env, secrets, clock, places } = ports;
  const { file, resolve, draft, secrets: keysOfAll } = createModelChoices(ports, config);
  const capabilities = openCapabilities(ports);
  const catalogue = createCatalogue([join(places.state, 'models.jsonl'), join(ports.resources, 'models.jsonl')]);
  const known = (settings: ProviderSettings): KnownModel => knownModel(settings, catalogue, capabilities());
  const logLine = createModelLog(ports, createRedact(keysOfAll, clock));

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
      return fail('CONFIG_INVALID', `No model is configured. ${noModelRemedy}`);
    }
    const address = parseAddress(baseUrl);
    if (!address.ok) return address;
    if (model === '')
      return fail(
        'CONFIG_INVALID',
        `No model is named for ${baseUrl}. Name one with "vise config --provider ${resolved.value.name} --model NAME", --model or LLM_MODEL.`,
      );
    const effort = choice.effort ?? resolved.value.effort;
    const fits = checkEffort(effort, model, known(resolved.value));
    return fits.ok ? resolved : fits;
  };

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
    known,
    learn: ({ name, model }, what) => capabilities().learn(name, model, what),
    async askWindow(settings) {
      const { name, baseUrl, model } = settings;
      const root = apiRoot(baseUrl);
      // A server that is none of the well-known ones is not asked what it may not understand.
      const preset = presetFor(name, baseUrl);
      if (!root.ok || preset?.local !== true || !isLoopback(root.value)) return;
      const { localWindow } = await import('../model/detectLocal.ts');
      const window = await localWindow(preset.name, root.value.href.replace(/\/$/, ''), model);
      if (window !== undefined) this.learn(settings, { window });
    },
    client(settings, usedReplies) {
      return createModelClient(settings, {
        clock,
        env,
        memory: capabilities(),
        catalogue,
        usedReplies,
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
    shown() {
      const active = this.defaults().provider;
      const names = [
        ...new Set([...Object.keys(file().providers), ...(active === '' || active === 'default' ? [] : [active])]),
      ];
      const providers = names.map((name) =>
        providerInfo(name, check({ provider: name, model: '' }), secrets.get(name) !== undefined),
      );
      return { providers, active, keys: secrets.place };
    },
    ...createProviderEdits(config, secrets),
    ...createServerModels({
      env,
      resolve,
      check,
      draft,
      catalogue,
      known,
      client: (settings) => createModelClient(settings, { clock, env, memory: capabilities(), catalogue }),
      nowMs: () => clock.now(),
      spend: createSpendLedger(join(places.state, 'spend'), clock).add,
    }),
    secrets: keysOfAll,
  };
}

/** What servers taught about their models, read when it is first asked for, kept by all processes in one file. */
export function openCapabilities({ log, places }: Pick<EnginePorts, 'log' | 'places'>): () => Remembered {
  const path = join(places.state, 'capabilities.json');
  let memory: Remembered | undefined;
  return () => {
    const stored = memory ? undefined : readJsonFile(path);
    memory ??= new Remembered(stored?.state === 'read' ? stored.value : {}, (key, what) => {
      try {
        // Beside what other processes have learnt since it was read.
        updateJsonFile(path, (all) => ({ ...all, [key]: { ...(isRecord(all[key]) ? all[key] : {}), ...what } }));
      } catch (error) {
        log.warn('capabilities could not be remembered', describeError(error));
      }
    });
    return memory;
  };
}

/** Appends lines to files of the logs folder, which only the person may read; keys are taken out. */
function createModelLog({ log, places }: EnginePorts, redact: Redact): (name: string, entry: string | object) => void {
  const folder = join(places.state, 'logs');
  return (name, entry) => {
    const line = typeof entry === 'string' ? entry.trimEnd() : JSON.stringify(entry);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(folder, name), `${redact(line)}\n`, { mode: 0o600 });
    } catch (error) {
      log.warn(`${name} could not be written`, error);
    }
  };
}
