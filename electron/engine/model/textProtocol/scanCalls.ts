import type { ToolSpec } from '../base/port.ts';
import { replyBounds } from '../wire/replyBounds.ts';
import { readAnyCall } from './callObject.ts';
import { elementMarks, readElementCall } from './elementCall.ts';
import { readFunctionTag, type TagReading } from './functionTags.ts';
import { gemmaMarks, readGemmaCall } from './gemmaCall.ts';
import { readGlmCall } from './glmCall.ts';
import { kimi3Marks, readKimi3Call } from './kimi3Call.ts';
import { listMarks, readListedCalls } from './listedCalls.ts';
import { endOfValue, parseLoose } from './looseJson.ts';
import { nestedMarks, readNestedCall } from './nestedXml.ts';
import { readPythonic, readPythonLines } from './pythonic.ts';
import { bad, type ReadReply, type TextCall } from './reply.ts';
import { createShownText } from './shownText.ts';
import { readTokenCall, tokenMarks, withoutTokens } from './tokenCall.ts';

/** Where a call may begin, or a fence whose content is only shown. */
const marks = new RegExp(
  String.raw`^[ \t]*(\`{3,}|~{3,})|<tool_call>|<\/tool_call>|<(?:function[=\s]|(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?invoke\s)|<function_calls>(?=\s*[A-Za-z_])|<\|python_tag\|>(?=\s*[A-Za-z_])|${listMarks}|${gemmaMarks}|${kimi3Marks}|${nestedMarks}|<(tools?|response|json|xml|function_call)>|${tokenMarks}|\[(?=\s*[A-Za-z_])`,
  'gim',
);

/** The calls of a text and what is left of it, or the first error. */
export type FoundCalls =
  | {
      readonly ok: true;
      readonly calls: readonly TextCall[];
      readonly content: string;
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly error: NonNullable<ReadReply['error']>; readonly detail?: string };

/** Finds the calls in a text, whatever stands between them: what stands in a fence or in backquotes is only shown. */
export function scanCalls(text: string, tools: readonly ToolSpec[]): FoundCalls {
  return new Scan(text, tools).run();
}

/** One pass from mark to mark. */
class Scan {
  readonly #text: string;
  readonly #tools: readonly ToolSpec[];
  readonly #calls: TextCall[] = [];
  readonly #repairs: string[] = [];
  /** Characters that failed readings may still cost, so that no text takes more than linear time. */
  #budget: number;

  constructor(text: string, tools: readonly ToolSpec[]) {
    this.#text = text;
    this.#tools = tools;
    this.#budget = 4 * text.length + 10_000;
  }

  run(): FoundCalls {
    const text = this.#text;
    let content = '';
    let from = 0;
    let stray = false;
    let quoted = false;
    const shown = createShownText(text);
    const elements = elementMarks(text, this.#tools);
    const pattern = elements === undefined ? new RegExp(marks) : new RegExp(`${marks.source}|${elements}`, marks.flags);
    for (let mark = pattern.exec(text); mark; mark = pattern.exec(text)) {
      const fence = mark[1];
      if (fence !== undefined) {
        pattern.lastIndex = endOfFence(text, mark.index + mark[0].length, fence);
        continue;
      }
      const tag = mark[0].toLowerCase();
      if (tag === '</tool_call>') {
        stray ||= this.#calls.length === 0 && !quoted;
        quoted = false;
        // Qwen forgets the opening tag: the closing one right behind a call is part of it.
        if (this.#calls.length > 0 && text.slice(from, mark.index).trim() === '') from = pattern.lastIndex;
        continue;
      }
      if (text[mark.index - 1] === '`') {
        quoted = true; // only mentioned in prose
        continue;
      }
      // An example, a quote or something folded away: shown to the person, and no call.
      if (shown.isShown(from, mark.index)) {
        quoted = true;
        continue;
      }
      const found = this.#read(mark.index, mark.index + mark[0].length, tag, mark[2]);
      if (!found) continue;
      if ('error' in found) {
        // A tag without its partner beside whole calls is a stray one, as in the strict form: nothing of it is run.
        if (found.error === 'unclosed_tool_call' && tag === '<tool_call>' && !found.detail && this.#calls.length > 0)
          break;
        return { ok: false, ...found };
      }
      this.#calls.push(...found.calls);
      this.#repairs.push(...found.repairs);
      // No honest reply has so many, and reading on would hold everything else up for minutes.
      if (this.#calls.length > replyBounds.calls)
        return { ok: false, error: 'invalid_structure', detail: `more than ${replyBounds.calls} calls` };
      content += text.slice(from, mark.index);
      from = found.end;
      pattern.lastIndex = from;
    }
    if (this.#calls.length === 0 && stray) return { ok: false, error: 'unclosed_tool_call' };
    return {
      ok: true,
      calls: this.#calls,
      content: this.#withoutMarkers(content + text.slice(from)).trim(),
      repairs: this.#repairs,
    };
  }

  #read(start: number, inner: number, tag: string, wrapper: string | undefined): Piece | undefined {
    if (tag === '[') return this.#list(start);
    if (wrapper !== undefined) return this.#wrapped(inner, wrapper);
    if (tag === '<tool_call>') return this.#block(inner);
    const special =
      readListedCalls(this.#text, start) ??
      readGemmaCall(this.#text, start, this.#tools) ??
      readKimi3Call(this.#text, start) ??
      readNestedCall(this.#text, start, this.#tools) ??
      readTokenCall(this.#text, start);
    if (special) return special;
    if (tag === '<function_calls>') return this.#lines(inner, '</function_calls>');
    if (tag === '<|python_tag|>') return this.#builtIn(inner);
    const call = readFunctionTag(this.#text, start, this.#tools) ?? readElementCall(this.#text, start, this.#tools);
    return call && pieceOf(call);
  }

  /** Inside `<tool_call>`: a call object of any form, or a function tag. */
  #block(inner: number): Piece {
    const text = this.#text;
    const at = inner + (/^\s*/.exec(text.slice(inner, inner + 1_000))?.[0].length ?? 0);
    const glm = readGlmCall(text, at, this.#tools);
    if (glm) return pieceOf(glm);
    const asFunction = readFunctionTag(text, at, this.#tools);
    if (asFunction) {
      const close = /\s*<\/tool_call>/iy;
      close.lastIndex = asFunction.end;
      const end = close.exec(text) ? close.lastIndex : asFunction.end;
      return pieceOf({ ...asFunction, end });
    }
    const closing = /<\/tool_call>/gi;
    closing.lastIndex = inner;
    let close = closing.exec(text);
    if (!close) return this.#unclosed(inner);
    let parsed = parseLoose(text.slice(inner, close.index), true);
    const repairs: string[] = [];
    if (!parsed.ok) {
      // A closing tag inside a string: the block ends behind its value.
      const end = endOfValue(text, at);
      const why = parsed.why;
      closing.lastIndex = Math.max(end, close.index);
      const outer = end > close.index ? closing.exec(text) : null;
      if (!outer || text.slice(end, outer.index).trim() !== '') return { error: 'json_decode_error', detail: why };
      parsed = parseLoose(text.slice(inner, outer.index), true);
      if (!parsed.ok) return { error: 'json_decode_error', detail: why };
      repairs.push('closing_tag_in_string');
      close = outer;
    }
    const listed = listOf(parsed.value);
    if (listed)
      return {
        calls: listed.calls,
        repairs: [...repairs, ...parsed.repairs, ...listed.repairs],
        end: close.index + close[0].length,
      };
    const reading =
      readAnyCall(parsed.value, false) ?? bad(Array.isArray(parsed.value) ? 'invalid_structure' : 'unknown_type');
    const named = reading.ok || typeof parsed.value === 'object' ? reading : bad('invalid_structure');
    return pieceOf({ reading: named, end: close.index + close[0].length }, [...repairs, ...parsed.repairs]);
  }

  /** No closing tag: good only when the text ends with one whole call object. */
  #unclosed(inner: number): Piece {
    const parsed = parseLoose(this.#text.slice(inner), true);
    const listed = parsed.ok ? listOf(parsed.value) : undefined;
    if (listed) return { ...listed, repairs: ['missing_closing_tag', ...listed.repairs], end: this.#text.length };
    const reading = parsed.ok ? readAnyCall(parsed.value, false) : undefined;
    if (!parsed.ok || !reading) return { error: 'unclosed_tool_call' };
    return pieceOf({ reading, end: this.#text.length }, ['missing_closing_tag', ...parsed.repairs]);
  }

  /** Other tags mean a call only around a call object: they are too common in prose and markup. */
  #wrapped(inner: number, name: string): Piece | undefined {
    const text = this.#text;
    const at = inner + (/^\s*/.exec(text.slice(inner, inner + 1_000))?.[0].length ?? 0);
    if (text[at] !== '{' && text[at] !== '[') return undefined;
    const end = endOfValue(text, at, at + this.#budget);
    this.#budget -= (end === -1 ? text.length : end) - at;
    if (end === -1) return undefined;
    const close = new RegExp(`\\s*</${name}>`, 'iy');
    close.lastIndex = end;
    const closed = close.exec(text);
    const parsed = parseLoose(text.slice(at, end), true);
    if (!closed || !parsed.ok) return undefined;
    const values = Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : [parsed.value];
    const calls: TextCall[] = [];
    const repairs: string[] = ['wrapper_tag', ...parsed.repairs];
    for (const value of values) {
      const reading = readAnyCall(value, true);
      if (!reading?.ok || !this.#isKnown(reading.call.tool)) return undefined;
      calls.push(reading.call);
      repairs.push(...reading.repairs);
    }
    return calls.length === 0 ? undefined : { calls, repairs, end: end + closed[0].length };
  }

  /** Calls in the manner of Python between two tags (Olmo). */
  #lines(inner: number, close: string): Piece | undefined {
    const lines = readPythonLines(this.#text, inner);
    if (!lines) return undefined;
    const rest = /^\s*/.exec(this.#text.slice(lines.end, lines.end + 1_000))?.[0].length ?? 0;
    const end = lines.end + rest;
    if (!this.#text.startsWith(close, end)) return { error: 'unclosed_tool_call', detail: `missing ${close}` };
    return { calls: lines.calls, repairs: ['pythonic'], end: end + close.length };
  }

  /** Llama's own tools: `<|python_tag|>NAME.call(query="…")`. */
  #builtIn(inner: number): Piece | undefined {
    const lines = readPythonLines(this.#text, inner);
    const [first, ...more] = lines?.calls ?? [];
    const name = first && /^([\w-]+)\.call$/.exec(first.tool)?.[1];
    if (!lines || !name || more.length > 0) return undefined;
    return { calls: [{ tool: name, arguments: first.arguments }], repairs: ['llama3', 'pythonic'], end: lines.end };
  }

  #list(start: number): Piece | undefined {
    const text = this.#text;
    // `x[f(a=1)]` is an index, `"[f(a=1)]"` a quotation.
    if (/[\w\])"'`!]/.test(text[start - 1] ?? '')) return undefined;
    const list = readPythonic(text, start);
    if (!list || text[list.end] === '(' || text[list.end] === '`') return undefined;
    // Behind or before words only a tool that exists is called without arguments.
    const alone = start === 0 && list.end === text.length;
    const plain =
      !alone && this.#tools.length === 0 && list.calls.some((call) => Object.keys(call.arguments).length === 0);
    if (plain || !list.calls.every((call) => this.#isKnown(call.tool))) return undefined;
    return { calls: list.calls, repairs: ['pythonic'], end: list.end };
  }

  /** Llama puts its list of calls between two marker tokens, others have tokens and tags around theirs. */
  #withoutMarkers(content: string): string {
    const left = this.#repairs.includes('pythonic') ? content.replace(/<\|python_(?:start|end|tag)\|>/g, '') : content;
    return this.#calls.length > 0 ? withoutTokens(left) : left;
  }

  #isKnown(tool: string): boolean {
    return this.#tools.length === 0 || this.#tools.some((known) => known.name === tool);
  }
}

type Piece =
  | { readonly calls: readonly TextCall[]; readonly repairs: readonly string[]; readonly end: number }
  | { readonly error: NonNullable<ReadReply['error']>; readonly detail?: string };

function pieceOf({ reading, end }: TagReading, repairs: readonly string[] = []): Piece {
  if (reading.ok) return { calls: [reading.call], repairs: [...repairs, ...reading.repairs], end };
  return reading.detail === undefined ? { error: reading.error } : { error: reading.error, detail: reading.detail };
}

/** A list of nothing but call objects (Granite, xLAM). */
function listOf(
  value: unknown,
): { readonly calls: readonly TextCall[]; readonly repairs: readonly string[] } | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const readings = (value as readonly unknown[]).map((one) => readAnyCall(one, true));
  const calls: TextCall[] = [];
  const repairs: string[] = [];
  for (const reading of readings) {
    if (!reading?.ok) return undefined;
    calls.push(reading.call);
    repairs.push(...reading.repairs);
  }
  return { calls, repairs };
}

/** Behind the closing line of a fence; a fence that is never closed reaches to the end. */
function endOfFence(text: string, from: number, fence: string): number {
  const close = new RegExp(`^[ \\t]*${fence[0] === '~' ? '~' : '`'}{${Math.min(fence.length, 50)},}[ \\t]*$`, 'gm');
  close.lastIndex = Math.max(from, text.indexOf('\n', from));
  return close.exec(text) ? close.lastIndex : text.length;
}
