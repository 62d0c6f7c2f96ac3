import type {
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
  Tool,
} from 'openai/resources/responses/responses';
import { sendableArguments } from '../base/callArguments.ts';
import type { RequestStyle } from '../base/dialect.ts';
import type { ModelCall, ModelImage, ModelMessage, ModelRequest, ToolChoice, ToolSpec } from '../base/port.ts';
import { signedParts } from '../base/signedReply.ts';

/**
 * Writes requests of the Responses API. Nothing is stored at the provider (`store: false`): the conversation goes with
 * each request, reasoning encrypted and exactly as it came. What a message becomes is made once and kept as JSON.
 */
export class ResponsesRequest {
  readonly #items = new WeakMap<ModelMessage, { readonly by: string; readonly json: string }>();
  readonly #tools = new WeakMap<readonly ToolSpec[], string>();

  write(request: ModelRequest, style: RequestStyle): string {
    const { system, messages, tools, toolChoice, cacheKey, maxTokens, effort, model } = request;
    const hasEffort = style.effort && effort !== undefined;
    const head = {
      model,
      instructions: system === '' ? undefined : system,
      store: false,
      stream: true,
      // Refused by models that do not think.
      include: style.thinking !== 'none' || hasEffort ? ['reasoning.encrypted_content'] : undefined,
      parallel_tool_calls: tools.length > 0 ? true : undefined,
      tool_choice: tools.length > 0 && toolChoice !== undefined ? choiceOf(toolChoice) : undefined,
      prompt_cache_key: cacheKey,
      max_output_tokens: maxTokens,
      temperature: style.temperature ? request.temperature : undefined,
      reasoning: reasoningOf(style, hasEffort ? effort : undefined),
    } satisfies ResponseCreateParamsStreaming;
    const by = `${style.provider} ${model}`;
    const input = messages
      .map((message) => this.#json(message, by, style.provider, model))
      .filter((json) => json !== '');
    const offered = tools.length > 0 ? `,"tools":${this.#toolsJson(tools)}` : '';
    return `${JSON.stringify(head).slice(0, -1)}${offered},"input":[${input.join(',')}]}`;
  }

  #json(message: ModelMessage, by: string, provider: string, model: string): string {
    const kept = this.#items.get(message);
    if (kept?.by === by) return kept.json;
    const json = JSON.stringify(itemsOf(message, provider, model)).slice(1, -1);
    this.#items.set(message, { by, json });
    return json;
  }

  #toolsJson(tools: readonly ToolSpec[]): string {
    let json = this.#tools.get(tools);
    if (json === undefined) {
      // Not strict: schemas have optional members, which strict ones may not.
      json = JSON.stringify(
        tools.map(
          ({ name, description, parameters }): Tool => ({
            type: 'function',
            name,
            description,
            parameters: parameters as Record<string, unknown>, // a JSON Schema, made by z.toJSONSchema or an MCP server
            strict: false,
          }),
        ),
      );
      this.#tools.set(tools, json);
    }
    return json;
  }
}

/** The levels are the provider's own words; those of a model were checked before. A summary is what a person may read. */
function reasoningOf(
  { thinking, summary }: RequestStyle,
  effort: string | undefined,
): ResponseCreateParamsStreaming['reasoning'] {
  const isTold = summary && effort !== 'none' && (thinking !== 'none' || effort !== undefined);
  if (!isTold && effort === undefined) return undefined;
  return { effort: effort as 'low' | undefined, summary: isTold ? 'auto' : undefined };
}

function choiceOf(choice: ToolChoice): NonNullable<ResponseCreateParamsStreaming['tool_choice']> {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };
}

function itemsOf(message: ModelMessage, provider: string, model: string): readonly ResponseInputItem[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'developer', content: message.text }];
    case 'user':
      return [{ type: 'message', role: 'user', content: contentOf(message.text, message.images ?? []) }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: outputOf(message) }];
    case 'assistant':
      return replyItems(message, provider, model);
  }
}

function contentOf(text: string, images: readonly ModelImage[]): string | ResponseInputContent[] {
  if (images.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'input_text' as const, text }]), ...images.map(imageOf)];
}

function outputOf({ text, images = [] }: ModelMessage & { readonly role: 'tool' }) {
  return images.length === 0 ? text : [{ type: 'input_text' as const, text }, ...images.map(imageOf)];
}

function imageOf({ mediaType, data }: ModelImage) {
  return { type: 'input_image' as const, detail: 'auto' as const, image_url: `data:${mediaType};base64,${data}` };
}

/** In the order that the provider wrote, with its own ids; a reply of another provider as plain text and calls. */
function replyItems(
  message: ModelMessage & { readonly role: 'assistant' },
  provider: string,
  model: string,
): readonly ResponseInputItem[] {
  const calls = [...(message.calls ?? [])];
  const parts = signedParts(message, { dialect: 'responses', provider, model });
  if (!parts) return [...textItem(message.text), ...calls.map((call) => callItem(call))];
  const items: ResponseInputItem[] = [];
  let rest = message.text;
  for (const part of parts) {
    if (part.type === 'reasoning')
      items.push(part.raw as unknown as ResponseInputItem.ItemReference); // as it came
    else if (part.type === 'text') {
      items.push(...textItem(rest.slice(0, part.chars), part.raw));
      rest = rest.slice(part.chars);
    } else {
      const call = calls.shift();
      if (call) items.push(callItem(call, part.raw));
    }
  }
  items.push(...textItem(rest), ...calls.map((call) => callItem(call)));
  // Reasoning that led to nothing is refused ("without its required following item").
  while (items.at(-1)?.type === 'reasoning') items.pop();
  return items;
}

/** `raw`: the item's id, and its phase, which newer models want back. */
function textItem(text: string, raw: Readonly<Record<string, unknown>> = {}): readonly ResponseInputItem[] {
  if (text === '') return [];
  if (typeof raw.id !== 'string') return [{ type: 'message', role: 'assistant', content: text }];
  const content = [{ type: 'output_text' as const, text, annotations: [] }];
  const phase = raw.phase === 'commentary' || raw.phase === 'final_answer' ? raw.phase : undefined;
  return [{ type: 'message', role: 'assistant', id: raw.id, status: 'completed', phase, content }];
}

function callItem(
  { id, name, argumentsText }: ModelCall,
  raw: Readonly<Record<string, unknown>> = {},
): ResponseInputItem {
  return {
    type: 'function_call',
    id: typeof raw.id === 'string' ? raw.id : undefined,
    call_id: id,
    name,
    arguments: sendableArguments(argumentsText),
  };
}
