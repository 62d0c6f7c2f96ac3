import { parseLoose } from './looseJson.ts';
import { isPlainObject, type ReadReply, type TextCall } from './reply.ts';

const start = /^(?:<\|start\|>\s*assistant[^<]{0,200})?<\|channel\|>/;
const header =
  /(?:<\|start\|>\s*assistant)?([^<]{0,200})<\|channel\|>\s*(\w{1,40})([^<]{0,200})(?:<\|constrain\|>\s*\w{0,40}\s*)?<\|message\|>/y;
const ending = /<\|(?:end|call|return)\|>|<\|start\|>/g;

/**
 * A reply in the raw form of OpenAI's open models (harmony): channels `analysis` (reasoning), `final` (the words) and
 * `commentary`, which with a recipient `to=functions.NAME` is a call. Undefined for any reply that does not begin so.
 */
export function readHarmony(text: string): ReadReply | undefined {
  if (!start.test(text)) return undefined;
  const reasoning: string[] = [];
  const content: string[] = [];
  const calls: TextCall[] = [];
  const fault = (error: NonNullable<ReadReply['error']>, detail: string): ReadReply => ({
    content: text,
    calls: [],
    error,
    detail,
  });
  for (let at = 0; at < text.length; ) {
    header.lastIndex = at;
    const head = header.exec(text);
    if (!head) return fault('unclosed_tool_call', 'a message without its channel');
    const from = at + head[0].length;
    ending.lastIndex = from;
    const end = ending.exec(text);
    const body = text.slice(from, end?.index ?? text.length).trim();
    const recipient = /\bto=(?:functions\.)?([\w.-]+)/.exec(`${head[1]} ${head[3]}`)?.[1];
    if (recipient !== undefined) {
      // The token behind the arguments is usually swallowed by the server: whole JSON is whole without it.
      const parsed = parseLoose(body === '' && end ? '{}' : body, true);
      if (!parsed.ok) return fault(end ? 'json_decode_error' : 'unclosed_tool_call', parsed.why);
      if (!isPlainObject(parsed.value)) return fault('invalid_arguments', 'the arguments are no object');
      calls.push({ tool: recipient, arguments: parsed.value });
    } else if (head[2] === 'analysis') reasoning.push(body);
    else content.push(body);
    at = end === null ? text.length : end[0] === '<|start|>' ? end.index : end.index + end[0].length;
    while (/\s/.test(text[at] ?? '')) at += 1;
  }
  const thought = reasoning.join('\n\n');
  const words = content.join('\n\n');
  return {
    content: words,
    ...(thought === '' ? {} : { reasoning: thought }),
    calls,
    ...(words === '' && calls.length === 0 ? { error: 'empty_output' as const } : {}),
    repairs: ['harmony'],
  };
}
