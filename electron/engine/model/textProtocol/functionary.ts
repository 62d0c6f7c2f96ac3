import { endOfValue, parseLoose } from './looseJson.ts';
import { isPlainObject, type ReadReply, type TextCall } from './reply.ts';

const start = /^(?:>>>(?:all|[\w.-]{1,200})\n|all\n[^]*?>>>[\w.-]{1,200}\n\s*\{)/;
const part = /(?:^|>>>)(all|[\w.-]{1,200})\n/g;

/**
 * Functionary 3.2: parts that begin with `>>>NAME` and a line end; `all` is said to the person, any other name is a tool
 * and its part the JSON of the arguments. The first sign is often swallowed by the server. Undefined for other replies.
 */
export function readFunctionary(text: string): ReadReply | undefined {
  if (!start.test(text)) return undefined;
  const calls: TextCall[] = [];
  const content: string[] = [];
  const heads = [...text.matchAll(part)];
  for (const [index, head] of heads.entries()) {
    const body = text.slice(head.index + head[0].length, heads[index + 1]?.index ?? text.length).trim();
    const name = head[1] ?? '';
    if (name === 'all') {
      content.push(body);
      continue;
    }
    const parsed = parseLoose(body, true);
    if (!parsed.ok) {
      const error = endOfValue(body, 0) === -1 ? 'unclosed_tool_call' : 'json_decode_error';
      return { content: text, calls: [], error, detail: parsed.why };
    }
    if (!isPlainObject(parsed.value)) return { content: text, calls: [], error: 'invalid_arguments' };
    calls.push({ tool: name, arguments: parsed.value });
  }
  return { content: content.join('\n\n'), calls, repairs: ['functionary'] };
}
