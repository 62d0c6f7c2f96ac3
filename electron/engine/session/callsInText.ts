import type { ModelClient, ModelRequest } from '../model/base/port.ts';
import { type Reply, writtenCall } from './askModel.ts';

/**
 * Some models with native tools write a call into their text all the same. What can be read is a call; what cannot is
 * malformed, and never the answer. A call that stands in a fence within prose is only shown.
 */
export async function withCallsInText(reply: Reply, client: ModelClient, request: ModelRequest): Promise<Reply> {
  const isText = client.protocol?.(request.model) === 'text'; // its client has read the text already
  if (isText || reply.calls.length > 0 || !/<\/?tool_call>/i.test(reply.text)) return reply;
  const { readReply } = await import('../model/textProtocol/readReply.ts');
  const { content, calls, error, detail } = readReply(reply.text, 'tolerant', request.tools);
  if (error)
    return { ...reply, malformed: detail === undefined ? error : `${error}, ${detail}`, malformedNative: true };
  if (calls.length === 0) return reply;
  return {
    ...reply,
    text: content,
    calls: calls.map((call) => writtenCall(call.tool, JSON.stringify(call.arguments), undefined)),
  };
}
