import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { messagesStream, responsesStream, type StreamReply, sealOf } from '../../../e2e/providers/streams.ts';
import type { ReplyFormat, ReplyOptions } from './base/dialect.ts';
import type { ModelEvent } from './base/port.ts';
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

const formats = {
  responses: {
    stream: (reply: StreamReply) =>
      responsesStream(reply.stop === undefined ? reply : { ...reply, stop: 'max_output_tokens' }),
    make: (options: ReplyOptions): ReplyFormat => new ResponsesReply(options),
  },
  messages: { stream: messagesStream, make: (options: ReplyOptions): ReplyFormat => new MessagesReply(options) },
} as const;
const names = Object.keys(formats) as (keyof typeof formats)[];
const table = names.flatMap((name) => Object.keys(replies).map((reply) => [name, reply] as const));

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

describe('a reply of', () => {
  test.each(table)('%s (%s) is the same in one piece and cut at every byte', (name, reply) => {
    const bytes = streamOf(name, reply);
    const whole = read(name, [bytes]);
    expect(whole.at(-1)?.type).toBe('finish');
    for (let at = 1; at < bytes.length; at += 1) {
      const events = read(name, [bytes.subarray(0, at), bytes.subarray(at)]);
      if (JSON.stringify(events) !== JSON.stringify(whole)) expect([at, events]).toEqual([at, whole]);
    }
    expect(
      read(
        name,
        [...bytes].map((byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
  });

  test.each(table)('%s (%s) that ends at any byte before its end is never taken for a whole one', (name, reply) => {
    const bytes = streamOf(name, reply);
    const whole = JSON.stringify(read(name, [bytes]));
    for (let at = 0; at < bytes.length; at += 1) {
      const events = read(name, [bytes.subarray(0, at)]);
      const last = events.at(-1);
      // Messages: after its stop reason only the blank end is missing, and the reply is whole.
      if (last?.type === 'finish') expect([at, JSON.stringify(events)]).toEqual([at, whole]);
      else expect([at, last?.type]).toEqual([at, 'failed']);
      expect(last?.type === 'failed' || last?.type === 'finish').toBe(true);
    }
  });

  test.each(Object.keys(replies))('Responses (%s) is what the package of its maker reads', async (reply) => {
    const bytes = streamOf('responses', reply);
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: async () => eventStream(bytes) });
    const theirs = { text: '', reasoning: '', calls: [] as unknown[], kept: [] as unknown[] };
    for await (const event of await client.responses.create({ model: 'm', input: 'x', stream: true })) {
      if (event.type === 'response.output_text.delta') theirs.text += event.delta;
      else if (event.type === 'response.reasoning_summary_text.delta') theirs.reasoning += event.delta;
      else if (event.type === 'response.output_item.done' && event.item.type === 'function_call') {
        const { call_id: id, name, arguments: written } = event.item;
        theirs.calls.push({ id, name, input: JSON.parse(written) as unknown });
      } else if (event.type === 'response.output_item.done' && event.item.type === 'reasoning')
        theirs.kept.push(event.item);
    }
    const ours = read('responses', [bytes]);
    expect([wholeText(ours, 'text'), callsOf(ours), keptReasoning(ours)]).toEqual([
      theirs.text,
      theirs.calls,
      theirs.kept,
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
    const blocks = theirs.content;
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

  test.each([
    ['responses', { type: 'error', code: 'server_error', message: 'no', param: null }, 'PROVIDER_ERROR'],
    [
      'responses',
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow' } },
      },
      'PROVIDER_RATE_LIMITED',
    ],
    ['messages', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'PROVIDER_ERROR'],
    ['messages', { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }, 'PROVIDER_RATE_LIMITED'],
  ] as const)('of %s is told by its own error: %j', (name, event, code) => {
    const bytes = encode({ type: name === 'messages' ? 'message_start' : 'response.created' }, event);
    expect(read(name, [bytes]).at(-1)).toMatchObject({ type: 'failed', error: { code } });
  });

  test('refused by Responses is text, and ends as a filter where the provider stopped it', () => {
    const at = { output_index: 0, item_id: 'msg', content_index: 0 };
    const end = {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
    };
    const events = read('responses', [encode({ type: 'response.refusal.delta', ...at, delta: 'I cannot.' }, end)]);
    expect(
      events.map((event) => (event.type === 'text' ? event.text : event.type === 'finish' ? event.reason : event.type)),
    ).toEqual(['I cannot.', 'filter']);
  });

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
