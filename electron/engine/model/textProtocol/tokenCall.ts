import type { ReplyError } from '../base/port.ts';
import { readAnyCall } from './callObject.ts';
import { endOfValue, parseLoose } from './looseJson.ts';
import { bad, type CallReading, isPlainObject, type TextCall } from './reply.ts';

export type TokenPiece =
  | { readonly calls: readonly TextCall[]; readonly repairs: readonly string[]; readonly end: number }
  | { readonly error: ReplyError; readonly detail?: string };

/** Where one of the forms below begins: special tokens of a model that its server has not translated. */
export const tokenMarks = String.raw`\[TOOL_CALLS\]|<｜tool▁call▁begin｜>|<\|tool_call_begin\|>|<\|tool_call:begin\|>|<｜tool▁calls▁begin｜>(?=\s*function<)`;

interface TokenForm {
  readonly repair: string;
  /** The tool's name and everything before its arguments. */
  readonly head: RegExp;
  /** What must follow the arguments, where the form has an end of its own. */
  readonly tail: RegExp | undefined;
}

const forms: readonly TokenForm[] = [
  // Mistral since v11: [TOOL_CALLS]name[CALL_ID]id[ARGS]{…}, once a call.
  {
    repair: 'mistral',
    head: /\[TOOL_CALLS\]\s*([\w.-]{1,200})(?:\[CALL_ID\]\s*[\w-]{1,100})?(?:\[ARGS\])?\s*(?=\{)/y,
    tail: undefined,
  },
  // DeepSeek V3 and R1 (function<sep>name, arguments in a fence), V3.1 (name<sep>arguments).
  {
    repair: 'deepseek',
    head: /<｜tool▁call▁begin｜>\s*(?:function<｜tool▁sep｜>)?([\w.-]{1,200})\s*(?:<｜tool▁sep｜>|\n)\s*(?:```json\s*)?(?=\{)/y,
    tail: /\s*(?:```)?\s*<｜tool▁call▁end｜>/y,
  },
  // Distilled ones forget the tokens around a single call.
  {
    repair: 'deepseek',
    head: /<｜tool▁calls▁begin｜>\s*function<｜tool▁sep｜>([\w.-]{1,200})\s*```json\s*(?=\{)/y,
    tail: /\s*```\s*(?:<｜tool▁call▁end｜>)?(?=\s*<｜tool▁calls▁end｜>|\s*$)/y,
  },
  // Kimi K2: functions.name:0<argument token>arguments.
  {
    repair: 'kimi',
    head: /<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]{1,200}?)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)/y,
    tail: /\s*<\|tool_call_end\|>/y,
  },
  // Solar: an id, then the name, then the arguments.
  {
    repair: 'solar',
    head: /<\|tool_call:begin\|>\s*[\w-]{0,100}\s*<\|tool_call:name\|>\s*([\w.-]{1,200})\s*<\|tool_call:args\|>\s*(?=\{)/y,
    tail: /\s*<\|tool_call:end\|>/y,
  },
];

/** Tokens that only stand around such calls. */
const around =
  /\[\/TOOL_CALLS\]|<｜tool[▁_]calls?[▁_](?:begin|end)｜>|(?:function)?<｜tool[▁_]sep｜>[\w.-]*|<｜end▁of▁sentence｜>|<\|tool_calls_section_(?:begin|end)\|>|<\/?(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)(?:function_calls|tool_calls?)>|<\/?(?:function|tool)_calls>|<\|(?:open|close)\|>(?:tools|response|message)<\|sep\|>|<\|python_tag\|>|<\|(?:START|END)_(?:RESPONSE|TEXT)\|>|\]<\]minimax\[>\[<\/?tool_calls?>/gi;

/**
 * A call written with a model's special tokens, from the mark at `from`; undefined when what follows is no call (the token
 * was only mentioned). Arguments that are cut off or not closed are an error.
 */
export function readTokenCall(text: string, from: number): TokenPiece | undefined {
  const list = /\[TOOL_CALLS\]\s*(?=\[\s*\{|\{)/y;
  list.lastIndex = from;
  const listed = list.exec(text);
  if (listed) return readList(text, from + listed[0].length);
  for (const { repair, head, tail } of forms) {
    head.lastIndex = from;
    const open = head.exec(text);
    if (!open) continue;
    const at = from + open[0].length;
    const end = endOfValue(text, at);
    if (end === -1) return { error: 'unclosed_tool_call', detail: 'the arguments do not end' };
    if (tail) tail.lastIndex = end;
    const close = tail?.exec(text);
    if (close === null) return { error: 'unclosed_tool_call', detail: 'the call does not end' };
    const reading = readArguments(open[1] ?? '', text.slice(at, end));
    if (!reading.ok) return pieceError(reading);
    return { calls: [reading.call], repairs: [repair, ...reading.repairs], end: end + (close?.[0].length ?? 0) };
  }
  return undefined;
}

export function withoutTokens(content: string): string {
  return content.replace(around, '');
}

/** Mistral before v11: one list of call objects. */
function readList(text: string, at: number): TokenPiece {
  const end = endOfValue(text, at);
  if (end === -1) return { error: 'unclosed_tool_call', detail: 'the list of calls does not end' };
  const parsed = parseLoose(text.slice(at, end), true);
  if (!parsed.ok) return { error: 'json_decode_error', detail: parsed.why };
  const values = Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : [parsed.value];
  const calls: TextCall[] = [];
  const repairs = ['mistral', ...parsed.repairs];
  for (const value of values) {
    const reading = readAnyCall(value, true) ?? bad(isPlainObject(value) ? 'unknown_type' : 'invalid_structure');
    if (!reading.ok) return pieceError(reading);
    calls.push(reading.call);
    repairs.push(...reading.repairs);
  }
  return { calls, repairs, end };
}

function readArguments(tool: string, text: string): CallReading {
  const parsed = parseLoose(text, true);
  if (!parsed.ok) return bad('json_decode_error', parsed.why);
  if (!isPlainObject(parsed.value)) return bad('invalid_arguments');
  return { ok: true, call: { tool, arguments: parsed.value }, repairs: parsed.repairs };
}

function pieceError(reading: Extract<CallReading, { readonly ok: false }>): TokenPiece {
  return reading.detail === undefined ? { error: reading.error } : { error: reading.error, detail: reading.detail };
}
