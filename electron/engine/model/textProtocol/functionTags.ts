import type { ToolSpec } from '../port.ts';
import { parseLoose } from './looseJson.ts';
import { bad, type CallReading, isPlainObject } from './reply.ts';

export interface TagReading {
  readonly reading: CallReading;
  /** The index behind the call. */
  readonly end: number;
}

const opening = /<function(?:=\s*([^\s>]{1,200})\s*|\s+name\s*=\s*"([^"<>]{1,200})"\s*)>/iy;
const parameter = /\s*<parameter(?:=\s*([^\s>]{1,200})\s*|\s+name\s*=\s*"([^"<>]{1,200})"\s*)>/iy;
const closing = /\s*<\/function>/iy;

/**
 * `<function=NAME>{…}</function>` (Llama, also `<function name="NAME">`) and Qwen's `<function=NAME><parameter=KEY>value
 * </parameter>…</function>`, from the opening tag at `from`. Undefined when there is no such tag; a call whose end is
 * missing is an error, because its last value may be cut off.
 */
export function readFunctionTag(text: string, from: number, tools: readonly ToolSpec[]): TagReading | undefined {
  const open = matchAt(opening, text, from);
  if (!open) return undefined;
  const tool = unquoted(open[1] ?? open[2] ?? '');
  const at = from + open[0].length;
  if (tool === '') return { reading: bad('empty_tool_name'), end: at };
  if (matchAt(parameter, text, at)) return readParameters(text, at, tool, tools);

  const close = findFrom(/<\/function>/gi, text, at);
  if (!close) return { reading: bad('unclosed_tool_call', 'missing </function>'), end: text.length };
  const end = close.index + close[0].length;
  const body = text.slice(at, close.index).trim();
  if (body === '') return { reading: call(tool, {}, ['function_tag']), end };
  const parsed = parseLoose(body, true);
  if (!parsed.ok) return { reading: bad('json_decode_error', parsed.why), end };
  if (!isPlainObject(parsed.value)) return { reading: bad('invalid_arguments'), end };
  return { reading: call(tool, parsed.value, ['function_tag', ...parsed.repairs]), end };
}

function readParameters(text: string, from: number, tool: string, tools: readonly ToolSpec[]): TagReading {
  const entries: [string, unknown][] = [];
  let at = from;
  for (;;) {
    const close = matchAt(closing, text, at);
    if (close) {
      const reading = call(tool, Object.fromEntries(entries), ['function_tag', 'parameter_tags']);
      return { reading, end: at + close[0].length };
    }
    const open = matchAt(parameter, text, at);
    if (!open) return { reading: bad('unclosed_tool_call', 'missing </function>'), end: text.length };
    at += open[0].length;
    const end = endOfParameter(text, at);
    if (!end) return { reading: bad('unclosed_tool_call', 'missing </parameter>'), end: text.length };
    // A parameter inside a value: the end of one before it is missing or dirty, and no guess is safe.
    if (/<parameter[=\s]/i.test(text.slice(at, end.start))) {
      return { reading: bad('unclosed_tool_call', 'text between the parameters'), end: end.end };
    }
    const key = unquoted(open[1] ?? open[2] ?? '');
    entries.push([key, valueOf(text.slice(at, end.start), schemaOf(tools, tool, key))]);
    at = end.end;
  }
}

/** The closing tag that is followed by the next parameter or the end of the call: a value may mention the tag itself. */
function endOfParameter(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  const tag = /<\/parameter>(?=\s*(?:<parameter[=\s]|<\/function>))/gi;
  const found = findFrom(tag, text, from);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/** Values are text between tags, on lines of their own. The tool's schema says what they mean; without one, JSON is taken as JSON. */
function valueOf(text: string, schema: unknown): unknown {
  const value = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  const types = isPlainObject(schema) ? [schema.type].flat() : undefined;
  if (types?.includes('string')) return value;
  const parsed = parseLoose(value, false);
  return parsed.ok && typeof parsed.value !== 'string' ? parsed.value : value;
}

function schemaOf(tools: readonly ToolSpec[], tool: string, key: string): unknown {
  const parameters = tools.find((known) => known.name === tool)?.parameters;
  const properties = isPlainObject(parameters) ? parameters.properties : undefined;
  return isPlainObject(properties) ? properties[key] : undefined;
}

function call(tool: string, given: Readonly<Record<string, unknown>>, repairs: readonly string[]): CallReading {
  return { ok: true, call: { tool, arguments: given }, repairs };
}

function unquoted(name: string): string {
  return name.replace(/^["']|["']$/g, '').trim();
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function findFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
