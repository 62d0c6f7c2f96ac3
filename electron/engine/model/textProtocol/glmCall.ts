import type { ToolSpec } from '../base/port.ts';
import { schemaOf, type TagReading, valueOf } from './functionTags.ts';
import { bad } from './reply.ts';

/** Hunyuan has a token behind the name, with which a call without arguments is one too. */
const head = /\s*([\w.:-]{1,200})\s*(?:<tool_sep>\s*(?=<arg_key>|<\/tool_call>)|(?=<arg_key>))/y;
/** GLM 4.5 ends the line behind the name also where no argument follows. */
const nameLine = /\s*([\w.:-]{1,200})\r?\n\s*(?=<\/tool_call>)/iy;
const nameAlone = /\s*([\w.:-]{1,200})\s*(?=<\/tool_call>)/iy;
const pair = /\s*<arg_key>([^<>]{1,200})<\/arg_key>\s*<arg_value>/y;
const valueEnd = /<\/arg_value>(?=\s*(?:<arg_key>|<\/tool_call>))/g;
const closing = /\s*<\/tool_call>/iy;

/**
 * GLM's form, behind `<tool_call>`: the tool's name, then `<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>` for each
 * argument. Undefined when it is another form; a call whose end is missing is an error.
 */
export function readGlmCall(text: string, from: number, tools: readonly ToolSpec[]): TagReading | undefined {
  const alone = matchAt(nameAlone, text, from);
  const isKnown = tools.some(({ name }) => name === alone?.[1]);
  const named =
    matchAt(head, text, from) ?? (isKnown ? alone : tools.length === 0 ? matchAt(nameLine, text, from) : null);
  if (!named) return undefined;
  const tool = named[1] ?? '';
  const entries: [string, unknown][] = [];
  for (let at = from + named[0].length; ; ) {
    const close = matchAt(closing, text, at);
    if (close) {
      const call = { tool, arguments: Object.fromEntries(entries) };
      return { reading: { ok: true, call, repairs: ['glm'] }, end: at + close[0].length };
    }
    const open = matchAt(pair, text, at);
    const start = at + (open?.[0].length ?? 0);
    const end = open ? matchAt(valueEnd, text, start) : null;
    const value = end ? text.slice(start, end.index) : '';
    // A key inside a value: the end of one before it is missing, and no guess is safe.
    if (!open || !end || value.includes('<arg_key>')) {
      return { reading: bad('unclosed_tool_call', 'missing </arg_value> or </tool_call>'), end: text.length };
    }
    const key = (open[1] ?? '').trim();
    entries.push([key, valueOf(value, schemaOf(tools, tool, key))]);
    at = end.index + end[0].length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
