import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { CapabilityMemory } from './capabilities.ts';
import { lessonOf } from './chat/refusal.ts';
import { ReplyReader } from './chat/replyReader.ts';
import { type BodyStyle, RequestBody } from './chat/requestBody.ts';
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from './port.ts';
import { chatAddress, isLoopback } from './wire/address.ts';
import { runAttempts, startStream } from './wire/attempts.ts';
import type { EventQueue } from './wire/eventQueue.ts';
import { type Fault, withoutSecrets } from './wire/fault.ts';
import { pumpReply } from './wire/pumpReply.ts';
import { type Environment, Transport } from './wire/transport.ts';

export interface HttpClientSettings {
  /** Names the provider in the capability memory. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds without a byte until a request is given up. */
  readonly timeoutMs: number;
  /** How often a failed request is sent again (429, 5xx, lost connections, broken streams). */
  readonly retries: number;
  readonly temperature?: number;
  readonly streamUsage: boolean;
  readonly echoReasoning: boolean;
  readonly echoDetails: boolean;
}

export interface HttpClientPorts {
  readonly clock: Clock;
  readonly env: Environment;
  readonly memory: CapabilityMemory;
  /** 0 to 1, spreads the waiting of several sessions. */
  readonly random?: () => number;
  readonly newId?: () => string;
}

/** Temperature, usage, the name of max_tokens: more than these cannot be learnt in one request. */
const maxLessons = 3;

export class HttpClient implements ModelClient {
  readonly #settings: HttpClientSettings;
  readonly #ports: HttpClientPorts;
  readonly #transport: Transport;
  readonly #body = new RequestBody();
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

  async #run(request: ModelRequest, queue: EventQueue, signal: AbortSignal): Promise<void> {
    const address = chatAddress(this.#settings.baseUrl);
    if (!address.ok) return queue.end({ type: 'failed', error: address.error });
    if (this.#settings.apiKey === '' && !isLoopback(address.value)) {
      const message = 'Missing API key: set LLM_API_KEY, or llm_api_key of the provider.';
      return queue.end({ type: 'failed', error: { code: 'PROVIDER_AUTH', message } });
    }
    let lessons = 0;
    await runAttempts({
      queue,
      signal,
      clock: this.#ports.clock,
      retries: this.#settings.retries,
      random: this.#ports.random ?? Math.random,
      attempt: (emit) => this.#attempt(request, address.value, queue, emit, signal),
      learn: (failed) => {
        const lesson = lessons < maxLessons ? this.#lesson(failed, request) : undefined;
        if (!lesson) return undefined;
        lessons += 1;
        this.#ports.memory.learn(this.#settings.provider, request.model, lesson);
        if (lesson.tools !== 'text') return 'again';
        const details = { ...detailsOf(failed), toolsRefused: true };
        return { ...failed, failure: { ...failed.failure, details } };
      },
    });
  }

  async #attempt(
    request: ModelRequest,
    url: URL,
    queue: EventQueue,
    emit: (event: ModelEvent) => void,
    signal: AbortSignal,
  ): Promise<Fault | undefined> {
    const { apiKey, headers, timeoutMs, temperature } = this.#settings;
    const answer = await this.#transport.post({
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        'user-agent': 'vise',
        ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      body: this.#body.write(
        request.temperature === undefined && temperature !== undefined ? { ...request, temperature } : request,
        this.#style(request.model),
      ),
      idleMs: timeoutMs,
      signal,
    });
    if (!answer.ok) return this.#clean(answer.fault);
    const reader = new ReplyReader({
      emit,
      isTaken: (id) => this.#ids.has(id, request.messages),
      newId: this.#ports.newId ?? (() => `call_${randomUUID().slice(0, 8)}`),
    });
    const failed = await pumpReply({
      response: answer.body,
      reader,
      queue,
      clock: this.#ports.clock,
      timeoutMs,
    });
    return failed && this.#clean(failed);
  }

  #style(model: string): BodyStyle {
    const known = this.#ports.memory.get(this.#settings.provider, model);
    return {
      temperature: known.temperature ?? true,
      streamUsage: known.streamUsage ?? this.#settings.streamUsage,
      maxCompletionTokens: known.maxCompletionTokens ?? false,
      echoReasoning: known.echoReasoning ?? this.#settings.echoReasoning,
      echoDetails: known.reasoningDetails ?? this.#settings.echoDetails,
    };
  }

  #lesson(failed: Fault, request: ModelRequest) {
    const { status } = detailsOf(failed);
    if (typeof status !== 'number' || status < 400 || (status >= 500 && status !== 500 && status !== 501)) {
      return undefined;
    }
    return lessonOf(
      failed.failure.message,
      { ...request, temperature: request.temperature ?? this.#settings.temperature ?? 0 },
      this.#style(request.model),
    );
  }

  #clean(failed: Fault): Fault {
    return withoutSecrets(failed, [this.#settings.apiKey, ...Object.values(this.#settings.headers)]);
  }
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
