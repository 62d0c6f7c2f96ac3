import { randomUUID } from 'node:crypto';
import { type DialectName, dialectTitles } from '../../../shared/model/dialect.ts';
import type { Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { Capabilities, CapabilityMemory } from './base/capabilities.ts';
import { advised } from './base/causes.ts';
import type { Dialect, RequestStyle } from './base/dialect.ts';
import { type Fault, withoutSecrets } from './base/fault.ts';
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from './base/port.ts';
import { ownKeyVariable } from './base/presets.ts';
import type { ModelFacts } from './catalogue/modelFacts.ts';
import { loadDialect } from './loadDialect.ts';
import { isLoopback, requestAddress, shownAddress } from './wire/address.ts';
import { AnswerReader } from './wire/answerReader.ts';
import { runAttempts, startStream } from './wire/attempts.ts';
import type { EventQueue } from './wire/eventQueue.ts';
import { pumpReply } from './wire/pumpReply.ts';
import { type Environment, type Post, Transport } from './wire/transport.ts';

export interface HttpClientSettings {
  /** Names the provider in the capability memory. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Why a key that is kept cannot be had, with the remedy. */
  readonly keyProblem?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds without a byte until a request is given up. */
  readonly timeoutMs: number;
  /** How often a failed request is sent again (429, 5xx, lost connections, broken streams). */
  readonly retries: number;
  readonly temperature?: number;
  readonly streamUsage: boolean;
  readonly echoReasoning: boolean;
  readonly echoDetails: boolean;
  readonly callExtras: RequestStyle['callExtras'];
  /** The dialect of a model now: the one that was chosen or learnt, else what address, catalogue and preset tell. */
  readonly dialectOf: (model: string) => DialectName;
  /** The person chose it: no refusal changes it. */
  readonly isDialectFixed: boolean;
  readonly factsOf: (model: string) => ModelFacts;
  /** Send through the maker's own package: it builds, addresses and signs requests, and names errors. */
  readonly throughPackage: boolean;
}

export interface HttpClientPorts {
  readonly clock: Clock;
  readonly env: Environment;
  readonly memory: CapabilityMemory;
  /** 0 to 1, spreads the waiting of several sessions. */
  readonly random?: () => number;
  readonly newId?: () => string;
}

/** Dialect, temperature, effort, the name of max_tokens …: more than these cannot be learnt in one request. */
const maxLessons = 4;
/** Where nobody says how long a reply may be: what all of today's models take. */
const usualMaxOutput = 16_000;
/** More is not asked for at once: a reply that long is a loop, and some servers reserve what is asked for. */
const mostOutput = 64_000;

/** A provider behind HTTP, whatever dialect it speaks. */
export class HttpClient implements ModelClient {
  readonly #settings: HttpClientSettings;
  readonly #ports: HttpClientPorts;
  readonly #transport: Transport;
  readonly #dialects = new Map<DialectName, Dialect>();
  readonly #ids = new TakenIds();

  constructor(settings: HttpClientSettings, ports: HttpClientPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#transport = new Transport(ports.clock, ports.env);
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    return startStream(signal, (queue, stop) => this.#run(request, queue, stop));
  }

  dispose(): void {
    this.#transport.dispose();
  }

  /** Servers of chat completions are many, and some take no words of anybody between a result and the reply. */
  keepsBeginning(model: string): boolean {
    return this.#dialectName(model) !== 'chat';
  }

  async #run(request: ModelRequest, queue: EventQueue, signal: AbortSignal): Promise<void> {
    const checked = this.#address(request.model);
    if (!checked.ok) return queue.end({ type: 'failed', error: checked.error });
    const asked = { provider: this.#settings.provider, address: shownAddress(checked.value) };
    if (this.#settings.apiKey === '' && !isLoopback(checked.value)) {
      const { provider, baseUrl, keyProblem } = this.#settings;
      if (keyProblem !== undefined)
        return queue.end({ type: 'failed', error: { code: 'PROVIDER_AUTH', message: keyProblem } });
      const variable = ownKeyVariable({ name: provider, baseUrl }) ?? 'LLM_API_KEY';
      const message = `Missing API key (${variable} is not set either)`;
      return queue.end({ type: 'failed', error: advised({ code: 'PROVIDER_AUTH', message }, 'key', asked) });
    }
    let lessons = 0;
    let sent = request;
    await runAttempts({
      asked,
      queue,
      signal,
      clock: this.#ports.clock,
      retries: this.#settings.retries,
      random: this.#ports.random ?? Math.random,
      attempt: (emit) => this.#attempt(sent, queue, emit, signal),
      learn: (failed) => {
        if (lessons >= maxLessons || !isRefusal(failed)) return undefined;
        lessons += 1;
        if (isSignatureRefused(failed) && sent === request) {
          sent = withoutSigned(request);
          const text = 'The provider no longer takes its earlier reasoning; the request goes on without it.';
          queue.push({ type: 'notice', code: 'reasoning_dropped', text });
          return 'again';
        }
        const lesson = this.#lesson(failed, request);
        if (!lesson || (lesson.dialect && this.#settings.isDialectFixed)) return undefined;
        this.#ports.memory.learn(this.#settings.provider, request.model, lesson);
        if (lesson.dialect) {
          const text = `${request.model} is asked over ${dialectTitles[lesson.dialect]} from now on: the provider refuses it otherwise.`;
          queue.push({ type: 'notice', code: 'dialect_changed', text });
        }
        if (lesson.tools !== 'text') return 'again';
        const details = { ...detailsOf(failed), toolsRefused: true };
        return { ...failed, failure: { ...failed.failure, details } };
      },
    });
  }

  async #attempt(
    request: ModelRequest,
    queue: EventQueue,
    emit: (event: ModelEvent) => void,
    signal: AbortSignal,
  ): Promise<Fault | undefined> {
    const { timeoutMs, temperature, provider } = this.#settings;
    const { clock, newId = () => `call_${randomUUID().slice(0, 8)}` } = this.#ports;
    const dialect = await this.#dialect(request.model);
    const url = this.#address(request.model);
    if (!url.ok) return { failure: url.error, again: false };
    const post = {
      url: url.value,
      headers: this.#headers(dialect.name),
      body: dialect.write(
        request.temperature === undefined && temperature !== undefined ? { ...request, temperature } : request,
        this.#style(request.model),
      ),
      idleMs: timeoutMs,
      signal,
    };
    const answer = await this.#send(post);
    if (!answer.ok) return this.#clean(answer.fault);
    const isTaken = (id: string): boolean => this.#ids.has(id, request.messages);
    const format = dialect.read({ emit, isTaken, newId, provider, model: request.model });
    const reader = new AnswerReader(format);
    const failed = await pumpReply({ response: answer.body, reader, queue, clock, timeoutMs });
    return failed && this.#clean(failed);
  }

  async #send(post: Post) {
    if (!this.#settings.throughPackage) return this.#transport.post(post);
    const { postThroughPackage } = await import('./openAiPackage.ts');
    return postThroughPackage(this.#settings.apiKey, post, this.#transport, this.#ports.clock.now());
  }

  /** The package adds the key itself. */
  #headers(dialect: DialectName): Readonly<Record<string, string>> {
    const { apiKey, headers, throughPackage } = this.#settings;
    const key: Readonly<Record<string, string>> =
      apiKey === '' || throughPackage
        ? {}
        : dialect === 'messages'
          ? { 'x-api-key': apiKey }
          : { authorization: `Bearer ${apiKey}` };
    return {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'vise',
      ...(dialect === 'messages' ? messagesHeaders : {}),
      ...key,
      ...headers,
    };
  }

  #address(model: string): Result<URL> {
    return requestAddress(this.#settings.baseUrl, this.#dialectName(model));
  }

  #dialectName(model: string): DialectName {
    return this.#settings.dialectOf(model);
  }

  async #dialect(model: string): Promise<Dialect> {
    const name = this.#dialectName(model);
    const dialect = this.#dialects.get(name) ?? (await loadDialect(name));
    this.#dialects.set(name, dialect);
    return dialect;
  }

  #known(model: string): Capabilities {
    return this.#ports.memory.get(this.#settings.provider, model);
  }

  #style(model: string): RequestStyle {
    const known = this.#known(model);
    const facts = this.#settings.factsOf(model);
    return {
      provider: this.#settings.provider,
      temperature: known.temperature ?? facts.temperature ?? true,
      streamUsage: known.streamUsage ?? this.#settings.streamUsage,
      maxCompletionTokens: known.maxCompletionTokens ?? false,
      echoReasoning: known.echoReasoning ?? this.#settings.echoReasoning,
      echoDetails: known.reasoningDetails ?? this.#settings.echoDetails,
      callExtras: this.#settings.callExtras,
      effort: known.effort ?? true,
      summary: known.summary ?? true,
      thinking: known.thinking ?? facts.thinking ?? usualThinking(facts, this.#dialectName(model)),
      maxOutput: Math.min(known.maxOutput ?? facts.output ?? usualMaxOutput, mostOutput),
    };
  }

  #lesson(failed: Fault, request: ModelRequest): Capabilities | undefined {
    const style = this.#style(request.model);
    const asked = { ...request, temperature: request.temperature ?? this.#settings.temperature };
    const dialect = this.#dialects.get(this.#dialectName(request.model));
    return dialect?.lessonOf(failed.said ?? failed.failure.message, asked, style);
  }

  #clean(failed: Fault): Fault {
    return withoutSecrets(failed, [this.#settings.apiKey, ...Object.values(this.#settings.headers)]);
  }
}

/** The version that the wire format is written after, and thinking between calls for models that need it asked for. */
const messagesHeaders = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'interleaved-thinking-2025-05-14',
};

/** A request that was refused for what it holds, not for who asks or how often; 500 and 501 are also said so. */
function isRefusal(failed: Fault): boolean {
  const { status } = detailsOf(failed);
  if (typeof status !== 'number' || status < 400 || [401, 402, 429].includes(status)) return false;
  return status <= 501;
}

/** The key belongs to another organisation now, or the model behind the name is another one. */
function isSignatureRefused({ said, failure }: Fault): boolean {
  return /encrypted[_ ]content(?! is not supported)|invalid.{0,20}signature|signature.{0,40}(?:invalid|verif|match)|thinking.{0,80}(?:cannot be modified|must remain)/i.test(
    said ?? failure.message,
  );
}

function withoutSigned(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message): ModelMessage => {
    if (message.role !== 'assistant' || message.reasoningDetails === undefined) return message;
    const { reasoningDetails: _signed, ...plain } = message;
    return plain;
  });
  return { ...request, messages };
}

/** Of a model that nobody knows: Responses tells when it cannot think, Messages would refuse it as often as not. */
function usualThinking(facts: ModelFacts, dialect: DialectName): RequestStyle['thinking'] {
  return facts.reasoning === undefined && dialect === 'responses' ? 'adaptive' : 'none';
}

function detailsOf(failed: Fault): Readonly<Record<string, unknown>> {
  const details = failed.failure.details;
  return typeof details === 'object' && details !== null ? (details as Readonly<Record<string, unknown>>) : {};
}

/** The ids of the calls of a conversation. Looks only at what it has grown by; a few too many do no harm. */
class TakenIds {
  readonly #ids = new Set<string>();
  #seen = 0;

  has(id: string, messages: readonly ModelMessage[]): boolean {
    if (messages.length < this.#seen) this.#seen = 0; // shortened, or another conversation
    for (; this.#seen < messages.length; this.#seen += 1) {
      const message = messages[this.#seen];
      if (message?.role === 'assistant') for (const call of message.calls ?? []) this.#ids.add(call.id);
    }
    return this.#ids.has(id);
  }
}
