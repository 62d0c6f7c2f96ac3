import type { ToolSpec } from '../base/port.ts';
import { parseLoose } from './looseJson.ts';
import { bad, type CallReading, isPlainObject } from './reply.ts';

export interface TagReading {
  readonly reading: CallReading;
  /** The index behind the call. */
  readonly end: number;
}

interface TagForm {
  readonly repair: string;
  readonly opening: RegExp;
  readonly closing: RegExp;
  /** The same, right here. */
  readonly closed: RegExp;
  readonly missing: string;
}

/** `<function=NAME>` (Llama, Qwen), also `<function name="NAME">`. */
const functionForm: TagForm = {
  repair: 'function_tag',
  opening: /<function(?:=\s*([^\s>]{1,200})\s*|\s+name\s*=\s*"([^"<>]{1,200})"\s*)>/iy,
  closing: /<\/function>/gi,
  closed: /\s*<\/function>/iy,
  missing: 'missing </function>',
};

/** `<invoke name="NAME">` (Claude, MiniMax, Step, DeepSeek 3.2, GigaChat 3.5), with or without a namespace. */
const invokeForm: TagForm = {
  repair: 'invoke_tag',
  opening: /<(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?invoke\s+name\s*=\s*"([^"<>]{1,200})"\s*>/iy,
  closing: /<\/(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?invoke>/gi,
  closed: /\s*<\/(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?invoke>/iy,
  missing: 'missing </invoke>',
};

const parameter =
  /\s*<(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?param(?:eter)?(?:=\s*([^\s>]{1,200})\s*|\s+name\s*=\s*"([^"<>]{1,200})"([^<>]{0,100}))>/iy;
const parameterEnd =
  /<\/(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?param(?:eter)?>(?=\s*(?:<(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?param(?:eter)?[=\s]|<\/function>|<\/(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?invoke>))/gi;

/**
 * `<function=NAME>{…}</function>` and `<function=NAME><parameter=KEY>value</parameter>…</function>`, or the same with
 * `invoke`, from the opening tag at `from`. Undefined when there is no such tag; a call whose end is missing is an error,
 * because its last value may be cut off.
 */
export function readFunctionTag(text: string, from: number, tools: readonly ToolSpec[]): TagReading | undefined {
  return readTag(functionForm, text, from, tools) ?? readTag(invokeForm, text, from, tools);
}

function readTag(form: TagForm, text: string, from: number, tools: readonly ToolSpec[]): TagReading | undefined {
  const open = matchAt(form.opening, text, from);
  if (!open) return undefined;
  const tool = unquoted(open[1] ?? open[2] ?? '');
  const at = from + open[0].length;
  if (tool === '') return { reading: bad('empty_tool_name'), end: at };
  if (matchAt(parameter, text, at)) return readParameters(form, text, at, tool, tools);

  const close = findFrom(form.closing, text, at);
  if (!close) return { reading: bad('unclosed_tool_call', form.missing), end: text.length };
  const end = close.index + close[0].length;
  const body = text.slice(at, close.index).trim();
  if (body === '') return { reading: call(tool, {}, [form.repair]), end };
  const parsed = parseLoose(body, true);
  if (!parsed.ok) return { reading: bad('json_decode_error', parsed.why), end };
  if (!isPlainObject(parsed.value)) return { reading: bad('invalid_arguments'), end };
  return { reading: call(tool, parsed.value, [form.repair, ...parsed.repairs]), end };
}

function readParameters(
  form: TagForm,
  text: string,
  from: number,
  tool: string,
  tools: readonly ToolSpec[],
): TagReading {
  const entries: [string, unknown][] = [];
  for (let at = from; ; ) {
    const close = matchAt(form.closed, text, at);
    if (close) {
      const reading = call(tool, Object.fromEntries(entries), [form.repair, 'parameter_tags']);
      return { reading, end: at + close[0].length };
    }
    const open = matchAt(parameter, text, at);
    if (!open) return { reading: bad('unclosed_tool_call', form.missing), end: text.length };
    at += open[0].length;
    const end = endOfParameter(text, at);
    if (!end) return { reading: bad('unclosed_tool_call', 'missing </parameter>'), end: text.length };
    // A parameter inside a value: the end of one before it is missing or dirty, and no guess is safe.
    if (/<(?:[a-z]{1,20}:|｜[A-Z]{2,8}｜)?param(?:eter)?[=\s]/i.test(text.slice(at, end.start))) {
      return { reading: bad('unclosed_tool_call', 'text between the parameters'), end: end.end };
    }
    const key = unquoted(open[1] ?? open[2] ?? '');
    const value = text.slice(at, end.start);
    // DeepSeek says of each value whether it is text; what is none is JSON.
    const isText = /\sstring="(true|false)"/.exec(open[3] ?? '')?.[1];
    const schema = isText === 'true' ? { type: 'string' } : schemaOf(tools, tool, key);
    const json = isText === 'false' ? parseLoose(value, true) : undefined;
    entries.push([key, json?.ok ? json.value : valueOf(value, schema, open[2] !== undefined)]);
    at = end.end;
  }
}

/** The closing tag that is followed by the next parameter or the end of the call: a value may mention the tag itself. */
function endOfParameter(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  const found = findFrom(parameterEnd, text, from);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/** Values are text between tags, on lines of their own, or `inline`: then a line end at one side belongs to the value. The tool's schema says what they mean; without one, JSON is taken as JSON. */
export function valueOf(text: string, schema: unknown, inline = false): unknown {
  const quoted = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  const ownLines = !inline || /^\r?\n[^]*\n$/.test(text);
  const value = ownLines ? text.replace(/^\r?\n/, '').replace(/\r?\n$/, '') : text;
  const types = typesOf(schema);
  if (types.includes('null') && value === 'null') return null;
  if (types.includes('string')) return value;
  const parsed = parseLoose(value, false);
  return parsed.ok && typeof parsed.value !== 'string' ? parsed.value : value;
}

/** The types that a schema names, also those of its choices. */
function typesOf(schema: unknown, depth = 0): readonly unknown[] {
  if (!isPlainObject(schema) || depth > 4) return [];
  const choices = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return [...[schema.type].flat(), ...choices.flatMap((choice) => typesOf(choice, depth + 1))];
}

export function schemaOf(tools: readonly ToolSpec[], tool: string, key: string): unknown {
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
