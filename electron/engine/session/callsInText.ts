import type { ModelClient, ModelRequest } from '../model/base/port.ts';
import { type Reply, writtenCall } from './askModel.ts';

/**
 * Some models with native tools write a call into their text all the same. What can be read is a call; what cannot is
 * malformed, and never the answer. A call that stands in a fence within prose is only shown; a reply that is nothing but
 * the JSON of a call of an offered tool, or has it in other marks of models, is that call.
 */
export async function withCallsInText(reply: Reply, client: ModelClient, request: ModelRequest): Promise<Reply> {
  const isText = client.protocol?.(request.model) === 'text'; // its client has read the text already
  const isMarked = /<\/?tool_call>/i.test(reply.text);
  if (isText || reply.calls.length > 0 || !(isMarked || otherForms.test(reply.text))) return reply;
  const { readReply } = await import('../model/textProtocol/readReply.ts');
  const { content, calls, error, detail } = readReply(reply.text, 'tolerant', request.tools);
  const isOffered = calls.length > 0 && calls.every(({ tool }) => request.tools.some(({ name }) => name === tool));
  if (!isMarked && (error !== undefined || !isOffered)) return reply; // JSON and XML may be the answer
  if (error)
    return { ...reply, malformed: detail === undefined ? error : `${error}, ${detail}`, malformedNative: true };
  if (calls.length === 0) return reply;
  return {
    ...reply,
    text: content,
    calls: calls.map((call) => writtenCall(call.tool, JSON.stringify(call.arguments), undefined)),
  };
}

/** `<function=…>`, `<invoke …>`, `[TOOL_CALLS]`, and a reply that is one JSON value, with or without a fence. */
const otherForms =
  /<function(?:[=\s]|_calls?>)|<invoke\s|\[TOOL_CALLS\]|<\|python_tag\|>|^\s*(?:```(?:json)?\s*)?\{\s*"(?:name|tool|type|function)"[\s\S]*\}\s*(?:```\s*)?$/i;
