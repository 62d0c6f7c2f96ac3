import { fail, ok, type Result } from '../../../shared/result.ts';
import { findJsonFault } from './jsonFault.ts';

export interface ScriptedReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[];
  /** Milliseconds before the reply begins. */
  readonly delayMs: number;
  /** Characters of text in one event. */
  readonly chunk: number;
}

const defaultChunk = 20;
const example = '{"replies": [{"text": "Hello."}]}';

/**
 * Reads a script of model replies. CONFIG_INVALID names the file, the line or the field, and what belongs
 * there. Unknown fields are ignored, so that a script may carry notes.
 */
export function readScript(text: string, file: string): Result<readonly ScriptedReply[]> {
  const plain = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    const found = findJsonFault(plain);
    const where = found ? `line ${found.line}, column ${found.column} is not valid JSON (${found.why})` : String(error);
    return wrong(file, where);
  }
  const replies = isObject(value) ? value.replies : undefined;
  if (!Array.isArray(replies)) return wrong(file, 'replies is missing or no list');
  const read: ScriptedReply[] = [];
  for (const [index, reply] of (replies as readonly unknown[]).entries()) {
    const at = `replies[${index}]`;
    const result = readReplyEntry(reply, at);
    if (typeof result === 'string') return wrong(file, result);
    read.push(result);
  }
  return ok(read);
}

function wrong(file: string, what: string): Result<never> {
  return fail('CONFIG_INVALID', `Script ${file}: ${what}. A script looks like ${example}.`);
}

/** The reply, or what is wrong with it. */
function readReplyEntry(value: unknown, at: string): ScriptedReply | string {
  if (!isObject(value)) return `${at} must be an object`;
  for (const key of ['text', 'reasoning'] as const) {
    if (value[key] !== undefined && typeof value[key] !== 'string') return `${at}.${key} must be a text`;
  }
  if (value.delayMs !== undefined && !isCount(value.delayMs, 0))
    return `${at}.delayMs must be a number of milliseconds`;
  if (value.chunk !== undefined && !isCount(value.chunk, 1)) return `${at}.chunk must be a whole number from 1`;
  if (value.calls !== undefined && !Array.isArray(value.calls)) return `${at}.calls must be a list`;
  const calls = (value.calls ?? []) as readonly unknown[];
  for (const [index, call] of calls.entries()) {
    if (!isObject(call)) return `${at}.calls[${index}] must be an object`;
    if (typeof call.tool !== 'string' || call.tool === '') return `${at}.calls[${index}].tool must name a tool`;
    if (call.input !== undefined && !isObject(call.input)) return `${at}.calls[${index}].input must be an object`;
  }
  if (value.text === undefined && value.reasoning === undefined && value.calls === undefined) {
    return `${at} has none of text, reasoning and calls`;
  }
  return {
    text: typeof value.text === 'string' ? value.text : '',
    reasoning: typeof value.reasoning === 'string' ? value.reasoning : '',
    calls: calls.filter(isObject).map((call) => ({ tool: String(call.tool), input: call.input ?? {} })),
    delayMs: typeof value.delayMs === 'number' ? value.delayMs : 0,
    chunk: typeof value.chunk === 'number' ? value.chunk : defaultChunk,
  };
}

function isCount(value: unknown, from: number): boolean {
  return (
    typeof value === 'number' && Number.isFinite(value) && value >= from && (from === 0 || Number.isInteger(value))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
