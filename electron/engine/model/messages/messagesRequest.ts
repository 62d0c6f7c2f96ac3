import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { parseCallArguments } from '../base/callArguments.ts';
import type { RequestStyle } from '../base/dialect.ts';
import type { ModelCall, ModelImage, ModelMessage, ModelRequest, ToolChoice, ToolSpec } from '../base/port.ts';
import { signedParts } from '../base/signedReply.ts';

/**
 * The cache is written up to each mark and read up to the last one that is known: tools and system stay for a session,
 * the last two messages of the person's side are where this request and the one before it end. Four are allowed.
 */
const cacheMark = { type: 'ephemeral' as const };
const markedMessages = 2;

/** Tokens to think with, for models that take a budget instead of an effort (the least that is allowed is 1,024). */
const budgets: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_000,
  high: 24_000,
  xhigh: 32_000,
  max: 48_000,
};

type Turn = MessageParam & { readonly role: 'user' | 'assistant'; readonly content: ContentBlockParam[] };

/** Writes requests of Anthropic's Messages API. What a message becomes is made once and kept. */
export class MessagesRequest {
  readonly #blocks = new WeakMap<
    ModelMessage,
    { readonly by: string; readonly blocks: readonly ContentBlockParam[] }
  >();
  readonly #tools = new WeakMap<readonly ToolSpec[], readonly Tool[]>();

  write(request: ModelRequest, style: RequestStyle): string {
    const { system, tools, toolChoice, model, effort } = request;
    const maxTokens = Math.min(request.maxTokens ?? style.maxOutput, style.maxOutput);
    const turns = this.#turns(request, style.provider);
    const asked = thinkingOf(style, effort, maxTokens);
    // With a budget, the reply whose calls are answered must begin with its thinking; another model's has none.
    const thinking = asked?.type === 'enabled' && !beginsWithThinking(turns) ? undefined : asked;
    const thinks = thinking !== undefined && thinking.type !== 'disabled';
    const body = {
      model,
      max_tokens: maxTokens,
      stream: true,
      system: system === '' ? undefined : [{ type: 'text', text: system, cache_control: cacheMark }],
      tools: tools.length === 0 ? undefined : [...this.#toolsOf(tools)],
      // While it thinks, a model cannot be made to call.
      tool_choice: tools.length === 0 || toolChoice === undefined || thinks ? undefined : choiceOf(toolChoice),
      thinking,
      output_config:
        style.effort && effort !== undefined && effort !== 'none' && style.thinking !== 'budget'
          ? { effort: effort as 'low' } // the provider's own words; those of a model were checked before
          : undefined,
      messages: turns,
    } satisfies MessageCreateParamsStreaming;
    return JSON.stringify(body);
  }

  #toolsOf(tools: readonly ToolSpec[]): readonly Tool[] {
    let made = this.#tools.get(tools);
    if (!made) {
      made = tools.map(({ name, description, parameters }, index) => ({
        name,
        description,
        input_schema: parameters as Tool.InputSchema, // a JSON Schema of an object, as every tool's input is
        cache_control: index === tools.length - 1 ? cacheMark : undefined,
      }));
      this.#tools.set(tools, made);
    }
    return made;
  }

  /** Turns of one side that stand beside each other become one: results of calls first, as the API wants them. */
  #turns({ messages, model }: ModelRequest, provider: string): Turn[] {
    const turns: Turn[] = [];
    const passing = messages.findLast((message) => message.role === 'system' && message.isPassing === true);
    for (const message of messages) {
      if (message === passing) continue;
      const role = message.role === 'assistant' ? 'assistant' : 'user';
      const blocks = this.#blocksOf(message, provider, model);
      if (blocks.length === 0) continue;
      const last = turns.at(-1);
      if (last?.role === role) last.content.push(...blocks);
      else turns.push({ role, content: [...blocks] });
    }
    // A conversation begins and ends on the person's side.
    if (turns[0]?.role === 'assistant')
      turns.unshift({ role: 'user', content: [{ type: 'text', text: '(The beginning is not shown.)' }] });
    if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
    for (const turn of turns) {
      if (turn.role === 'user')
        turn.content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
    }
    for (const turn of turns.filter(({ role }) => role === 'user').slice(-markedMessages)) {
      const block = turn.content.at(-1);
      // Of the person's side every block takes a mark.
      if (block) turn.content[turn.content.length - 1] = { ...(block as TextBlockParam), cache_control: cacheMark };
    }
    // Behind the marks: the next request has other words here.
    if (passing) turns.at(-1)?.content.push({ type: 'text', text: passing.text });
    return turns;
  }

  #blocksOf(message: ModelMessage, provider: string, model: string): readonly ContentBlockParam[] {
    const by = `${provider} ${model}`;
    const kept = this.#blocks.get(message);
    if (kept?.by === by) return kept.blocks;
    const blocks = message.role === 'assistant' ? replyBlocks(message, provider, model) : personBlocks(message);
    this.#blocks.set(message, { by, blocks });
    return blocks;
  }
}

function beginsWithThinking(turns: readonly Turn[]): boolean {
  if (turns.at(-1)?.content[0]?.type !== 'tool_result') return true;
  const first = turns.at(-2)?.content[0]?.type;
  return first === 'thinking' || first === 'redacted_thinking';
}

function thinkingOf(
  style: RequestStyle,
  effort: string | undefined,
  maxTokens: number,
): MessageCreateParamsStreaming['thinking'] {
  if (style.thinking === 'none' || !style.effort) return undefined;
  if (effort === 'none') return { type: 'disabled' };
  // Without "summarized" newer models send no words of their thinking, only its signature.
  if (style.thinking === 'adaptive') return { type: 'adaptive', display: 'summarized' };
  const budget = effort === undefined ? undefined : budgets[effort];
  return budget === undefined || maxTokens <= 2_048
    ? undefined
    : { type: 'enabled', budget_tokens: Math.min(budget, maxTokens - 1_024) };
}

function choiceOf(choice: ToolChoice): NonNullable<MessageCreateParamsStreaming['tool_choice']> {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

function personBlocks(message: Exclude<ModelMessage, { readonly role: 'assistant' }>): readonly ContentBlockParam[] {
  if (message.role === 'tool') {
    const images = (message.images ?? []).map(imageBlock);
    const content = images.length === 0 ? message.text : [...textBlocks(message.text), ...images];
    const result: ToolResultBlockParam = { type: 'tool_result', tool_use_id: message.callId, content };
    return [isFailure(message.text) ? { ...result, is_error: true } : result];
  }
  const images = message.role === 'user' ? (message.images ?? []) : [];
  return [...textBlocks(message.text), ...images.map(imageBlock)];
}

/** Our results say so themselves. */
function isFailure(text: string): boolean {
  return text.startsWith('{"success":false');
}

/** Empty texts are refused. */
function textBlocks(text: string): readonly TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function imageBlock({ mediaType, data }: ModelImage): ImageBlockParam {
  // Other media types are refused by the provider in words of its own.
  return { type: 'image', source: { type: 'base64', media_type: mediaType as 'image/png', data } };
}

/** In the order that the provider wrote; a reply of another provider as plain text and calls. */
function replyBlocks(
  message: ModelMessage & { readonly role: 'assistant' },
  provider: string,
  model: string,
): readonly ContentBlockParam[] {
  const calls = [...(message.calls ?? [])];
  const parts = signedParts(message, { dialect: 'messages', provider, model });
  if (!parts) return [...textBlocks(message.text), ...calls.map(callBlock)];
  const blocks: ContentBlockParam[] = [];
  let rest = message.text;
  for (const part of parts) {
    if (part.type === 'reasoning')
      blocks.push(part.raw as unknown as ContentBlockParam); // as it came
    else if (part.type === 'text') {
      blocks.push(...textBlocks(rest.slice(0, part.chars)));
      rest = rest.slice(part.chars);
    } else {
      const call = calls.shift();
      if (call) blocks.push(callBlock(call));
    }
  }
  blocks.push(...textBlocks(rest), ...calls.map(callBlock));
  // A reply of thinking alone (it was stopped) cannot stand in a conversation.
  return blocks.every(({ type }) => type === 'thinking' || type === 'redacted_thinking') ? [] : blocks;
}

function callBlock({ id, name, argumentsText }: ModelCall): ContentBlockParam {
  const input = parseCallArguments(argumentsText);
  return { type: 'tool_use', id, name, input: input.ok ? input.value : { unreadable: argumentsText } };
}
