import type { IncomingHttpHeaders } from 'node:http';
import { sealOf } from './streams.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What the server has written itself: reasoning items by id, and the thinking that it signed. */
export interface Sent {
  readonly reasoning: Map<string, string>;
  readonly signatures: Set<string>;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const sorted = (ids: readonly unknown[]): string =>
  ids
    .map(String)
    .toSorted((a, b) => a.localeCompare(b))
    .join(' ');

/** What of a request the Messages API would refuse. */
export function breaksOfMessages(body: Json, headers: IncomingHttpHeaders, sent: Sent): readonly string[] {
  const wrong: string[] = [];
  if (typeof headers['x-api-key'] !== 'string') wrong.push('x-api-key header is missing');
  if (typeof headers['anthropic-version'] !== 'string') wrong.push('anthropic-version header is missing');
  if (!Number.isInteger(body['max_tokens'])) wrong.push('max_tokens: Field required');
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  if (marks > 4) wrong.push(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const messages = list(body['messages']);
  if (messages[0]?.['role'] !== 'user') wrong.push('messages: first message must use the "user" role');
  if (messages.at(-1)?.['role'] !== 'user') wrong.push('the last message must be of the user');
  let open: readonly unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const content = list(message['content']);
    const at = `messages.${index}`;
    if (content.length === 0) wrong.push(`${at}: content is empty`);
    if (message['role'] === messages[index - 1]?.['role']) wrong.push(`${at}: roles must alternate`);
    for (const block of content) {
      if (block['type'] === 'text' && String(block['text']).trim() === '')
        wrong.push(`${at}: text content blocks must be non-empty`);
      if (block['type'] === 'thinking') {
        if (block['cache_control'] !== undefined) wrong.push(`${at}: thinking takes no cache_control`);
        if (block['signature'] !== sealOf(String(block['thinking'])))
          wrong.push(`${at}: Invalid signature in thinking block`);
        if (!sent.signatures.has(String(block['thinking']))) wrong.push(`${at}: thinking that was never sent`);
      }
    }
    const results = content.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
    const firstOther = content.findIndex(({ type }) => type !== 'tool_result');
    if (firstOther !== -1 && content.slice(firstOther).some(({ type }) => type === 'tool_result'))
      wrong.push(`${at}: tool_result blocks must come first`);
    if (sorted(results) !== sorted(open))
      wrong.push(`${at}: tool_use ids were found without tool_result blocks immediately after`);
    open = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  if (open.length > 0) wrong.push('the last calls have no results');
  const thinking = body['thinking'] as Json | undefined;
  const calls = messages.filter(
    ({ role, content }) => role === 'assistant' && list(content).some(({ type }) => type === 'tool_use'),
  );
  // While it thinks, the reply whose calls are answered must bring its thinking back.
  const last = list(messages.at(-2)?.['content'])[0]?.['type'];
  const answers = list(messages.at(-1)?.['content']).some(({ type }) => type === 'tool_result');
  if (
    thinking?.['type'] === 'enabled' &&
    answers &&
    calls.length > 0 &&
    last !== 'thinking' &&
    last !== 'redacted_thinking'
  )
    wrong.push('a final assistant message must start with a thinking block');
  if (thinking !== undefined && thinking['type'] !== 'disabled' && body['temperature'] !== undefined)
    wrong.push('temperature may not be set while thinking');
  return wrong;
}

/** What of a request the Responses API would refuse. */
export function breaksOfResponses(body: Json, headers: IncomingHttpHeaders, sent: Sent): readonly string[] {
  const wrong: string[] = [];
  if (!String(headers['authorization']).startsWith('Bearer ')) wrong.push('Missing bearer authentication');
  if (body['store'] !== false) wrong.push('store must be false');
  if (body['previous_response_id'] !== undefined) wrong.push('nothing is stored');
  if (body['temperature'] !== undefined)
    wrong.push("Unsupported parameter: 'temperature' is not supported with this model.");
  if (typeof body['prompt_cache_key'] !== 'string') wrong.push('prompt_cache_key is missing');
  const items = list(body['input']);
  const open = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    switch (item['type']) {
      case 'reasoning': {
        const id = String(item['id']);
        const summary = list(item['summary'])
          .map(({ text }) => text)
          .join('');
        if (item['encrypted_content'] !== sealOf(id.replace(/^rs_/, '')))
          wrong.push(`${at}: The encrypted content could not be verified.`);
        if (sent.reasoning.get(id) !== summary) wrong.push(`${at}: reasoning ${id} is not as it was sent`);
        const next = items[index + 1];
        const follows =
          next?.['type'] === 'function_call' ||
          next?.['type'] === 'reasoning' ||
          (next?.['type'] === 'message' && next['role'] === 'assistant');
        if (!follows)
          wrong.push(`${at}: Item '${id}' of type 'reasoning' was provided without its required following item.`);
        break;
      }
      case 'function_call':
        open.add(item['call_id']);
        try {
          JSON.parse(String(item['arguments']));
        } catch {
          wrong.push(`${at}: arguments are no JSON`);
        }
        break;
      case 'function_call_output':
        if (!open.delete(item['call_id'])) wrong.push(`${at}: No tool call found for function call output`);
        break;
      case 'message':
        break;
      default:
        wrong.push(`${at}: unknown type ${String(item['type'])}`);
    }
  }
  if (open.size > 0) wrong.push('No tool output found for function call');
  return wrong;
}
