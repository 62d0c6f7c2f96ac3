import { type Clock, isoTime } from '../base/clock.ts';
import type { ModelClient, ModelEvent, ModelRequest } from './base/port.ts';
import type { ProviderSettings } from './providerSettings.ts';

/** Characters of a request or an answer in the log; the rest is cut. */
const maxChars = 4_000;

/** Writes each request and answer as one JSON line. Headers never pass here, so neither keys nor cookies can. */
export class DebugLogClient implements ModelClient {
  readonly #inner: ModelClient;
  readonly #settings: ProviderSettings;
  readonly #clock: Clock;
  readonly #write: (line: string) => void;

  constructor(inner: ModelClient, settings: ProviderSettings, clock: Clock, write: (line: string) => void) {
    this.#inner = inner;
    this.#settings = settings;
    this.#clock = clock;
    this.#write = write;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { messages, tools, ...rest } = request;
    this.#log('request', JSON.stringify({ ...rest, tools: tools.map((tool) => tool.name), messages }));
    let answer = '';
    for await (const event of this.#inner.stream(request, signal)) {
      if (event.type === 'text' && answer.length < maxChars) answer += event.text;
      else if (event.type !== 'reasoning' && event.type !== 'callDelta' && event.type !== 'text') {
        answer += `\n${JSON.stringify(event)}`;
      }
      if (event.type === 'finish' || event.type === 'failed') this.#log('answer', answer);
      yield event;
    }
  }

  dispose(): void {
    this.#inner.dispose();
  }

  keepsBeginning(model: string): boolean {
    return this.#inner.keepsBeginning?.(model) === true;
  }

  #log(what: string, text: string): void {
    let shown = text.slice(0, maxChars);
    const { apiKey, mattermost } = this.#settings;
    for (const secret of [apiKey, mattermost.authToken, mattermost.csrfToken]) {
      if (secret.length >= 4) shown = shown.replaceAll(secret, '***');
    }
    this.#write(JSON.stringify({ timestamp: isoTime(this.#clock), provider: this.#settings.name, what, text: shown }));
  }
}
