import { createHash } from 'node:crypto';

/** A reply for the strict provider, in the order that it is written: reasoning, text, calls, and again. */
export type Part =
  | { readonly reasoning: string; readonly redacted?: boolean }
  | { readonly text: string; readonly phase?: 'commentary' | 'final_answer' }
  | { readonly call: string; readonly input: unknown };

export interface StreamReply {
  readonly parts: readonly Part[];
  /** Numbers the ids of the reply's parts. */
  readonly id: string;
  /** Characters of a delta. */
  readonly chunk?: number;
  readonly stop?: string;
  readonly usage: {
    readonly fresh: number;
    readonly cached: number;
    readonly written: number;
    readonly output: number;
  };
}

/** What stands for a signature or an encryption: only who wrote a text can make it, and any change shows. */
export function sealOf(text: string): string {
  return createHash('sha256').update(`strict provider ${text}`).digest('base64');
}

const named = (event: Readonly<Record<string, unknown>>): string =>
  `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;

function* chunks(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

/** The items of a reply as the Responses API ends them. */
export function responseItems({ parts, id }: StreamReply): readonly Readonly<Record<string, unknown>>[] {
  return parts.map((part, index) => {
    if ('reasoning' in part) {
      const summary = part.reasoning === '' ? [] : [{ type: 'summary_text', text: part.reasoning }];
      return { id: `rs_${id}_${index}`, type: 'reasoning', summary, encrypted_content: sealOf(`${id}_${index}`) };
    }
    if ('text' in part) {
      const content = [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }];
      const phase = part.phase === undefined ? {} : { phase: part.phase };
      return { id: `msg_${id}_${index}`, type: 'message', status: 'completed', role: 'assistant', content, ...phase };
    }
    const written = JSON.stringify(part.input);
    const own = { call_id: `call_${id}_${index}`, name: part.call, arguments: written, status: 'completed' };
    return { id: `fc_${id}_${index}`, type: 'function_call', ...own };
  });
}

/** The events of a reply of the Responses API, in the order and with the members that its types name. */
export function responsesStream(reply: StreamReply): string {
  const { id, chunk = 12, usage, stop = 'completed' } = reply;
  let sequence = 0;
  const events: string[] = [];
  const tell = (event: Readonly<Record<string, unknown>>): void => {
    events.push(named({ ...event, sequence_number: sequence }));
    sequence += 1;
  };
  const input = usage.fresh + usage.cached + usage.written;
  const response = {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    status: 'in_progress',
    model: 'm',
    output: [],
    error: null,
    incomplete_details: null,
  };
  tell({ type: 'response.created', response });
  tell({ type: 'response.in_progress', response });
  const items = responseItems(reply);
  for (const [output_index, item] of items.entries()) {
    const at = { output_index, item_id: item['id'] };
    const part = reply.parts[output_index];
    if (!part) continue;
    if ('reasoning' in part) {
      tell({ type: 'response.output_item.added', output_index, item: { ...item, summary: [], encrypted_content: '' } });
      for (const delta of chunks(part.reasoning, chunk))
        tell({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta });
      tell({ type: 'response.reasoning_summary_text.done', ...at, summary_index: 0, text: part.reasoning });
    } else if ('text' in part) {
      tell({ type: 'response.output_item.added', output_index, item: { ...item, content: [], status: 'in_progress' } });
      tell({
        type: 'response.content_part.added',
        ...at,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      });
      for (const delta of chunks(part.text, chunk))
        tell({ type: 'response.output_text.delta', ...at, content_index: 0, delta, logprobs: [] });
      tell({ type: 'response.output_text.done', ...at, content_index: 0, text: part.text, logprobs: [] });
      tell({
        type: 'response.content_part.done',
        ...at,
        content_index: 0,
        part: { type: 'output_text', text: part.text, annotations: [] },
      });
    } else {
      const written = JSON.stringify(part.input);
      tell({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      });
      for (const delta of chunks(written, chunk))
        tell({ type: 'response.function_call_arguments.delta', ...at, delta });
      tell({ type: 'response.function_call_arguments.done', ...at, name: part.call, arguments: written });
    }
    tell({ type: 'response.output_item.done', output_index, item });
  }
  const whole = {
    ...response,
    status: stop === 'completed' ? 'completed' : 'incomplete',
    incomplete_details: stop === 'completed' ? null : { reason: stop },
    output: items,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.written },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + usage.output,
    },
  };
  tell({ type: stop === 'completed' ? 'response.completed' : 'response.incomplete', response: whole });
  return events.join('');
}

/** The blocks of a reply of the Messages API, whole. */
export function messageBlocks({ parts, id }: StreamReply): readonly Readonly<Record<string, unknown>>[] {
  return parts.map((part, index) => {
    if ('reasoning' in part) {
      return part.redacted === true
        ? { type: 'redacted_thinking', data: sealOf(part.reasoning) }
        : { type: 'thinking', thinking: part.reasoning, signature: sealOf(part.reasoning) };
    }
    if ('text' in part) return { type: 'text', text: part.text };
    return { type: 'tool_use', id: `toolu_${id}_${index}`, name: part.call, input: part.input };
  });
}

/** The events of a reply of the Messages API. */
export function messagesStream(reply: StreamReply): string {
  const { id, chunk = 12, usage, parts } = reply;
  const calls = parts.some((part) => 'call' in part);
  const counted = {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: usage.written,
  };
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const events = [
    named({ type: 'message_start', message: { ...message, usage: { ...counted, output_tokens: 1 } } }),
    named({ type: 'ping' }),
  ];
  for (const [index, block] of messageBlocks(reply).entries()) {
    const open = (content_block: object): number =>
      events.push(named({ type: 'content_block_start', index, content_block }));
    const grow = (delta: object): number => events.push(named({ type: 'content_block_delta', index, delta }));
    switch (block['type']) {
      case 'thinking':
        open({ type: 'thinking', thinking: '', signature: '' });
        for (const thinking of chunks(String(block['thinking']), chunk)) grow({ type: 'thinking_delta', thinking });
        grow({ type: 'signature_delta', signature: block['signature'] });
        break;
      case 'text':
        open({ type: 'text', text: '' });
        for (const text of chunks(String(block['text']), chunk)) grow({ type: 'text_delta', text });
        break;
      case 'tool_use':
        open({ ...block, input: {} });
        for (const partial_json of chunks(JSON.stringify(block['input']), chunk))
          grow({ type: 'input_json_delta', partial_json });
        break;
      default:
        open(block);
    }
    events.push(named({ type: 'content_block_stop', index }));
  }
  const stop_reason = reply.stop ?? (calls ? 'tool_use' : 'end_turn');
  events.push(
    named({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { ...counted, output_tokens: usage.output },
    }),
    named({ type: 'message_stop' }),
  );
  return events.join('');
}
