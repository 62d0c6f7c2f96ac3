import { parseLoose } from './looseJson.ts';
import type { TokenPiece } from './tokenCall.ts';

const opening = /<\|open\|>call((?:\s+\w{1,40}="[^"]{0,200}"){1,10})\s*<\|sep\|>\s*/y;
const argument = /<\|open\|>argument((?:\s+\w{1,40}="[^"]{0,200}"){1,10})\s*<\|sep\|>/y;
const argumentEnd = '<|close|>argument<|sep|>';
const closing = /\s*<\|close\|>call<\|sep\|>/y;

/** Where a call of Kimi K3 begins. */
export const kimi3Marks = String.raw`<\|open\|>call(?=\s)`;

/**
 * Kimi K3: `<|open|>call tool="NAME" index="1"<|sep|>`, for each argument
 * `<|open|>argument key="KEY" type="string"<|sep|>VALUE<|close|>argument<|sep|>`, then `<|close|>call<|sep|>`. Texts stand as
 * they are, other types as JSON.
 */
export function readKimi3Call(text: string, from: number): TokenPiece | undefined {
  const open = matchAt(opening, text, from);
  const tool = open && attribute(open[1] ?? '', 'tool');
  if (!open || !tool) return undefined;
  const entries: [string, unknown][] = [];
  let at = from + open[0].length;
  for (;;) {
    const close = matchAt(closing, text, at);
    if (close) {
      const end = at + close[0].length;
      return { calls: [{ tool, arguments: Object.fromEntries(entries) }], repairs: ['kimi'], end };
    }
    while (/\s/.test(text[at] ?? '')) at += 1;
    const given = matchAt(argument, text, at);
    const start = at + (given?.[0].length ?? 0);
    const end = given ? text.indexOf(argumentEnd, start) : -1;
    if (!given || end === -1) return { error: 'unclosed_tool_call', detail: 'the call does not end' };
    const key = attribute(given[1] ?? '', 'key');
    if (!key) return { error: 'invalid_arguments', detail: 'an argument has no key' };
    const value = text.slice(start, end);
    const isText = (attribute(given[1] ?? '', 'type') ?? 'string') === 'string';
    const parsed = isText ? undefined : parseLoose(value, true);
    entries.push([key, parsed?.ok ? parsed.value : value]);
    at = end + argumentEnd.length;
  }
}

function attribute(list: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(list)?.[1];
  return found?.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
