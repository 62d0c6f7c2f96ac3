import type { ModelMessage, ModelRequest, ToolSpec } from '../model/base/port.ts';

/** How many tokens a request has. An estimate by characters, corrected by what the provider counted for earlier ones. */
export interface ContextMeter {
  estimate(request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number;
  /** Tokens of a text of its own. */
  ofText(text: string): number;
  /** The provider counted this many input tokens for this request; 0 teaches nothing. */
  learn(request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>, inputTokens: number): void;
}

/** Four characters of a Western text make about a token; most other characters are one of their own. */
const charsPerToken = 4;
const tokensPerOtherChar = 0.75;
/** What role marks and separators cost (OpenAI's cookbook counts 3 to 4 a message). */
const tokensPerMessage = 4;
/** A picture of usual size at high detail. */
export const tokensPerImage = 1_100;
/** A count that is further off than this is no count of the same text (a cache figure, a proxy's invention). */
const sanity = { least: 0.3, most: 3 };

export function createContextMeter(): ContextMeter {
  const messages = new WeakMap<ModelMessage, number>();
  const counted: ModelMessage[] = [];
  /** Tokens up to and with each of them. */
  const sums: number[] = [];
  const toolLists = new WeakMap<readonly ToolSpec[], number>();
  let system = { text: '', tokens: 0 };
  let factor = 1;

  const ofMessage = (message: ModelMessage): number => {
    const known = messages.get(message);
    if (known !== undefined) return known;
    let tokens = tokensPerMessage + rawTokens(message.text);
    if (message.role === 'assistant') {
      for (const call of message.calls ?? [])
        tokens += rawTokens(call.name) + rawTokens(call.argumentsText) + tokensPerMessage;
      tokens += rawTokens(message.reasoning ?? '');
    } else if ('images' in message) tokens += (message.images?.length ?? 0) * tokensPerImage;
    messages.set(message, tokens);
    return tokens;
  };
  /** A conversation grows at its end: what it began with the last time is not counted again. */
  const ofMessages = (given: readonly ModelMessage[]): number => {
    let same = 0;
    while (same < counted.length && counted[same] === given[same]) same += 1;
    counted.length = same;
    sums.length = same;
    let sum = sums[same - 1] ?? 0;
    for (const message of given.slice(same)) {
      sum += ofMessage(message);
      counted.push(message);
      sums.push(sum);
    }
    return sum;
  };
  const raw: ContextMeter['estimate'] = (request) => {
    if (system.text !== request.system) system = { text: request.system, tokens: rawTokens(request.system) };
    let tools = toolLists.get(request.tools);
    if (tools === undefined) {
      tools = rawTokens(JSON.stringify(request.tools));
      toolLists.set(request.tools, tools);
    }
    return ofMessages(request.messages) + system.tokens + tools;
  };
  return {
    estimate: (request) => Math.ceil(raw(request) * factor),
    ofText: (text) => Math.ceil(rawTokens(text) * factor),
    learn(request, inputTokens) {
      const estimated = raw(request);
      if (inputTokens <= 0 || estimated <= 0) return;
      const measured = inputTokens / estimated;
      if (measured >= sanity.least && measured <= sanity.most) factor = measured;
    },
  };
}

function rawTokens(text: string): number {
  let other = 0;
  // 0x2E80 on: the scripts that are written without blanks between words.
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) >= 0x2e80) other += 1;
  return (text.length - other) / charsPerToken + other * tokensPerOtherChar;
}
