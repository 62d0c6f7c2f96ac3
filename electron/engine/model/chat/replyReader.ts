import type { Usage } from '../../../../shared/model/usage.ts';
import type { FinishReason, ModelEvent } from '../port.ts';
import { type Fault, fault, shorten, streamedFault, unexpected } from '../wire/fault.ts';
import { isObject, type JsonObject, parseJson, textOf } from '../wire/json.ts';
import { SseDecoder } from '../wire/sseDecoder.ts';
import { CallPieces } from './callPieces.ts';
import { ReasoningBlocks } from './reasoningBlocks.ts';
import { readUsage } from './usage.ts';

export interface ReplyReaderOptions {
  readonly emit: (event: ModelEvent) => void;
  /** Whether the conversation already uses this id: some servers name the first call of each reply the same. */
  readonly isTaken: (id: string) => boolean;
  readonly newId: () => string;
}

/** A body that is not a stream is gathered up to this size (characters). */
const maxBodyChars = 32 * 1024 * 1024;

/**
 * Makes model events of the bytes of one answer. The first visible character decides what it is, not the content type,
 * which is often wrong: `{` is a whole JSON body, `<` a web page, anything else an event stream.
 */
export class ReplyReader {
  readonly #options: ReplyReaderOptions;
  readonly #bytes = new TextDecoder(); // replaces what is not UTF-8, drops a BOM, joins characters split between pieces
  readonly #sse: SseDecoder;
  readonly #calls = new CallPieces();
  readonly #blocks = new ReasoningBlocks();
  #kind: 'unknown' | 'stream' | 'body' = 'unknown';
  #body: string[] = [];
  #bodyChars = 0;
  /** The first characters of a stream, to show when there was no event in it. */
  #head = '';
  #text = '';
  #reasoning = '';
  #callProgress: { readonly name: string; readonly chars: number } | undefined;
  #usage: Usage | undefined;
  #finish: string | undefined;
  #sawChoice = false;
  #junk: string | undefined;
  #sawDone = false;
  #fault: Fault | undefined;

  constructor(options: ReplyReaderOptions) {
    this.#options = options;
    this.#sse = new SseDecoder((data, event) => this.#payload(data, event));
  }

  /** True once nothing more can change the reply: `[DONE]` or a fault. */
  get complete(): boolean {
    return this.#sawDone || this.#fault !== undefined;
  }

  /** True from the finish reason on: only the usage and `[DONE]` may still come. */
  get finishing(): boolean {
    return this.#finish !== undefined;
  }

  push(bytes: Uint8Array): void {
    this.#take(this.#bytes.decode(bytes, { stream: true }));
    this.#flush();
  }

  /** The answer is over. Emits the calls, the usage and the finish, or says why this was no reply. */
  end(): Fault | undefined {
    this.#take(this.#bytes.decode());
    if (this.#kind === 'stream') this.#sse.end();
    else if (!this.#fault) this.#fault = this.#wholeBody(this.#body.join(''));
    this.#flush();
    return this.#fault ?? this.#close();
  }

  #take(text: string): void {
    if (text === '' || this.#fault) return;
    if (this.#kind === 'unknown') {
      const first = /\S/.exec(text)?.[0];
      if (first !== undefined) this.#kind = '{[<'.includes(first) ? 'body' : 'stream';
    }
    if (this.#kind === 'stream') {
      if (this.#head.length < 500) this.#head += text.slice(0, 500);
      this.#sse.push(text);
      if (this.#sse.tooLong) this.#fault = fault('PROVIDER_BAD_RESPONSE', 'The provider sent an endless event.', false);
    } else if (this.#kind === 'body') {
      this.#body.push(text);
      this.#bodyChars += text.length;
      if (this.#bodyChars > maxBodyChars) this.#fault = unexpected(this.#body[0] ?? '');
    }
  }

  #wholeBody(body: string): Fault | undefined {
    if (body.trim() === '') return emptyFault();
    const value = parseJson(body);
    if (!isObject(value)) return unexpected(body);
    const error = streamedFault(value);
    if (error) return error;
    if (!Array.isArray(value.choices) || value.choices.length === 0) return unexpected(body);
    this.#chunk(value);
    if (!this.#sawChoice) return unexpected(body);
    this.#sawDone = true;
    return undefined;
  }

  #payload(data: string, event: string): void {
    if (this.complete) return;
    const trimmed = data.trim();
    if (trimmed === '') return;
    if (this.#junk !== undefined) {
      this.#fault = fault(
        'PROVIDER_BAD_RESPONSE',
        `Unexpected OpenAI-compatible response: ${shorten(this.#junk)}`,
        true,
      );
      return;
    }
    if (trimmed === '[DONE]') {
      this.#sawDone = true;
      return;
    }
    const value = parseJson(trimmed);
    if (isObject(value)) {
      this.#fault = streamedFault(event === 'error' && !isObject(value.error) ? { error: value } : value);
      if (!this.#fault) this.#chunk(value);
      return;
    }
    // Servers that put no blank line between their events give several lines here; each must then be whole.
    const lines = trimmed.split('\n');
    if (lines.length > 1 && lines.every((line) => line.trim() === '[DONE]' || isObject(parseJson(line)))) {
      for (const line of lines) this.#payload(line, event);
      return;
    }
    // Not judged before more comes: at the end of the stream it was cut off, before that it is junk.
    this.#junk = trimmed;
  }

  #chunk(chunk: JsonObject): void {
    const groq = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    this.#usage = readUsage(chunk.usage) ?? readUsage(groq) ?? this.#usage;
    if (!Array.isArray(chunk.choices)) return;
    // One reply was asked for, so one comes, whatever index it bears (some servers say 1).
    const choice: unknown = chunk.choices[0];
    if (!isObject(choice)) return;
    const delta = isObject(choice.delta) ? choice.delta : choice.message;
    if (isObject(delta)) this.#delta(delta);
    else if (typeof choice.text === 'string') this.#addText(choice.text);
    this.#sawChoice ||= isObject(delta) || typeof choice.text === 'string' || choice.finish_reason !== undefined;
    this.#finish = textOf(choice.finish_reason) ?? this.#finish;
  }

  #delta(delta: JsonObject): void {
    const reasoning =
      textOf(delta.reasoning_content) ?? textOf(delta.reasoning) ?? detailsText(delta.reasoning_details);
    if (reasoning !== undefined) this.#addReasoning(reasoning);
    this.#blocks.add(delta.reasoning_details);
    const content = delta.content;
    if (typeof content === 'string') this.#addText(content);
    else if (Array.isArray(content)) this.#addParts(content);
    if (typeof delta.refusal === 'string') this.#addText(delta.refusal);
    if (Array.isArray(delta.tool_calls)) {
      for (const piece of delta.tool_calls as readonly unknown[]) this.#addCall(piece);
    } else if (isObject(delta.function_call)) this.#addCall({ function: delta.function_call });
  }

  /** Content as a list of parts: Mistral's thinking and text. */
  #addParts(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (!isObject(part)) continue;
      if (part.type === 'thinking' || part.type === 'reasoning') {
        const inner = part.thinking ?? part.text;
        if (typeof inner === 'string') this.#addReasoning(inner);
        else if (Array.isArray(inner)) {
          for (const item of inner as readonly unknown[]) {
            if (isObject(item) && typeof item.text === 'string') this.#addReasoning(item.text);
          }
        }
      } else if (typeof part.text === 'string') this.#addText(part.text);
    }
  }

  // Text of one piece from the network becomes one event, however many chunks it held.
  #addText(text: string): void {
    if (this.#reasoning !== '' && text !== '') this.#flush();
    this.#text += text;
  }

  #addReasoning(text: string): void {
    if (this.#text !== '') this.#flush();
    this.#reasoning += text;
  }

  #addCall(piece: unknown): void {
    const progress = this.#calls.add(piece);
    if (progress) this.#callProgress = progress;
  }

  #flush(): void {
    if (this.#text !== '') this.#options.emit({ type: 'text', text: this.#text });
    if (this.#reasoning !== '') this.#options.emit({ type: 'reasoning', text: this.#reasoning });
    if (this.#callProgress) this.#options.emit({ type: 'callDelta', ...this.#callProgress });
    this.#text = '';
    this.#reasoning = '';
    this.#callProgress = undefined;
  }

  #close(): Fault | undefined {
    if (this.#junk !== undefined) return this.#sawChoice ? cutFault() : unexpected(this.#junk);
    if (!this.#sawChoice)
      return /^\s*(:|data|event|id|retry|$)/.test(this.#head) ? emptyFault() : unexpected(this.#head);
    if (this.#finish === undefined && !this.#sawDone) return cutFault();
    const calls = this.#calls.finish(this.#options.isTaken, this.#options.newId);
    if (!calls) {
      return fault('PROVIDER_BAD_RESPONSE', 'Unexpected OpenAI-compatible response: a tool call without a name', true);
    }
    for (const call of calls) this.#options.emit({ type: 'call', ...call });
    if (this.#usage) this.#options.emit({ type: 'usage', usage: this.#usage });
    const blocks = this.#blocks.finish();
    this.#options.emit({
      type: 'finish',
      reason: reasonOf(this.#finish, calls.length > 0),
      ...(this.#finish === undefined ? {} : { raw: this.#finish }),
      ...(blocks === undefined ? {} : { reasoningDetails: blocks }),
    });
    return undefined;
  }
}

/** The connection ended before the reply did. */
export function cutFault(why = 'the stream ended before the reply did'): Fault {
  return fault('PROVIDER_UNREACHABLE', `Provider connection failed: ${why}`, true);
}

function emptyFault(): Fault {
  return fault('PROVIDER_BAD_RESPONSE', 'The provider sent an empty answer.', true);
}

function detailsText(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  let text = '';
  for (const item of details as readonly unknown[]) {
    if (isObject(item)) text += textOf(item.text) ?? textOf(item.summary) ?? '';
  }
  return textOf(text);
}

function reasonOf(raw: string | undefined, calls: boolean): FinishReason {
  switch (raw?.toLowerCase()) {
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
      return 'filter';
    case undefined:
    case 'stop':
    case 'end_turn':
    case 'eos':
    case 'tool_calls':
    case 'function_call':
      return calls ? 'calls' : 'stop'; // many local servers say "stop" beside their calls
    default:
      return calls ? 'calls' : 'other';
  }
}
