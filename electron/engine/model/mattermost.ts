import type { Clock } from '../base/clock.ts';
import { type Fault, fault, shorten, withoutSecrets } from './base/fault.ts';
import { isObject, parseJson } from './base/json.ts';
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from './base/port.ts';
import { parseAddress, shownAddress } from './wire/address.ts';
import { runAttempts, startStream } from './wire/attempts.ts';
import type { Body } from './wire/decodedBody.ts';
import type { EventQueue } from './wire/eventQueue.ts';
import { type Environment, lost, reasonOf, silent, Transport } from './wire/transport.ts';
import { Watchdog } from './wire/watchdog.ts';

export interface MattermostSettings {
  readonly baseUrl: string;
  /** The last part of the address (`llm_model_key`). */
  readonly modelKey: string;
  readonly accessTeam: string;
  readonly authToken: string;
  readonly userId: string;
  readonly csrfToken: string;
  readonly timeoutMs: number;
  readonly retries: number;
}

export interface MattermostPorts {
  readonly clock: Clock;
  readonly env: Environment;
  readonly random?: () => number;
}

const maxBodyBytes = 16 * 1024 * 1024;

/** The AI plug-in of a Mattermost server: the messages as a bare list, the answer in `reqMessage`. Text only. */
export class MattermostClient implements ModelClient {
  readonly #settings: MattermostSettings;
  readonly #ports: MattermostPorts;
  readonly #transport: Transport;

  constructor(settings: MattermostSettings, ports: MattermostPorts) {
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
    const { baseUrl, modelKey, accessTeam, authToken, userId, csrfToken } = this.#settings;
    const base = parseAddress(baseUrl.replace(/\/+$/, ''));
    if (!base.ok) return queue.end({ type: 'failed', error: base.error });
    if (authToken === '') {
      const message = 'Missing API key: set mmauth_token (with mmuser_id and csrf_token) of the provider.';
      return queue.end({ type: 'failed', error: { code: 'PROVIDER_AUTH', message } });
    }
    // A cookie is cut at a semicolon, a header at a line break: neither may smuggle in another one.
    const broken = Object.entries({ mmauth_token: authToken, mmuser_id: userId, csrf_token: csrfToken }).find(
      ([, value]) => /[\r\n\0;]/.test(value),
    );
    if (broken) {
      const message = `${broken[0]} must not contain line breaks or semicolons.`;
      return queue.end({ type: 'failed', error: { code: 'CONFIG_INVALID', message } });
    }
    await runAttempts({
      asked: { provider: 'mattermost', address: shownAddress(base.value) },
      queue,
      signal,
      clock: this.#ports.clock,
      retries: this.#settings.retries,
      random: this.#ports.random ?? Math.random,
      attempt: async (emit) => {
        const url = new URL(`${base.value.href.replace(/\/+$/, '')}/${encodeURIComponent(modelKey)}`);
        url.searchParams.set('requestTime', String(this.#ports.clock.now()));
        url.searchParams.set('accessTeam', accessTeam);
        const answer = await this.#transport.post({
          url,
          headers: {
            'content-type': 'text/plain;charset=UTF-8',
            'x-csrf-token': csrfToken,
            'x-requested-with': 'XMLHttpRequest',
            cookie: `MMAUTHTOKEN=${authToken}; MMUSERID=${userId}; MMCSRF=${csrfToken}`,
          },
          body: messagesBody(request),
          idleMs: this.#settings.timeoutMs,
          signal,
        });
        const failed = answer.ok ? await this.#read(answer.body, emit) : answer.fault;
        return failed && withoutSecrets(failed, [authToken, csrfToken]);
      },
    });
  }

  async #read(response: Body, emit: (event: ModelEvent) => void): Promise<Fault | undefined> {
    let idle = false;
    const watchdog = new Watchdog(this.#ports.clock, this.#settings.timeoutMs, () => {
      idle = true;
      response.destroy();
    });
    const pieces: Buffer[] = [];
    let size = 0;
    try {
      for await (const piece of response as AsyncIterable<Buffer>) {
        watchdog.touch();
        pieces.push(piece);
        size += piece.length;
        if (size > maxBodyBytes) return fault('PROVIDER_BAD_RESPONSE', 'The answer is longer than 16 MB.', false);
      }
    } catch (error) {
      return idle
        ? silent(this.#settings.timeoutMs)
        : lost(error instanceof Error ? reasonOf(error) : String(error), true);
    } finally {
      watchdog.dispose();
    }
    const body = Buffer.concat(pieces).toString('utf8');
    const value = parseJson(body);
    if (!isObject(value) || typeof value.reqMessage !== 'string') {
      return fault('PROVIDER_BAD_RESPONSE', `Unexpected response (missing reqMessage): ${shorten(body)}`, false);
    }
    if (value.reqMessage !== '') emit({ type: 'text', text: value.reqMessage });
    emit({ type: 'finish', reason: 'stop' });
    return undefined;
  }
}

function messagesBody(request: ModelRequest): string {
  const messages = request.messages.map((message) => ({ role: wireRole(message), content: message.text }));
  return JSON.stringify(request.system === '' ? messages : [{ role: 'system', content: request.system }, ...messages]);
}

function wireRole({ role }: ModelMessage): string {
  return role === 'tool' ? 'user' : role;
}
