import { describe, expect, test } from 'vitest';
import type { RequestStyle } from '../base/dialect.ts';
import type { ModelMessage, ModelRequest } from '../base/port.ts';
import { RequestBody } from './requestBody.ts';

const style: RequestStyle = {
  provider: 'test',
  effort: true,
  thinking: 'none',
  summary: true,
  maxOutput: 1_000,
  callExtras: 'keep',
  temperature: true,
  streamUsage: true,
  maxCompletionTokens: false,
  echoReasoning: false,
  echoDetails: false,
};
const picture = { mediaType: 'image/png', data: 'QUJD' };
const call = { id: 'c1', name: 'f', argumentsText: '{"x":1}' };
const base: ModelRequest = { system: 'S', messages: [], tools: [], model: 'm' };

const messagesOf = (messages: readonly ModelMessage[], changes: Partial<RequestStyle> = {}) =>
  (
    JSON.parse(write({ ...base, system: '', messages }, { ...style, ...changes })) as {
      messages: unknown;
    }
  ).messages;

const write = (request: ModelRequest, wanted: RequestStyle) => new RequestBody().write(request, wanted).toString();

describe('request bodies', () => {
  test('hold what was asked and nothing else', () => {
    const request: ModelRequest = {
      ...base,
      temperature: 0,
      maxTokens: 9,
      toolChoice: { tool: 'f' },
      tools: [{ name: 'f', description: 'd', parameters: {} }],
    };
    expect(JSON.parse(write(request, style))).toEqual({
      model: 'm',
      messages: [{ role: 'system', content: 'S' }],
      temperature: 0,
      max_tokens: 9,
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {} } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('follow what the server wants', () => {
    const other: RequestStyle = {
      ...style,
      temperature: false,
      streamUsage: false,
      maxCompletionTokens: true,
      echoReasoning: false,
      echoDetails: false,
    };
    expect(JSON.parse(write({ ...base, system: '', temperature: 1, maxTokens: 9 }, other))).toEqual({
      model: 'm',
      messages: [],
      max_completion_tokens: 9,
      stream: true,
    });
  });

  test('write calls, results and pictures as the API wants them', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', text: 'Look', images: [picture] },
      { role: 'assistant', text: '', calls: [call, { ...call, id: 'c2', extra: { google: 1 } }] },
      { role: 'tool', callId: 'c1', text: 'one', images: [picture] },
      { role: 'tool', callId: 'c2', text: 'two' },
      { role: 'assistant', text: 'Done' },
    ];
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } };
    const written = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };
    expect(messagesOf(messages)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [written, { ...written, id: 'c2', extra_content: { google: 1 } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      { role: 'user', content: [{ type: 'text', text: 'Images of the tool result c1:' }, image] },
      { role: 'assistant', content: 'Done' },
    ]);
  });

  test('send arguments that were cut off as valid JSON that says so', () => {
    const written = ['{"x":', '', '"x"'].map((argumentsText) => ({ ...call, argumentsText }));
    const [message] = messagesOf([{ role: 'assistant', text: '', calls: written }]) as [
      { tool_calls: { function: { arguments: string } }[] },
    ];
    expect(message.tool_calls.map((entry) => entry.function.arguments)).toEqual([
      '{"unreadable":"{\\"x\\":"}',
      '{}',
      '{}',
    ]);
  });

  test('echo the reasoning only where it is wanted, and change when that changes', () => {
    const messages: readonly ModelMessage[] = [{ role: 'assistant', text: 'a', reasoning: 'r', calls: [call] }];
    const body = new RequestBody();
    const echoed = [false, true, false].map((echoReasoning) =>
      body.write({ ...base, messages }, { ...style, echoReasoning }).includes('"reasoning_content":"r"'),
    );
    expect(echoed).toEqual([false, true, false]);
  });

  test('send reasoning back beside every reply that had some, and an empty one beside calls, which must have it', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'assistant', text: 'a', reasoning: 'r' },
      { role: 'assistant', text: 'b' },
      { role: 'assistant', text: '', calls: [call] },
    ];
    expect(messagesOf(messages, { echoReasoning: true })).toMatchObject([
      { content: 'a', reasoning_content: 'r' },
      { content: 'b' },
      { content: null, reasoning_content: '' },
    ]);
    expect(JSON.stringify(messagesOf(messages, { echoReasoning: true })).match(/reasoning_content/g)).toHaveLength(2);
  });

  test('send blocks of reasoning back as they came, instead of their text', () => {
    const reasoningDetails = [{ type: 'reasoning.encrypted', data: 'x', id: null }];
    const messages: readonly ModelMessage[] = [{ role: 'assistant', text: 'a', reasoning: 'r', reasoningDetails }];
    const both = { echoReasoning: true, echoDetails: true };
    expect(messagesOf(messages, both)).toEqual([
      { role: 'assistant', content: 'a', reasoning_details: reasoningDetails },
    ]);
    expect(messagesOf(messages)).toEqual([{ role: 'assistant', content: 'a' }]);
  });

  test('are the same whether they go on from the last one or are written anew', () => {
    const answer = (id: string, pictured: boolean): ModelMessage => ({
      role: 'tool',
      callId: id,
      text: 'Grüße 🌍 '.repeat(500),
      ...(pictured ? { images: [picture] } : {}),
    });
    const turns: readonly ModelMessage[] = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', calls: [call, { ...call, id: 'c2' }] },
      answer('c1', true),
      answer('c2', false),
      { role: 'assistant', text: '', calls: [call] },
      answer('c1', true),
      { role: 'user', text: 'And?' },
    ];
    const conversations = [
      ...turns.map((_, index) => turns.slice(0, index + 1)),
      turns.slice(0, 3), // rewound
      [...turns.slice(0, 3), ...turns.slice(4)], // changed in the middle
      turns.slice(2), // its beginning dropped
      [],
      turns,
    ];
    const body = new RequestBody();
    for (const messages of conversations) {
      for (const system of ['', 'S', 'T']) {
        const request = { ...base, system, messages };
        expect(body.write(request, style).toString()).toBe(write(request, style));
      }
    }
  });

  test('turn each message into JSON once', () => {
    let reads = 0;
    const message: ModelMessage = {
      role: 'user',
      get text() {
        reads += 1;
        return 'x';
      },
    };
    const body = new RequestBody();
    for (let turn = 0; turn < 3; turn += 1) body.write({ ...base, messages: [message] }, style);
    expect(reads).toBe(1);
  });
});
