import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { Usage } from '../../../../shared/model/usage.ts';
import type { ReplyFormat, ReplyOptions } from '../base/dialect.ts';
import { cutFault, type Fault, fault, streamedFault } from '../base/fault.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../base/json.ts';
import type { FinishReason } from '../base/port.ts';
import { type SignedPart, signedDetails } from '../base/signedReply.ts';
import { readUsage } from '../base/usage.ts';
import { replyBounds, tooMuch } from '../wire/replyBounds.ts';
import { Speech } from '../wire/speech.ts';

/** One item of the output, in the order of the reply. */
interface Item {
  readonly type: string;
  id: string;
  /** Characters of its text or arguments that came so far. */
  chars: number;
  readonly pieces: string[];
  name: string;
  callId: string;
  /** Whole, from its `done` event. */
  raw: JsonObject | undefined;
}

type Name = ResponseStreamEvent['type'];

/** A reply of the Responses API: items that grow, each ended by its whole self; calls may come side by side. */
export class ResponsesReply implements ReplyFormat {
  readonly #options: ReplyOptions;
  readonly #speech: Speech;
  readonly #items = new Map<number, Item>();
  #usage: Usage | undefined;
  #end: { readonly status: string; readonly why: string | undefined } | undefined;
  #keptChars = 0;
  #summary = -1;
  started = false;
  complete = false;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#speech = new Speech(options.emit);
  }

  /** The usage comes with the end: nothing is waited for after it. */
  get finishing(): boolean {
    return false;
  }

  take(event: JsonObject): Fault | undefined {
    if (event.object === 'response') return this.#whole(event);
    const index = numberOf(event.output_index) ?? 0;
    const delta = typeof event.delta === 'string' ? event.delta : '';
    switch (event.type as Name) {
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        this.started = true;
        return undefined;
      case 'response.output_item.added':
        this.#open(index, event.item);
        return this.#tooMany();
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#grow(index, 'message', delta);
        return this.#speech.text(delta);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#speech.reasoning(`${this.#isNewSummary(index, event.summary_index) ? '\n\n' : ''}${delta}`);
      case 'response.function_call_arguments.delta': {
        const item = this.#grow(index, 'function_call', delta);
        item.pieces.push(delta);
        return this.#speech.call(item.name, item.chars, delta.length);
      }
      case 'response.output_item.done':
        return this.#close(index, event.item);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return isObject(event.response) ? this.#whole(event.response) : cutFault();
      default:
        return undefined; // what is only told on the way, and what newer versions add
    }
  }

  flush(): void {
    this.#speech.flush();
  }

  done(): void {
    this.complete = true;
  }

  close(): Fault | undefined {
    if (!this.#end) return cutFault();
    const { status, why } = this.#end;
    const items = [...this.#items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item);
    const calls = items.filter(({ type }) => type === 'function_call');
    if (calls.some(({ name }) => name === ''))
      return fault('PROVIDER_BAD_RESPONSE', 'The reply held a tool call without a name.', true);
    // A call whose arguments were cut off by a limit is not one; the rest of the reply is what the model gets back.
    const whole = status === 'incomplete' ? calls.filter(({ raw }) => raw?.status === 'completed') : calls;
    for (const call of whole) {
      const isOwn = call.callId !== '' && !this.#options.isTaken(call.callId);
      const id = isOwn ? call.callId : this.#options.newId();
      this.#options.emit({ type: 'call', id, name: call.name, argumentsText: call.pieces.join('') });
    }
    if (this.#usage) this.#options.emit({ type: 'usage', usage: this.#usage });
    const { provider, model } = this.#options;
    const parts = items.filter((item) => item.type !== 'function_call' || whole.includes(item)).flatMap(partOf);
    this.#options.emit({
      type: 'finish',
      reason: reasonOf(status, why, whole.length > 0),
      raw: why ?? status,
      reasoningDetails:
        this.#keptChars > replyBounds.keptChars
          ? undefined
          : signedDetails({ dialect: 'responses', provider, model, parts }),
    });
    return undefined;
  }

  #open(index: number, given: unknown): Item {
    this.started = true;
    const known = this.#items.get(index);
    if (known) return known;
    const raw = isObject(given) ? given : {};
    const item: Item = {
      type: textOf(raw.type) ?? 'message',
      id: textOf(raw.id) ?? '',
      chars: 0,
      pieces: [],
      name: textOf(raw.name) ?? '',
      callId: textOf(raw.call_id) ?? '',
      raw: undefined,
    };
    this.#items.set(index, item);
    return item;
  }

  #grow(index: number, type: string, delta: string): Item {
    const item = this.#open(index, { type });
    item.chars += delta.length;
    return item;
  }

  /** The whole item: what its deltas left out is taken from it. */
  #close(index: number, given: unknown): Fault | undefined {
    if (!isObject(given)) return undefined;
    const item = this.#open(index, given);
    item.raw = given;
    item.id = textOf(given.id) ?? item.id;
    let failed: Fault | undefined;
    if (item.type === 'function_call') {
      item.name = textOf(given.name) ?? item.name;
      item.callId = textOf(given.call_id) ?? item.callId;
      const whole = typeof given.arguments === 'string' ? given.arguments : '';
      if (whole.length > item.chars) {
        failed = this.#speech.call(item.name, whole.length, whole.length - item.chars);
        item.pieces.splice(0, item.pieces.length, whole);
      }
    } else if (item.type === 'message') {
      const rest = textIn(given.content).slice(item.chars);
      item.chars += rest.length;
      failed = rest === '' ? undefined : this.#speech.text(rest);
    } else if (item.type === 'reasoning') {
      this.#keptChars += JSON.stringify(given).length;
      item.raw = reasoningItem(given);
    }
    return failed ?? this.#tooMany();
  }

  /** The last event, or a body that is no stream: its items count where none were told before. */
  #whole(response: JsonObject): Fault | undefined {
    this.started = true;
    const error = isObject(response.error) ? streamedFault({ error: response.error }) : undefined;
    if (error) return error;
    if (response.status === 'failed') return fault('PROVIDER_ERROR', 'The provider says that the reply failed.', true);
    if (Array.isArray(response.output)) {
      for (const [index, item] of (response.output as readonly unknown[]).entries()) {
        const failed = this.#items.get(index)?.raw ? undefined : this.#close(index, item);
        if (failed) return failed;
      }
    }
    this.#usage = readUsage(response.usage);
    const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
    this.#end = { status: textOf(response.status) ?? 'completed', why: textOf(details.reason) };
    this.complete = true;
    return undefined;
  }

  #isNewSummary(index: number, summary: unknown): boolean {
    const place = index * 1_000 + (numberOf(summary) ?? 0);
    const isNew = this.#summary >= 0 && this.#summary !== place;
    this.#summary = place;
    return isNew;
  }

  #tooMany(): Fault | undefined {
    if (this.#items.size > replyBounds.calls) return tooMuch(`more than ${replyBounds.calls} parts`);
    const isLong = [...this.#items.values()].some(({ name }) => name.length > replyBounds.nameChars);
    return isLong ? tooMuch('a tool name without end') : undefined;
  }
}

/** What of an item goes back with the next request. */
function partOf({ type, id, chars, raw }: Item): readonly SignedPart[] {
  switch (type) {
    case 'reasoning':
      return raw && textOf(raw.encrypted_content) !== undefined ? [{ type: 'reasoning', raw }] : [];
    case 'message':
      return chars === 0 ? [] : [{ type: 'text', chars, raw: { id, phase: raw?.phase } }];
    case 'function_call':
      return [{ type: 'call', raw: { id } }];
    default:
      return [];
  }
}

/** The members of a reasoning item that a request may hold; `status` is only the provider's to say. */
function reasoningItem({ id, summary, content, encrypted_content }: JsonObject): JsonObject {
  return { type: 'reasoning', id, summary: Array.isArray(summary) ? summary : [], content, encrypted_content };
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return (content as readonly unknown[])
    .map((part) => (isObject(part) ? (textOf(part.text) ?? textOf(part.refusal) ?? '') : ''))
    .join('');
}

function reasonOf(status: string, why: string | undefined, calls: boolean): FinishReason {
  if (status !== 'incomplete') return calls ? 'calls' : 'stop';
  if (why === 'content_filter') return 'filter';
  return why === 'max_output_tokens' ? 'length' : 'other';
}
