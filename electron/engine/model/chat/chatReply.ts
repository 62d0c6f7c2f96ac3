import type { Usage } from '../../../../shared/model/usage.ts';
import type { ReplyFormat, ReplyOptions } from '../base/dialect.ts';
import { cutFault, type Fault, fault, unexpected } from '../base/fault.ts';
import { isObject, type JsonObject, textOf } from '../base/json.ts';
import type { FinishReason } from '../base/port.ts';
import { readUsage } from '../base/usage.ts';
import { Speech } from '../wire/speech.ts';
import { CallPieces } from './callPieces.ts';
import { ReasoningBlocks } from './reasoningBlocks.ts';

/** A reply of chat completions, as servers really send them. */
export class ChatReply implements ReplyFormat {
  readonly #options: ReplyOptions;
  readonly #speech: Speech;
  readonly #calls = new CallPieces();
  readonly #blocks = new ReasoningBlocks();
  #usage: Usage | undefined;
  #finish: string | undefined;
  #fault: Fault | undefined;
  started = false;
  complete = false;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#speech = new Speech(options.emit);
  }

  /** True from the finish reason on: only the usage and `[DONE]` may still come. */
  get finishing(): boolean {
    return this.#finish !== undefined;
  }

  take(chunk: JsonObject): Fault | undefined {
    const groq = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    this.#usage = readUsage(chunk.usage) ?? readUsage(groq) ?? this.#usage;
    // One reply was asked for, so one comes, whatever index it bears (some servers say 1).
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) return undefined;
    const delta = isObject(choice.delta) ? choice.delta : choice.message;
    if (isObject(delta)) this.#delta(delta);
    else if (typeof choice.text === 'string') this.#text(choice.text);
    this.started ||= isObject(delta) || typeof choice.text === 'string' || choice.finish_reason !== undefined;
    this.#finish = textOf(choice.finish_reason) ?? this.#finish;
    return this.#fault;
  }

  flush(): void {
    this.#speech.flush();
  }

  done(): void {
    this.complete = true;
  }

  #delta(delta: JsonObject): void {
    const reasoning =
      textOf(delta.reasoning_content) ?? textOf(delta.reasoning) ?? detailsText(delta.reasoning_details);
    if (reasoning !== undefined) this.#reasoning(reasoning);
    this.#blocks.add(delta.reasoning_details);
    const content = delta.content;
    if (typeof content === 'string') this.#text(content);
    else if (Array.isArray(content)) this.#addParts(content);
    if (typeof delta.refusal === 'string') this.#text(delta.refusal);
    if (Array.isArray(delta.tool_calls)) {
      for (const piece of delta.tool_calls as readonly unknown[]) this.#call(piece);
    } else if (isObject(delta.function_call)) this.#call({ function: delta.function_call });
  }

  /** Content as a list of parts: Mistral's thinking and text. */
  #addParts(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (!isObject(part)) continue;
      if (part.type === 'thinking' || part.type === 'reasoning') {
        const inner = part.thinking ?? part.text;
        if (typeof inner === 'string') this.#reasoning(inner);
        else if (Array.isArray(inner)) {
          for (const item of inner as readonly unknown[]) {
            if (isObject(item) && typeof item.text === 'string') this.#reasoning(item.text);
          }
        }
      } else if (typeof part.text === 'string') this.#text(part.text);
    }
  }

  #text(text: string): void {
    this.#fault ??= this.#speech.text(text);
  }

  #reasoning(text: string): void {
    this.#fault ??= this.#speech.reasoning(text);
  }

  #call(piece: unknown): void {
    const progress = this.#calls.add(piece);
    if (progress) this.#fault ??= progress.fault ?? this.#speech.call(progress.name, progress.chars, progress.added);
  }

  close(): Fault | undefined {
    if (this.#finish === undefined && !this.complete) return cutFault();
    const calls = this.#calls.finish(this.#options.isTaken, this.#options.newId);
    if (!calls) return fault('PROVIDER_BAD_RESPONSE', unexpected('a tool call without a name').failure.message, true);
    for (const call of calls) this.#options.emit({ type: 'call', ...call });
    if (this.#usage) this.#options.emit({ type: 'usage', usage: this.#usage });
    this.#options.emit({
      type: 'finish',
      reason: reasonOf(this.#finish, calls.length > 0),
      raw: this.#finish,
      reasoningDetails: this.#blocks.finish(),
    });
    return undefined;
  }
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
