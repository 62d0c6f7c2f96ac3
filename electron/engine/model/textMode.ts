import { shortId } from '../base/ids.ts';
import { parseCallArguments } from './base/callArguments.ts';
import type {
  ModelCall,
  ModelClient,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ReplyError,
  ToolSpec,
} from './base/port.ts';
import { readReply } from './textProtocol/readReply.ts';
import type { Dialect } from './textProtocol/reply.ts';
import { maxCorrections, retryMessage } from './textProtocol/retryMessages.ts';
import { toolPrompt } from './textProtocol/toolPrompt.ts';
import { toolResultText } from './textProtocol/toolResultText.ts';

export interface TextModeOptions {
  readonly dialect: Dialect;
  /** Each malformed reply as the model wrote it, for `malformed_outputs.jsonl`. */
  readonly onMalformed?: (reply: { readonly rawOutput: string; readonly error: ReplyError }) => void;
  readonly newId?: () => string;
}

/**
 * Lets a model without function calling use tools: the tools go into the system prompt, calls come back as text, results
 * go as user messages. A malformed reply is answered with a correction at most twice; corrections stay out of the
 * conversation. After that the raw text is the reply and the finish says `malformed`.
 */
export class TextModeClient implements ModelClient {
  readonly #inner: ModelClient;
  readonly #options: TextModeOptions;
  readonly #converted = new WeakMap<ModelMessage, ModelMessage>();
  readonly #prompts = new WeakMap<readonly ToolSpec[], string>();

  constructor(inner: ModelClient, options: TextModeOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const { toolChoice: _, ...plain } = request;
    const asked: ModelRequest = {
      ...plain,
      system: [request.system, this.#prompt(request.tools)].filter((part) => part !== '').join('\n\n'),
      messages: this.#messages(request.messages),
      tools: [],
    };
    let corrections: readonly ModelMessage[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const messages = corrections.length === 0 ? asked.messages : [...asked.messages, ...corrections];
      const usage: ModelEvent[] = []; // told after the text that is still kept back
      let raw = '';
      let speaker = new Speaker();
      let finish: Extract<ModelEvent, { type: 'finish' }> | undefined;
      for await (const event of this.#inner.stream({ ...asked, messages }, signal)) {
        if (event.type === 'finish') finish = event;
        else if (event.type === 'usage') usage.push(event);
        else if (event.type === 'restart') {
          raw = '';
          speaker = new Speaker();
          yield event;
        } else if (event.type === 'text') {
          raw += event.text;
          const more = speaker.more(event.text);
          if (more !== '') yield { type: 'text', text: more };
        } else yield event;
        if (event.type === 'failed') return;
      }
      if (!finish) return;
      let { shown } = speaker;
      const reply = readReply(raw, this.#options.dialect, request.tools);
      // An empty reply of a server that said why (a filter, a limit) is its own kind of end.
      if (reply.error !== undefined && !(raw.trim() === '' && finish.reason !== 'stop')) {
        this.#options.onMalformed?.({ rawOutput: raw, error: reply.error });
        if (attempt <= maxCorrections) {
          yield* usage;
          corrections = [
            { role: 'assistant', text: raw },
            { role: 'system', text: retryMessage(reply.error, attempt, reply.detail) },
          ];
          yield { type: 'restart' };
          yield {
            type: 'notice',
            code: 'malformed_reply',
            text: `The reply was not readable (${reply.error}); asking again.`,
          };
          continue;
        }
        if (raw.length > shown.length) yield { type: 'text', text: raw.slice(shown.length) };
        yield* usage;
        yield { ...finish, malformed: reply.error };
        return;
      }
      if (!reply.content.startsWith(shown)) {
        yield { type: 'restart' };
        shown = '';
      }
      if (reply.reasoning !== undefined) yield { type: 'reasoning', text: reply.reasoning };
      if (reply.content.length > shown.length) yield { type: 'text', text: reply.content.slice(shown.length) };
      for (const repair of reply.repairs ?? []) {
        yield { type: 'notice', code: 'reply_repaired', text: `Understood a reply that was not as asked (${repair}).` };
      }
      for (const call of reply.calls) {
        const id = this.#options.newId?.() ?? shortId('call');
        yield { type: 'call', id, name: call.tool, argumentsText: JSON.stringify(call.arguments) };
      }
      yield* usage;
      yield reply.calls.length > 0 ? { ...finish, reason: 'calls' } : finish;
      return;
    }
  }

  dispose(): void {
    this.#inner.dispose();
  }

  #prompt(tools: readonly ToolSpec[]): string {
    if (tools.length === 0) return '';
    const prompt = this.#prompts.get(tools) ?? toolPrompt(tools);
    this.#prompts.set(tools, prompt);
    return prompt;
  }

  /** Kept by identity like the messages themselves, so that the JSON of a converted one is cached too. */
  #messages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
    const calls = new Map<string, ModelCall>();
    return messages.map((message) => {
      if (message.role === 'assistant') for (const call of message.calls ?? []) calls.set(call.id, call);
      const known = this.#converted.get(message);
      if (known) return known;
      const converted = inText(message, calls);
      this.#converted.set(message, converted);
      return converted;
    });
  }
}

function inText(message: ModelMessage, calls: ReadonlyMap<string, ModelCall>): ModelMessage {
  if (message.role === 'assistant' && message.calls && message.calls.length > 0) {
    const blocks = message.calls.map((call) => {
      const given = parseCallArguments(call.argumentsText);
      const written = { type: 'tool_call', tool: call.name, arguments: given.ok ? given.value : {} };
      return `<tool_call>${JSON.stringify(written)}</tool_call>`;
    });
    return { role: 'assistant', text: [message.text, ...blocks].filter((part) => part !== '').join('\n') };
  }
  if (message.role !== 'tool') return message;
  const images = message.images === undefined ? {} : { images: message.images };
  if (message.text.startsWith('--- tool call result ---')) return { role: 'user', text: message.text, ...images };
  const call = calls.get(message.callId);
  const given = parseCallArguments(call?.argumentsText ?? '');
  const text = toolResultText({
    tool: message.tool ?? call?.name ?? 'unknown',
    arguments: given.ok ? given.value : {},
    ...outcomeOf(message.text),
  });
  return { role: 'user', text, ...images };
}

/** A result as JSON says itself whether it went well (`success`, or `ok`); any other text did. */
function outcomeOf(text: string): {
  readonly ok: boolean;
  readonly error?: string;
  readonly report?: string;
  readonly result: unknown;
} {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: true, result: text };
  }
  if (typeof value !== 'object' || value === null) return { ok: true, result: value };
  const raw = value as Readonly<Record<string, unknown>>;
  const error =
    typeof raw.error === 'object' && raw.error !== null ? (raw.error as { message?: unknown }).message : raw.error;
  const data = 'data' in raw && typeof raw.success === 'boolean' ? raw.data : raw;
  const report = typeof data === 'object' && data !== null ? (data as { _report?: unknown })._report : undefined;
  return {
    ok: raw.success !== false && raw.ok !== false,
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof report === 'string' ? { report } : {}),
    result: data,
  };
}

/**
 * Lets through the part of a growing reply that is certainly prose: up to the first mark that may begin a call or a
 * thought. White space at its end is kept back, because content is trimmed when a call follows.
 */
class Speaker {
  shown = '';
  #kept = '';
  #sealed = false;

  more(text: string): string {
    if (this.#sealed) return '';
    const whole = this.#kept + text;
    const fresh = this.shown === '' ? whole.trimStart() : whole;
    const marks = [(this.shown === '' ? atStart : within).exec(fresh), signs.exec(fresh)].filter(
      (mark) => mark !== null,
    );
    this.#sealed = marks.length > 0;
    const end = Math.min(...marks.map(({ index }) => index), fresh.length - begun(fresh));
    const sure = fresh.slice(0, end).trimEnd();
    this.#kept = this.#sealed ? '' : fresh.slice(sure.length);
    this.shown += sure;
    return sure;
  }
}

/** Signs of calls and thoughts that begin like prose: up to their last letter they are only kept back. */
const words = ['[THINK]', 'functools[', ']<]minimax', '-> tool/function_call', 'function call<|', '[unused11]'];
const signs = new RegExp(words.map((word) => word.replace(/[[\]|]/g, '\\$&')).join('|'));

/** How many characters at the end may be the beginning of such a sign. */
function begun(text: string): number {
  const lengths = words.map((word) => {
    let length = Math.min(word.length - 1, text.length);
    while (length > 0 && !text.endsWith(word.slice(0, length))) length -= 1;
    return length;
  });
  return Math.max(...lengths);
}

const within = /<(?=[a-z/|!｜]|$)|\[(?=\s*(?:[a-z_][\w.-]*(?:\(|$)|TOOL_CALLS\]|$))/i;
const atStart = /^[[{`~]|<(?=[a-z/|!｜]|$)|\[(?=\s*(?:[a-z_][\w.-]*(?:\(|$)|TOOL_CALLS\]|$))/i;
