import type { ContextUse } from '../../../shared/model/contextUse.ts';
import type { ModelMessage, ModelRequest } from '../model/base/port.ts';
import { encodingOf } from '../model/tokens/encodingOf.ts';
import type { TokenCounter } from '../model/tokens/tokenCounter.ts';
import { type ContextMeter, tokensPerImage } from './contextMeter.ts';

type Asked = Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'model'>;

/** Tokens of a request, exactly where the model's tokenizer is known. What has been counted of a conversation is kept. */
export interface ContextCounter {
  /** Undefined where the tokenizer is not known, or could not answer. */
  exactly(request: Asked): Promise<number | undefined>;
  /** What fills the window; `rules` is the part of the system text that the project wrote. */
  use(request: Asked, rules: string, limit: number): Promise<ContextUse>;
}

/** What role marks cost a message, and the beginning of the reply (OpenAI's cookbook, for all models since gpt-3.5). */
const tokensPerMessage = 3;

interface Counts {
  readonly isExact: boolean;
  readonly ofText: (text: string) => number;
  readonly ofMessage: (message: ModelMessage) => number;
}

export function createContextCounter(meter: ContextMeter, counter: () => TokenCounter): ContextCounter {
  const messages = new WeakMap<ModelMessage, number>();
  /** System text, rules, tools: few, and seldom new. */
  let texts = new Map<string, number>();
  let counted = '';

  const count = async (request: Asked, others: readonly string[]): Promise<Counts> => {
    const encoding = encodingOf(request.model);
    const newMessages = request.messages.filter((message) => !messages.has(message) || counted !== encoding);
    const newTexts = others.filter((text) => !texts.has(text) || counted !== encoding);
    const found =
      encoding && newMessages.length + newTexts.length > 0
        ? await counter().count(encoding, [...newMessages.map(textOf), ...newTexts])
        : [];
    if (!encoding || !found) {
      const ofText = (text: string): number => meter.ofText(text);
      return { isExact: false, ofText, ofMessage: (message) => meter.ofText(textOf(message)) + picturesOf(message) };
    }
    counted = encoding;
    for (const [index, message] of newMessages.entries())
      messages.set(message, (found[index] ?? 0) + tokensPerMessage + picturesOf(message));
    texts = new Map([
      ...others.flatMap((text): [string, number][] => (texts.has(text) ? [[text, texts.get(text) ?? 0]] : [])),
      ...newTexts.map((text, index): [string, number] => [text, found[newMessages.length + index] ?? 0]),
    ]);
    return {
      isExact: true,
      ofText: (text) => texts.get(text) ?? 0,
      ofMessage: (message) => messages.get(message) ?? 0,
    };
  };

  return {
    async exactly(request) {
      const tools = toolsText(request);
      const counts = await count(request, [request.system, tools]);
      if (!counts.isExact) return undefined;
      const own = counts.ofText(request.system) + counts.ofText(tools) + 2 * tokensPerMessage;
      return request.messages.reduce((sum, message) => sum + counts.ofMessage(message), own);
    },
    async use(request, rules, limit) {
      const tools = toolsText(request);
      const counts = await count(request, [request.system, rules, tools]);
      const sums = { person: 0, summary: 0, vise: 0, replies: 0, results: 0 };
      for (const message of request.messages) sums[kindOf(message)] += counts.ofMessage(message);
      const ruled = Math.min(counts.ofText(rules), counts.ofText(request.system));
      const parts: ContextUse['parts'] = [
        { kind: 'instructions', tokens: counts.ofText(request.system) - ruled },
        { kind: 'rules', tokens: ruled },
        { kind: 'tools', tokens: counts.ofText(tools) },
        { kind: 'summary', tokens: sums.summary },
        { kind: 'person', tokens: sums.person },
        { kind: 'vise', tokens: sums.vise },
        { kind: 'replies', tokens: sums.replies },
        { kind: 'results', tokens: sums.results },
      ];
      return {
        tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
        limit,
        counted: counts.isExact ? 'tokenizer' : 'estimate',
        parts,
      };
    },
  };
}

function toolsText({ tools }: Asked): string {
  return tools.length === 0 ? '' : JSON.stringify(tools);
}

function textOf(message: ModelMessage): string {
  if (message.role !== 'assistant') return message.text;
  const calls = (message.calls ?? []).map((call) => `${call.name}${call.argumentsText}`);
  return [message.text, ...calls].join('');
}

function picturesOf(message: ModelMessage): number {
  return 'images' in message ? (message.images?.length ?? 0) * tokensPerImage : 0;
}

function kindOf(message: ModelMessage): 'person' | 'summary' | 'vise' | 'replies' | 'results' {
  if (message.role === 'assistant') return 'replies';
  if (message.role === 'tool') return 'results';
  if (message.role === 'user' && message.origin === 'summary') return 'summary';
  return message.role === 'system' || message.origin === 'vise' ? 'vise' : 'person';
}
