import { readAnyCall } from './callObject.ts';
import { endOfValue, parseLoose } from './looseJson.ts';
import { readPythonic } from './pythonic.ts';
import { bad, type CallReading, isPlainObject, type TextCall } from './reply.ts';
import type { TokenPiece } from './tokenCall.ts';

interface ListForm {
  readonly repair: string;
  readonly open: RegExp;
  readonly close?: RegExp;
  /** Nobody writes this in prose: what follows and is broken is a broken call. Others must hold call objects to count at all. */
  readonly token: boolean;
  /** Granite leaves the closing tag away. */
  readonly alone?: true;
  /** The list may also hold calls in the manner of Python. */
  readonly pythonic?: true;
}

/** Call objects, one or many, behind an opening token of a model family. */
const forms: readonly ListForm[] = [
  { repair: 'granite', open: /<\|tool_call\|>\s*/y, token: true },
  { repair: 'tool_calls_tag', open: /<tool_calls>\s*/iy, close: /\s*<\/tool_calls>/iy, token: false },
  { repair: 'tool_calls_tag', open: /<toolcall>\s*/iy, close: /\s*<\/toolcall>/iy, token: false },
  { repair: 'wrapper_tag', open: /<function_call>\s*/iy, close: /\s*<\/function_call>/iy, token: false, alone: true },
  { repair: 'longcat', open: /<longcat_tool_call>\s*/y, close: /\s*<\/longcat_tool_call>/y, token: false },
  { repair: 'functools', open: /functools(?=\[)/y, token: false },
  {
    repair: 'internlm',
    open: /<\|action_start\|>\s*<\|plugin\|>\s*/y,
    close: /\s*<\|action_end\|>/y,
    token: true,
  },
  { repair: 'command_r', open: /<\|START_ACTION\|>\s*/y, close: /\s*<\|END_ACTION\|>/y, token: true },
  { repair: 'apertus', open: /<\|tools_prefix\|>\s*/y, close: /\s*<\|tools_suffix\|>/y, token: true },
  { repair: 'lfm2', open: /<\|tool_call_start\|>\s*/y, close: /\s*<\|tool_call_end\|>/y, token: true, pythonic: true },
  { repair: 'llama3', open: /<\|python_tag\|>\s*(?=[[{])/y, token: true },
  { repair: 'gigachat', open: /<\|function_call\|>\s*|function call<\|role_sep\|>\s*/y, token: true },
  { repair: 'hyperclova', open: / ?-> tool\/function_call\s*(?=\[)/y, token: true },
  { repair: 'pangu', open: /\[unused11\]\s*(?=\[)/y, close: /\s*\[unused12\]/y, token: true },
];

/** Where one of them may begin. */
export const listMarks = String.raw`<\|(?:tool_call|action_start|START_ACTION|tools_prefix|tool_call_start|python_tag|function_call)\|>|<(?:tool_calls|toolcall|function_call|longcat_tool_call)>|\bfunctools(?=\[)|function call<\|role_sep\|>|-> tool\/function_call|\[unused11\]`;

/** Begun like a list of calls: what only looks like it is not read further. */
const begun = /\s*\[?\s*\{\s*"(?:name|tool_name|tool_call_id|arguments|parameters|function|type|id)"\s*:/y;

/**
 * The calls behind an opening token at `from`; undefined when what follows is no list of calls and the token may be a word
 * of prose. What is cut off or broken behind a token that is none is an error.
 */
export function readListedCalls(text: string, from: number): TokenPiece | undefined {
  for (const form of forms) {
    const at = behind(form.open, text, from);
    if (at !== undefined) return readValues(form, text, at);
  }
  return undefined;
}

function readValues(form: ListForm, text: string, start: number): TokenPiece | undefined {
  if (form.pythonic && text[start] === '[' && !/^\[\s*\{/.test(text.slice(start, start + 100))) {
    const list = readPythonic(text, start);
    if (!list) return { error: 'unclosed_tool_call', detail: 'the list of calls cannot be read' };
    return { calls: list.calls, repairs: [form.repair, 'pythonic'], end: closedAt(form, text, list.end) ?? list.end };
  }
  if (!form.token && behind(begun, text, start) === undefined) return undefined;
  const calls: TextCall[] = [];
  const repairs: string[] = [form.repair];
  let at = start;
  while (text[at] === '{' || text[at] === '[') {
    const end = endOfValue(text, at);
    if (end === -1) return { error: 'unclosed_tool_call', detail: 'the calls do not end' };
    const parsed = parseLoose(text.slice(at, end), true);
    if (!parsed.ok) return { error: 'json_decode_error', detail: parsed.why };
    repairs.push(...parsed.repairs);
    for (const value of Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : [parsed.value]) {
      const reading = readListed(value, form.repair);
      if (!reading.ok) {
        if (!form.token) return undefined;
        return reading.detail === undefined
          ? { error: reading.error }
          : { error: reading.error, detail: reading.detail };
      }
      calls.push(reading.call);
      repairs.push(...reading.repairs);
    }
    at = end;
    if (closedAt(form, text, at) !== undefined) break;
    const next = behind(/\s*[;,]?\s*(?=[[{])/y, text, at);
    if (next === undefined) break;
    at = next;
  }
  const close = closedAt(form, text, at);
  // A plain tag needs its partner, or nothing behind it.
  if (!form.token && form.close && close === undefined && !form.alone && text.slice(at).trim() !== '') return undefined;
  if (calls.length === 0) return undefined;
  return { calls, repairs, end: close ?? at };
}

/** A call object of any form; Cohere says `tool_name`, Apertus writes `{NAME: arguments}`. */
function readListed(value: unknown, form: string): CallReading {
  if (isPlainObject(value)) {
    if (form === 'apertus') {
      const [entry, ...more] = Object.entries(value);
      if (entry && more.length === 0 && isPlainObject(entry[1]))
        return { ok: true, call: { tool: entry[0], arguments: entry[1] }, repairs: [] };
    }
    if ('tool_name' in value && 'parameters' in value)
      return readAnyCall({ name: value['tool_name'], arguments: value['parameters'] }, true) ?? bad('unknown_type');
  }
  return readAnyCall(value, true) ?? bad(isPlainObject(value) ? 'unknown_type' : 'invalid_structure');
}

function closedAt(form: ListForm, text: string, at: number): number | undefined {
  return form.close && behind(form.close, text, at);
}

function behind(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? at + found[0].length : undefined;
}
