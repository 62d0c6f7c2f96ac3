import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Usage } from '../../../../shared/model/usage.ts';
import type { ReplyFormat, ReplyOptions } from '../base/dialect.ts';
import { cutFault, type Fault, fault } from '../base/fault.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../base/json.ts';
import type { FinishReason } from '../base/port.ts';
import { type SignedPart, signedDetails } from '../base/signedReply.ts';
import { replyBounds, tooMuch } from '../wire/replyBounds.ts';
import { Speech } from '../wire/speech.ts';

/** One block of the reply, as it grows. */
interface Block {
  readonly type: string;
  /** Text, thinking or arguments, in pieces; of text only its length is of use. */
  readonly pieces: string[];
  chars: number;
  readonly id: string;
  readonly name: string;
  signature: string;
  readonly data: string;
}

/** A reply of the Messages API: blocks, one after the other, each opened, grown and closed. */
export class MessagesReply implements ReplyFormat {
  readonly #options: ReplyOptions;
  readonly #speech: Speech;
  readonly #blocks = new Map<number, Block>();
  #usage: JsonObject = {};
  #stop: string | undefined;
  #keptChars = 0;
  started = false;
  complete = false;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#speech = new Speech(options.emit);
  }

  get finishing(): boolean {
    return this.#stop !== undefined;
  }

  take(event: JsonObject): Fault | undefined {
    const index = numberOf(event.index) ?? 0;
    switch (event.type as RawMessageStreamEvent['type'] | 'message') {
      case 'message': // a body that is no stream
        return this.#whole(event);
      case 'message_start':
        this.started = true;
        if (isObject(event.message)) this.#count(event.message.usage);
        return undefined;
      case 'content_block_start':
        return this.#open(index, event.content_block);
      case 'content_block_delta':
        return this.#grow(index, isObject(event.delta) ? event.delta : {});
      case 'message_delta':
        this.#count(event.usage);
        if (isObject(event.delta)) this.#stop = textOf(event.delta.stop_reason) ?? this.#stop;
        return undefined;
      case 'message_stop':
        this.complete = true;
        return undefined;
      default:
        return undefined; // pings, the end of a block, what newer versions add
    }
  }

  flush(): void {
    this.#speech.flush();
  }

  done(): void {
    this.complete = true;
  }

  close(): Fault | undefined {
    if (this.#stop === undefined) return cutFault();
    const blocks = [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
    // A call that a limit cut off is not one.
    const isCut = this.#stop === 'max_tokens' || this.#stop === 'model_context_window_exceeded';
    const whole = isCut && blocks.at(-1)?.type === 'tool_use' ? blocks.slice(0, -1) : blocks;
    const calls = whole.filter(({ type }) => type === 'tool_use');
    if (calls.some(({ name }) => name === ''))
      return fault('PROVIDER_BAD_RESPONSE', 'The reply held a tool call without a name.', true);
    for (const call of calls) {
      const id = call.id === '' || this.#options.isTaken(call.id) ? this.#options.newId() : call.id;
      this.#options.emit({ type: 'call', id, name: call.name, argumentsText: call.pieces.join('') || '{}' });
    }
    const usage = usageOf(this.#usage);
    if (usage) this.#options.emit({ type: 'usage', usage });
    const { provider, model } = this.#options;
    this.#options.emit({
      type: 'finish',
      reason: reasonOf(this.#stop, calls.length > 0),
      raw: this.#stop,
      reasoningDetails:
        this.#keptChars > replyBounds.keptChars
          ? undefined
          : signedDetails({ dialect: 'messages', provider, model, parts: whole.flatMap(partOf) }),
    });
    return undefined;
  }

  #open(index: number, given: unknown): Fault | undefined {
    this.started = true;
    if (!isObject(given)) return undefined;
    const name = textOf(given.name) ?? '';
    if (name.length > replyBounds.nameChars) return tooMuch('a tool name without end');
    if (this.#blocks.size >= replyBounds.calls) return tooMuch(`more than ${replyBounds.calls} parts`);
    const data = textOf(given.data) ?? '';
    this.#keptChars += data.length;
    const block: Block = {
      type: textOf(given.type) ?? '',
      pieces: [],
      chars: 0,
      id: textOf(given.id)?.slice(0, replyBounds.idChars) ?? '',
      name,
      signature: textOf(given.signature) ?? '',
      data,
    };
    this.#blocks.set(index, block);
    // Usually empty here; a server may send a short block at once.
    const text = textOf(given.text) ?? textOf(given.thinking);
    if (text !== undefined) return this.#add(block, text);
    const input = isObject(given.input) && Object.keys(given.input).length > 0 ? JSON.stringify(given.input) : '';
    return input === '' ? undefined : this.#add(block, input);
  }

  #grow(index: number, delta: JsonObject): Fault | undefined {
    const block = this.#blocks.get(index);
    if (!block) return undefined;
    if (delta.type === 'signature_delta') {
      block.signature += textOf(delta.signature) ?? '';
      this.#keptChars += textOf(delta.signature)?.length ?? 0;
      return this.#keptChars > 2 * replyBounds.keptChars ? tooMuch('a signature without end') : undefined;
    }
    return this.#add(block, textOf(delta.text) ?? textOf(delta.thinking) ?? textOf(delta.partial_json) ?? '');
  }

  #add(block: Block, piece: string): Fault | undefined {
    if (piece === '') return undefined;
    block.chars += piece.length;
    if (block.type === 'text') return this.#speech.text(piece);
    block.pieces.push(piece);
    if (block.type === 'tool_use') return this.#speech.call(block.name, block.chars, piece.length);
    this.#keptChars += piece.length;
    return this.#speech.reasoning(piece);
  }

  #whole(message: JsonObject): Fault | undefined {
    this.started = true;
    for (const [index, block] of (Array.isArray(message.content)
      ? (message.content as readonly unknown[])
      : []
    ).entries()) {
      const failed = this.#open(index, block);
      if (failed) return failed;
    }
    this.#count(message.usage);
    this.#stop = textOf(message.stop_reason);
    return undefined;
  }

  /** The last count of each kind stands: those of the end are sums, but may leave out what the beginning said. */
  #count(usage: unknown): void {
    if (!isObject(usage)) return;
    const counts = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) };
  }
}

function partOf({ type, pieces, chars, signature, data }: Block): readonly SignedPart[] {
  switch (type) {
    case 'thinking':
      return signature === '' ? [] : [{ type: 'reasoning', raw: { type, thinking: pieces.join(''), signature } }];
    case 'redacted_thinking':
      return data === '' ? [] : [{ type: 'reasoning', raw: { type, data } }];
    case 'text':
      return chars === 0 ? [] : [{ type: 'text', chars }];
    case 'tool_use':
      return [{ type: 'call' }];
    default:
      return [];
  }
}

/** Input counts what was neither read from the cache nor written to it; we count all of it. */
function usageOf(raw: JsonObject): Usage | undefined {
  const fresh = numberOf(raw.input_tokens);
  const output = numberOf(raw.output_tokens);
  if (fresh === undefined && output === undefined) return undefined;
  const cached = numberOf(raw.cache_read_input_tokens) ?? 0;
  const cacheWrites = numberOf(raw.cache_creation_input_tokens) ?? 0;
  const details = isObject(raw.output_tokens_details) ? raw.output_tokens_details : {};
  return {
    requests: 1,
    input: (fresh ?? 0) + cached + cacheWrites,
    output: output ?? 0,
    cached,
    reasoning: numberOf(details.thinking_tokens) ?? 0,
    cacheWrites,
  };
}

function reasonOf(stop: string, calls: boolean): FinishReason {
  switch (stop) {
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
    case 'pause_turn':
      return calls ? 'calls' : 'stop';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'filter';
    default:
      return calls ? 'calls' : 'other';
  }
}
