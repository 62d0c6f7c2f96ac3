import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { CapabilityMemory } from './base/capabilities.ts';
import { noModelRemedy } from './base/causes.ts';
import type { ModelClient, ModelEvent, ModelRequest } from './base/port.ts';
import { presetFor } from './base/presets.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { ModelFacts } from './catalogue/modelFacts.ts';
import { costOf, savedOf } from './catalogue/prices.ts';
import { HttpClient, type HttpClientSettings } from './httpClient.ts';
import { knownModel } from './knownModel.ts';
import type { ProviderSettings } from './providerSettings.ts';
import type { TextModeClient, TextModeOptions } from './textMode.ts';
import { isAzure, parseAddress } from './wire/address.ts';

export interface ModelPorts {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memory: CapabilityMemory;
  readonly catalogue: Catalogue;
  readonly onMalformed?: TextModeOptions['onMalformed'];
  /** Lines for `logs/llm_debug.jsonl`, asked for only while `debug` is on. */
  readonly onDebug?: (line: string) => void;
  /** Replies of the script that a resumed session has used already. */
  readonly usedReplies?: number;
}

/**
 * The client for a provider. The common kind is at hand, the code of the others is loaded for them alone. CONFIG_INVALID or FILE_NOT_FOUND when the settings
 * cannot work; what only the server can know (a wrong key, say) comes as an event of the stream.
 */
export async function createModelClient(settings: ProviderSettings, ports: ModelPorts): Promise<Result<ModelClient>> {
  const base = await baseClient(settings, ports);
  if (!base.ok || settings.kind === 'scripted') return base;
  let client: ModelClient = base.value;
  if (settings.debug && ports.onDebug) {
    const { DebugLogClient } = await import('./debugLog.ts');
    client = new DebugLogClient(client, settings, ports.clock, ports.onDebug);
  }
  return ok(new AdaptiveClient(client, settings, ports));
}

async function baseClient(settings: ProviderSettings, ports: ModelPorts): Promise<Result<ModelClient>> {
  if (settings.kind === 'scripted') {
    const { loadScript, ScriptedClient } = await import('./scripted.ts');
    if (settings.script === '') {
      return fail('CONFIG_INVALID', 'The scripted provider needs a script: --script FILE or VISE_SCRIPT=FILE.');
    }
    const script = await loadScript(settings.script);
    return script.ok ? ok(new ScriptedClient(script.value, ports.clock, ports.usedReplies)) : script;
  }
  if (settings.baseUrl === '') {
    return fail('CONFIG_INVALID', `No model is configured. ${noModelRemedy}`);
  }
  if (settings.kind === 'mattermost') {
    const { MattermostClient } = await import('./mattermost.ts');
    return ok(new MattermostClient({ ...settings, ...settings.mattermost }, ports));
  }
  return ok(new HttpClient(httpSettings(settings, ports), ports));
}

function httpSettings(settings: ProviderSettings, { catalogue, memory }: ModelPorts): HttpClientSettings {
  const { name, baseUrl } = settings;
  const preset = presetFor(name, baseUrl);
  const address = parseAddress(baseUrl);
  const factsOf = (model: string): ModelFacts => catalogue.facts(settings, model);
  return {
    ...settings,
    provider: name,
    streamUsage: preset?.streamUsage ?? true,
    echoReasoning: preset?.echoReasoning ?? false,
    echoDetails: preset?.echoDetails ?? false,
    // A server that nobody knows may stand before Gemini.
    callExtras: preset === undefined || preset.echoDetails ? 'keep' : preset.signsCalls ? 'sign' : 'drop',
    dialectOf: (model) => knownModel({ ...settings, model }, catalogue, memory).dialect,
    isDialectFixed: settings.dialect !== 'auto',
    factsOf,
    throughPackage: address.ok && (address.value.hostname === 'api.openai.com' || isAzure(address.value)),
  };
}

/** Offers tools natively until the server refuses them, then in text, and remembers that; adds the cost to the usage. */
class AdaptiveClient implements ModelClient {
  readonly #native: ModelClient;
  readonly #textOptions: TextModeOptions;
  #text: TextModeClient | undefined;
  readonly #settings: ProviderSettings;
  readonly #memory: CapabilityMemory;
  readonly #catalogue: Catalogue;

  constructor(native: ModelClient, settings: ProviderSettings, ports: ModelPorts) {
    this.#native = native;
    this.#settings = settings;
    this.#memory = ports.memory;
    this.#catalogue = ports.catalogue;
    this.#textOptions = { dialect: settings.textProtocol, onMalformed: ports.onMalformed };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { price } = this.#catalogue.facts(this.#settings, request.model);
    for (let inText = this.protocol(request.model) === 'text'; ; inText = true) {
      let refused = false;
      for await (const event of (inText ? await this.#inText() : this.#native).stream(request, signal)) {
        if (event.type === 'failed' && !inText && this.#settings.tools === 'auto' && isRefusal(event)) {
          refused = true;
          break;
        }
        if (event.type === 'usage' && price) {
          const { usage } = event;
          yield { ...event, usage: { ...usage, cost: costOf(usage, price), saved: savedOf(usage, price) } };
        } else yield event;
      }
      if (!refused) return;
      const text = `${request.model} does not take tools natively; from now on they are offered as text.`;
      yield { type: 'notice', code: 'tools_in_text', text };
    }
  }

  /** The grammars of forty families of models: loaded for one that needs them. */
  async #inText(): Promise<TextModeClient> {
    const { TextModeClient } = await import('./textMode.ts');
    this.#text ??= new TextModeClient(this.#native, this.#textOptions);
    return this.#text;
  }

  dispose(): void {
    this.#native.dispose();
  }

  keepsBeginning(model: string): boolean {
    return this.protocol(model) === 'native' && this.#native.keepsBeginning?.(model) === true;
  }

  protocol(model: string): 'native' | 'text' {
    if (this.#settings.tools !== 'auto') return this.#settings.tools;
    const known = this.#memory.get(this.#settings.name, model).tools;
    return known ?? 'native';
  }
}

function isRefusal(event: Extract<ModelEvent, { type: 'failed' }>): boolean {
  const details = event.error.details;
  return (
    typeof details === 'object' && details !== null && (details as { toolsRefused?: unknown }).toolsRefused === true
  );
}
