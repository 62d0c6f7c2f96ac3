import type { ToolSpec } from '../base/port.ts';
import { schemaOf, valueOf } from './functionTags.ts';
import type { TokenPiece } from './tokenCall.ts';

const opening = /(?:<start_function_call>|<\|tool_call>)\s*call:([\w.-]{1,200})\s*(?=\{)/y;
const closing = /\s*(?:<end_function_call>|<tool_call\|>)/y;
const maxDepth = 32;

/** Where a call of Gemma's begins. */
export const gemmaMarks = String.raw`<start_function_call>|<\|tool_call>`;

/**
 * Gemma's own notation: `<start_function_call>call:NAME{key:<escape>text<escape>,n:3}<end_function_call>`, and since
 * Gemma 4 `<|tool_call>call:NAME{key:<|"|>text<|"|>}<tool_call|>`. Undefined when it is something else; a call that does
 * not end is an error.
 */
export function readGemmaCall(text: string, from: number, tools: readonly ToolSpec[]): TokenPiece | undefined {
  opening.lastIndex = from;
  const open = opening.exec(text);
  if (!open) return undefined;
  const tool = open[1] ?? '';
  const reader = new GemmaReader(text, from + open[0].length, (key, value) =>
    valueOf(value, schemaOf(tools, tool, key)),
  );
  const given = reader.object(0);
  closing.lastIndex = reader.at;
  const close = given && closing.exec(text);
  if (!given || !close) return { error: 'unclosed_tool_call', detail: 'the call does not end' };
  return { calls: [{ tool, arguments: given }], repairs: ['gemma'], end: reader.at + close[0].length };
}

class GemmaReader {
  at: number;
  readonly #text: string;
  readonly #escaped: (key: string, value: string) => unknown;

  constructor(text: string, at: number, escaped: (key: string, value: string) => unknown) {
    this.#text = text;
    this.at = at;
    this.#escaped = escaped;
  }

  object(depth: number): Record<string, unknown> | undefined {
    const entries: [string, unknown][] = [];
    this.at += 1; // the brace
    for (;;) {
      this.#take(/[\s,]*/y);
      if (this.#text[this.at] === '}') {
        this.at += 1;
        return Object.fromEntries(entries);
      }
      const key = this.#take(/(?:<\|"\|>|<escape>)?([\w.$-]{1,200})(?:<\|"\|>|<escape>)?\s*:\s*/y)?.[1];
      if (key === undefined) return undefined;
      const value = this.#value(key, depth + 1);
      if (!value) return undefined;
      entries.push([key, value.is]);
    }
  }

  #value(key: string, depth: number): { readonly is: unknown } | undefined {
    if (depth > maxDepth) return undefined;
    if (this.#text[this.at] === '{') {
      const is = this.object(depth);
      return is && { is };
    }
    if (this.#text[this.at] === '[') return this.#list(key, depth);
    const quote = this.#take(/<\|"\|>|<escape>/y)?.[0];
    if (quote !== undefined) {
      const end = this.#text.indexOf(quote, this.at);
      if (end === -1) return undefined;
      const value = this.#text.slice(this.at, end);
      this.at = end + quote.length;
      return { is: quote === '<escape>' ? this.#escaped(key, value) : value };
    }
    if (/[,}]/.test(this.#text[this.at] ?? '')) return { is: '' };
    const bare = this.#take(/[^,{}[\]<>]{1,10000}/y)?.[0].trim();
    return bare === undefined ? undefined : { is: plain(bare) };
  }

  #list(key: string, depth: number): { readonly is: unknown } | undefined {
    const items: unknown[] = [];
    this.at += 1; // the bracket
    for (;;) {
      this.#take(/[\s,]*/y);
      if (this.#text[this.at] === ']') {
        this.at += 1;
        return { is: items };
      }
      const item = this.#value(key, depth + 1);
      if (!item) return undefined;
      items.push(item.is);
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found) this.at += found[0].length;
    return found;
  }
}

function plain(word: string): unknown {
  if (word === 'true') return true;
  if (word === 'false') return false;
  if (/^(?:null|none|nil)$/i.test(word)) return null;
  return /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(word) ? Number(word) : word;
}
