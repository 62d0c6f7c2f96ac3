import { sendableArguments } from '../base/callArguments.ts';
import type { RequestStyle } from '../base/dialect.ts';
import type { ModelMessage, ModelRequest, ToolChoice, ToolSpec } from '../base/port.ts';
import { isSigned } from '../base/signedReply.ts';
import { ConversationBytes } from './conversationBytes.ts';

/**
 * Writes request bodies. The conversation grows by one turn at a time, so each message, the system text and the list of
 * tools are turned into JSON once and kept, and the bytes of the conversation go on where the last request ended.
 */
export class RequestBody {
  readonly #tools = new WeakMap<readonly ToolSpec[], string>();
  #system = { text: '', json: '' };
  #echo: Echo = { reasoning: false, details: false, extras: 'keep' };
  #kept = new WeakMap<ModelMessage, string>();
  #conversation = this.#newConversation();

  write(request: ModelRequest, style: RequestStyle): Buffer {
    const { reasoning, details, extras } = this.#echo;
    if (reasoning !== style.echoReasoning || details !== style.echoDetails || extras !== style.callExtras) {
      this.#echo = { reasoning: style.echoReasoning, details: style.echoDetails, extras: style.callExtras };
      this.#kept = new WeakMap();
      this.#conversation = this.#newConversation();
    }
    const system = request.system === '' ? '' : this.#systemJson(request.system);
    const [first = new Uint8Array(), ...rest] = this.#conversation.encode(request.messages);
    return Buffer.concat([
      Buffer.from(`{"model":${JSON.stringify(request.model)},"messages":[${system}`),
      system === '' ? first.subarray(1) : first,
      ...rest,
      Buffer.from(this.#tail(request, style)),
    ]);
  }

  #newConversation(): ConversationBytes {
    return new ConversationBytes((message) => this.#messageJson(message), picturesJson);
  }

  #tail(request: ModelRequest, style: RequestStyle): string {
    let body = ']';
    if (style.temperature && request.temperature !== undefined) body += `,"temperature":${request.temperature}`;
    if (request.maxTokens !== undefined) {
      body += `,"${style.maxCompletionTokens ? 'max_completion_tokens' : 'max_tokens'}":${request.maxTokens}`;
    }
    if (style.effort && request.effort !== undefined) body += `,"reasoning_effort":${JSON.stringify(request.effort)}`;
    if (request.tools.length > 0) {
      body += `,"tools":${this.#toolsJson(request.tools)}`;
      if (request.toolChoice !== undefined) body += `,"tool_choice":${choiceJson(request.toolChoice)}`;
    }
    body += ',"stream":true';
    if (style.streamUsage) body += ',"stream_options":{"include_usage":true}';
    return `${body}}`;
  }

  #systemJson(text: string): string {
    if (this.#system.text !== text) this.#system = { text, json: JSON.stringify({ role: 'system', content: text }) };
    return this.#system.json;
  }

  #messageJson(message: ModelMessage): string {
    let json = this.#kept.get(message);
    if (json === undefined) {
      json = JSON.stringify(wireMessage(message, this.#echo));
      this.#kept.set(message, json);
    }
    return json;
  }

  #toolsJson(tools: readonly ToolSpec[]): string {
    let json = this.#tools.get(tools);
    if (json === undefined) {
      json = JSON.stringify(tools.map((tool) => ({ type: 'function', function: tool })));
      this.#tools.set(tools, json);
    }
    return json;
  }
}

interface Echo {
  readonly reasoning: boolean;
  readonly details: boolean;
  readonly extras: RequestStyle['callExtras'];
}

/** What Google names for calls that its model did not write. */
const noSignature = { google: { thought_signature: 'skip_thought_signature_validator' } };

function extraOf(extra: unknown, { extras }: Echo): unknown {
  if (extras === 'drop') return undefined;
  return extra ?? (extras === 'sign' ? noSignature : undefined);
}

function wireMessage(message: ModelMessage, echo: Echo): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: userContent(message.text, message.images ?? []) };
    case 'assistant': {
      const calls = message.calls ?? [];
      return {
        role: 'assistant',
        // Null beside calls, and never nothing at all: several servers refuse an empty assistant message.
        content: message.text === '' && calls.length > 0 ? null : message.text,
        ...echoed(message, echo),
        tool_calls:
          calls.length === 0
            ? undefined
            : calls.map(({ id, name, argumentsText, extra }) => ({
                id,
                type: 'function',
                function: { name, arguments: sendableArguments(argumentsText) },
                extra_content: extraOf(extra, echo),
              })),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
  }
}

function echoed(message: Extract<ModelMessage, { role: 'assistant' }>, echo: Echo): object {
  const { reasoning = '', reasoningDetails, calls = [] } = message;
  if (echo.details && reasoningDetails !== undefined && !isSigned(reasoningDetails))
    return { reasoning_details: reasoningDetails };
  return echo.reasoning && (reasoning !== '' || calls.length > 0) ? { reasoning_content: reasoning } : {};
}

function userContent(text: string, images: readonly { readonly mediaType: string; readonly data: string }[]): unknown {
  if (images.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...images.map((image) => ({
      type: 'image_url',
      image_url: { url: `data:${image.mediaType};base64,${image.data}` },
    })),
  ];
}

/** Tool results cannot hold pictures in this API: a user message behind them shows what belongs to which. */
function picturesJson(message: ModelMessage): string | undefined {
  if (message.role !== 'tool' || !message.images || message.images.length === 0) return undefined;
  const about = `Images of the tool result ${message.callId}:`;
  return JSON.stringify({ role: 'user', content: userContent(about, message.images) });
}

function choiceJson(choice: ToolChoice): string {
  return JSON.stringify(typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } });
}
