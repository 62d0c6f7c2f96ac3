import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { writesOf } from '../../../e2e/modelServer.ts';
import { messagesStream, responsesStream, type StreamReply, sealOf } from '../../../e2e/providers/streams.ts';
import type { ReplyFormat, ReplyOptions } from './base/dialect.ts';
import type { ModelEvent } from './base/port.ts';
import { ChatReply } from './chat/chatReply.ts';
import { MessagesReply } from './messages/messagesReply.ts';
import { ResponsesReply } from './responses/responsesReply.ts';
import { AnswerReader } from './wire/answerReader.ts';

const usage = { fresh: 100, cached: 40, written: 10, output: 25 };
const replies: Readonly<Record<string, StreamReply>> = {
  'text in several alphabets': { id: 'a', parts: [{ text: 'Grüße, 你好 🌍, und noch ein längerer Satz.' }], usage },
  'reasoning, text and parallel calls': {
    id: 'b',
    parts: [
      { reasoning: 'Two files are to be read: ä, ö.' },
      { text: 'I read both.', phase: 'commentary' },
      { call: 'read_file', input: { filePath: 'ü.ts' } },
      { call: 'list_directory', input: {} },
    ],
    usage,
  },
  'thinking between calls': {
    id: 'c',
    parts: [
      { reasoning: 'First.' },
      { call: 'a', input: { deep: { list: [1, '}', '"'] } } },
      { reasoning: 'hidden', redacted: true },
      { call: 'b', input: { x: 'y'.repeat(50) } },
    ],
    usage,
  },
  'text alone that was cut off': { id: 'd', parts: [{ text: 'It goes on and' }], stop: 'max_tokens', usage },
  nothing: { id: 'e', parts: [], usage },
};

/** The reply over chat completions, where reasoning and text are one each. */
function chatStream({ parts, chunk = 12, stop }: StreamReply): string {
  const joined = (key: 'text' | 'reasoning'): string =>
    parts.map((part) => (key in part ? String(part[key as keyof typeof part]) : '')).join('');
  const calls = parts.flatMap((part) => ('call' in part ? [{ tool: part.call, input: part.input }] : []));
  const finishReason = stop === undefined ? undefined : 'length';
  const counted = { prompt_tokens: 150, completion_tokens: 25, total_tokens: 175 };
  const reply = { text: joined('text'), reasoning: joined('reasoning'), calls, chunk, usage: counted, finishReason };
  return Buffer.concat(writesOf(reply)).toString();
}

const formats = {
  chat: { stream: chatStream, make: (options: ReplyOptions): ReplyFormat => new ChatReply(options) },
  responses: {
    stream: (reply: StreamReply) =>
      responsesStream(reply.stop === undefined ? reply : { ...reply, stop: 'max_output_tokens' }),
    make: (options: ReplyOptions): ReplyFormat => new ResponsesReply(options),
  },
  messages: { stream: messagesStream, make: (options: ReplyOptions): ReplyFormat => new MessagesReply(options) },
} as const;
const names = Object.keys(formats) as (keyof typeof formats)[];

const events = (...all: readonly { readonly type?: string }[]): string =>
  all.map((event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'a',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const inProgress = { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } };
const at = { item_id: 'msg', output_index: 0, content_index: 0 };
const refused = {
  id: 'msg',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'refusal', refusal: 'Nö, nicht 🙅.' }],
};
const begun = [
  {
    type: 'message_start',
    message: { id: 'a', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Nö, nicht ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '🙅.' } },
  { type: 'content_block_stop', index: 0 },
];
const said = 'Zu viel los ⏳.';

/** Refusals, filters and errors after the beginning of a stream, as each provider writes them; and how they end. */
const ends: readonly (readonly [name: keyof typeof formats, what: string, stream: string, end: string])[] = [
  [
    'chat',
    'a refusal',
    `${events(chunk({ role: 'assistant', refusal: 'Nö, ' }), chunk({ refusal: 'nicht 🙅.' }), chunk({}, 'stop'))}data: [DONE]\n\n`,
    'stop',
  ],
  [
    'chat',
    'a filter',
    `${events(chunk({ content: 'Nö, nicht 🙅.' }), chunk({}, 'content_filter'))}data: [DONE]\n\n`,
    'filter',
  ],
  [
    'chat',
    'an error',
    events(chunk({ content: 'I beg' }), { error: { message: said, type: 'server_error' } } as object),
    'PROVIDER_ERROR',
  ],
  [
    'chat',
    "a router's error",
    events(chunk({ content: 'I beg' }), { error: { code: 429, message: said }, ...chunk({}, 'error') } as object),
    'PROVIDER_RATE_LIMITED',
  ],
  [
    'responses',
    'a refusal',
    events(
      inProgress,
      { type: 'response.output_item.added', output_index: 0, item: { ...refused, content: [] } } as object,
      { type: 'response.refusal.delta', ...at, delta: 'Nö, ' } as object,
      { type: 'response.refusal.delta', ...at, delta: 'nicht 🙅.' } as object,
      { type: 'response.refusal.done', ...at, refusal: 'Nö, nicht 🙅.' } as object,
      { type: 'response.output_item.done', output_index: 0, item: refused } as object,
      {
        type: 'response.completed',
        response: { object: 'response', status: 'completed', output: [refused] },
      } as object,
    ),
    'stop',
  ],
  [
    'responses',
    'a filter',
    events(
      inProgress,
      { type: 'response.output_text.delta', ...at, delta: 'Nö, nicht 🙅.' } as object,
      {
        type: 'response.incomplete',
        response: {
          object: 'response',
          status: 'incomplete',
          incomplete_details: { reason: 'content_filter' },
          output: [],
        },
      } as object,
    ),
    'filter',
  ],
  [
    'responses',
    'an error',
    events(inProgress, { type: 'error', code: 'server_error', message: said, param: null } as object),
    'PROVIDER_ERROR',
  ],
  [
    'responses',
    'a failure',
    events(inProgress, {
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: said } },
    } as object),
    'PROVIDER_RATE_LIMITED',
  ],
  [
    'messages',
    'a refusal',
    events(
      ...begun,
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_sequence: null },
        usage: { output_tokens: 5 },
      } as object,
      { type: 'message_stop' },
    ),
    'filter',
  ],
  [
    'messages',
    'an error',
    events(...begun, { type: 'error', error: { type: 'overloaded_error', message: said } } as object),
    'PROVIDER_ERROR',
  ],
  [
    'messages',
    'a limit',
    events(...begun, { type: 'error', error: { type: 'rate_limit_error', message: said } } as object),
    'PROVIDER_RATE_LIMITED',
  ],
];

/** Every stream here: what it is of, what it holds, and its bytes. */
const streams = [
  ...names.flatMap((name) =>
    Object.entries(replies).map(([what, reply]) => [name, what, Buffer.from(formats[name].stream(reply))] as const),
  ),
  ...ends.map(([name, what, stream]) => [name, what, Buffer.from(stream)] as const),
];

function read(name: keyof typeof formats, pieces: Iterable<Uint8Array>): readonly ModelEvent[] {
  const found: ModelEvent[] = [];
  const emit = (event: ModelEvent): void => {
    const last = found.at(-1);
    if (event.type === 'callDelta') return;
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type)
      found[found.length - 1] = { type: event.type, text: last.text + event.text };
    else found.push(event);
  };
  const options = { emit, isTaken: () => false, newId: () => 'new', provider: 'p', model: 'm' };
  const reader = new AnswerReader(formats[name].make(options));
  for (const piece of pieces) reader.push(piece);
  const failed = reader.end();
  return failed ? [...found, { type: 'failed', error: failed.failure }] : found;
}

const streamOf = (name: keyof typeof formats, reply: string): Uint8Array => {
  const wanted = replies[reply];
  if (!wanted) throw new Error(reply);
  return new TextEncoder().encode(formats[name].stream(wanted));
};

const wholeText = (events: readonly ModelEvent[], type: 'text' | 'reasoning'): string =>
  events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
const callsOf = (events: readonly ModelEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === 'call'
      ? [{ id: event.id, name: event.name, input: JSON.parse(event.argumentsText) as unknown }]
      : [],
  );

describe('a stream of', () => {
  test.each(streams)('%s (%s) is the same in one piece and cut at every byte', (name, _, bytes) => {
    const whole = read(name, [bytes]);
    expect(whole.at(-1)?.type).toMatch(/^(?:finish|failed)$/);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const pieces = read(name, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (JSON.stringify(pieces) !== JSON.stringify(whole)) expect([cut, pieces]).toEqual([cut, whole]);
    }
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(read(name, single)).toEqual(whole);
  });

  test.each(streams)(
    '%s (%s) that ends at any byte before its end is never taken for a whole one',
    (name, _, bytes) => {
      // Behind its stop reason only the usage can be missing (chat), or the blank end (Messages): the reply is whole.
      const withoutUsage = (found: readonly ModelEvent[]): string =>
        JSON.stringify(found.filter(({ type }) => name !== 'chat' || type !== 'usage'));
      const whole = read(name, [bytes]);
      for (let cut = 0; cut < bytes.length; cut += 1) {
        const found = read(name, [bytes.subarray(0, cut)]);
        const last = found.at(-1);
        if (last?.type === 'finish') expect([cut, withoutUsage(found)]).toEqual([cut, withoutUsage(whole)]);
        else expect([cut, last?.type]).toEqual([cut, 'failed']);
        expect(found.some(({ type }) => type === 'call')).toBe(
          last?.type === 'finish' && whole.some(({ type }) => type === 'call'),
        );
      }
    },
  );

  test.each(ends)('%s with %s gives its words and its end', (name, _, stream, end) => {
    const found = read(name, [Buffer.from(stream)]);
    const last = found.at(-1);
    if (last?.type === 'failed') {
      expect([last.error.code, last.error.message]).toEqual([end, expect.stringContaining(said)]);
    } else
      expect([wholeText(found, 'text'), last]).toEqual(['Nö, nicht 🙅.', expect.objectContaining({ reason: end })]);
  });

  test.each(Object.keys(replies))('chat (%s) is what the package of its maker reads', async (reply) => {
    const bytes = streamOf('chat', reply);
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: async () => eventStream(bytes) });
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: [],
      stream_options: { include_usage: true },
    });
    let reasoning = '';
    stream.on('chunk', ({ choices: [choice] }) => {
      reasoning += (choice?.delta as { readonly reasoning_content?: string } | undefined)?.reasoning_content ?? '';
    });
    const isCut = replies[reply]?.stop !== undefined;
    const theirs = isCut
      ? await stream.finalMessage().catch(() => stream.currentChatCompletionSnapshot?.choices[0]?.message)
      : await stream.finalMessage();
    const ours = read('chat', [bytes]);
    expect([wholeText(ours, 'text'), wholeText(ours, 'reasoning'), callsOf(ours)]).toEqual([
      theirs?.content ?? '',
      reasoning,
      (theirs?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }]
          : [],
      ),
    ]);
  });

  test.each(Object.keys(replies))('Responses (%s) is what the package of its maker reads', async (reply) => {
    const bytes = streamOf('responses', reply);
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: async () => eventStream(bytes) });
    const theirs = { text: '', reasoning: '', calls: [] as unknown[], kept: [] as unknown[], tokens: [] as unknown[] };
    for await (const event of await client.responses.create({ model: 'm', input: 'x', stream: true })) {
      if (event.type === 'response.output_text.delta') theirs.text += event.delta;
      else if (event.type === 'response.reasoning_summary_text.delta') theirs.reasoning += event.delta;
      else if (event.type === 'response.output_item.done' && event.item.type === 'function_call') {
        const { call_id: id, name, arguments: written } = event.item;
        theirs.calls.push({ id, name, input: JSON.parse(written) as unknown });
      } else if (event.type === 'response.output_item.done' && event.item.type === 'reasoning')
        theirs.kept.push(event.item);
      else if (event.type === 'response.completed' || event.type === 'response.incomplete') {
        const { usage: told } = event.response;
        const { input_tokens_details: read, output_tokens_details: written } = told ?? {};
        theirs.tokens = [told?.input_tokens, told?.output_tokens, read?.cached_tokens, written?.reasoning_tokens];
      }
    }
    const ours = read('responses', [bytes]);
    expect([wholeText(ours, 'text'), callsOf(ours), keptReasoning(ours), tokensOf(ours)]).toEqual([
      theirs.text,
      theirs.calls,
      theirs.kept,
      theirs.tokens,
    ]);
    expect(wholeText(ours, 'reasoning').replaceAll('\n\n', '')).toBe(theirs.reasoning);
  });

  test.each(Object.keys(replies))('Messages (%s) is what the package of its maker reads', async (reply) => {
    const bytes = streamOf('messages', reply);
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: async () => eventStream(bytes) });
    const theirs = await client.messages
      .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] })
      .finalMessage();
    const ours = read('messages', [bytes]);
    const { content: blocks, usage: told } = theirs;
    const [fromCache, intoCache] = [told.cache_read_input_tokens ?? 0, told.cache_creation_input_tokens ?? 0];
    expect(tokensOf(ours)).toEqual([told.input_tokens + fromCache + intoCache, told.output_tokens, fromCache, 0]);
    expect([wholeText(ours, 'text'), callsOf(ours), keptReasoning(ours)]).toEqual([
      blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
      blocks.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
      ),
      blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking'),
    ]);
    expect(ours.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: { requests: 1, input: 150, output: 25, cached: 40, reasoning: 0, cacheWrites: 10 },
    });
  });
});

/** Tokens of the whole input, of the reply, read from the cache, and of the reasoning. */
function tokensOf(events: readonly ModelEvent[]): readonly number[] {
  return events.flatMap((event) => {
    if (event.type !== 'usage') return [];
    const { input, output, cached, reasoning } = event.usage;
    return [input, output, cached, reasoning];
  });
}

/** What goes back to the provider of the reply's reasoning. */
function keptReasoning(events: readonly ModelEvent[]): readonly unknown[] {
  const finish = events.find((event) => event.type === 'finish');
  const parts = (finish?.type === 'finish' ? (finish.reasoningDetails ?? []) : []) as readonly {
    type: string;
    raw?: unknown;
  }[];
  return parts.filter(({ type }) => type === 'reasoning').map(({ raw }) => raw);
}

function eventStream(bytes: Uint8Array): Response {
  return new Response(bytes.slice(), { headers: { 'content-type': 'text/event-stream' } });
}

describe('a bad reply', () => {
  const encode = (...events: readonly object[]): Uint8Array =>
    new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

  test('with a call that a limit cut off has no such call', () => {
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: 'write_file', input: {} },
    };
    const piece = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"filePath":"a' },
    };
    const stop = { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 5 } };
    const events = read('messages', [encode({ type: 'message_start', message: {} }, start, piece, stop)]);
    expect(events.map(({ type }) => type)).toEqual(['usage', 'finish']);
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
  });

  test('J5 with a name, an argument or a signature without end is given up, and its words are not kept', () => {
    const long = 'x'.repeat(9_000_000);
    const name = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: long.slice(0, 300), input: {} },
    };
    const open = { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } };
    const signature = { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: long } };
    const text = { type: 'response.output_text.delta', output_index: 0, delta: long };
    const failures = [
      read('messages', [encode(name)]),
      read('messages', [encode(open, signature)]),
      read('responses', [encode(text)]),
      read('responses', [
        encode({
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'function_call', name: long.slice(0, 300) },
        }),
      ]),
    ].map((events) => events.at(-1));
    for (const failure of failures) {
      expect(failure).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_BAD_RESPONSE' } });
      expect(JSON.stringify(failure).length).toBeLessThan(400);
    }
  });

  test('that is one JSON body instead of a stream is read all the same', () => {
    const body = {
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: sealOf('Hm') },
        { type: 'text', text: 'Hi' },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    };
    const events = read('messages', [new TextEncoder().encode(JSON.stringify(body))]);
    expect(events.map(({ type }) => type)).toEqual(['reasoning', 'text', 'usage', 'finish']);
  });
});
